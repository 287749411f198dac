import Foundation
import ISO7816
import NFCWallet

/// Where the wallet's side, which shows and withdraws cards, meets vpcd's side, which commands them.
///
/// Calls to the card are made outside the lock, so that it may withdraw itself; `withdraw` from another
/// thread waits until such a call is over.
final class VPCDStage: @unchecked Sendable {
    // @unchecked: everything below is touched under `condition` only.
    private let condition = NSCondition()
    private var card: (any EmulatedCard)?
    private var calling: Thread?
    private var isPowered = false
    private var isCardInField = false
    private var isStopped = false
    private var lastWithdrawal = ContinuousClock.now - VPCDStage.removalDelay

    /// The longest response of an emulated card, in bytes.
    static let maximumResponseCount = 258

    /// How long after a withdrawal a card still counts as present.
    ///
    /// A wallet that pays again and again withdraws and shows its card in turn; a reader that looked in
    /// between would see the card removed in the middle of its work.
    static let removalDelay = Duration.seconds(1)

    func present(_ card: any EmulatedCard) {
        condition.lock()
        self.card = card
        condition.broadcast()
        condition.unlock()
    }

    func withdraw() {
        condition.lock()
        while let thread = calling, thread != Thread.current { condition.wait() }
        card = nil
        isCardInField = false
        lastWithdrawal = .now
        condition.unlock()
    }

    func stop() {
        condition.lock()
        isStopped = true
        condition.broadcast()
        condition.unlock()
    }

    func waitUntilStopped(atMostSeconds seconds: TimeInterval) {
        let end = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        while !isStopped, condition.wait(until: end) {}
        condition.unlock()
    }

    /// Whether vpcd shall see a card.
    var isCardInReader: Bool {
        condition.lock()
        defer { condition.unlock() }
        return card != nil || ContinuousClock.now - lastWithdrawal < Self.removalDelay
    }

    /// The reader's field comes on: a reset is a field that was gone for a moment.
    func powerOn() {
        condition.lock()
        isPowered = true
        condition.unlock()
        leaveField()
    }

    func powerOff() {
        condition.lock()
        isPowered = false
        condition.unlock()
        leaveField()
    }

    func respond(to command: Span<UInt8>, into response: inout OutputSpan<UInt8>) {
        guard let card = claimCard() else {
            response.append(.conditionsNotSatisfied)
            return
        }
        defer { releaseCard() }
        if enterField() { card.fieldOn() }
        card.respond(to: command, into: &response)
    }

    func responseSent() {
        guard let card = claimCard(waiting: false) else { return }
        defer { releaseCard() }
        card.responseSent()
    }

    private func leaveField() {
        condition.lock()
        let wasInField = isCardInField
        isCardInField = false
        condition.unlock()
        guard wasInField, let card = claimCard(waiting: false) else { return }
        defer { releaseCard() }
        card.fieldOff()
    }

    /// Whether the card is to be told of the field before its first command.
    private func enterField() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        defer { isCardInField = true }
        return !isCardInField
    }

    /// Takes the card for a call, waiting for one to be shown as long as one counts as present.
    private func claimCard(waiting: Bool = true) -> (any EmulatedCard)? {
        condition.lock()
        defer { condition.unlock() }
        let end = Date(timeIntervalSinceNow: 1)
        while waiting, card == nil, !isStopped, condition.wait(until: end) {}
        guard let card else { return nil }
        calling = Thread.current
        return card
    }

    private func releaseCard() {
        condition.lock()
        calling = nil
        condition.broadcast()
        condition.unlock()
    }
}
