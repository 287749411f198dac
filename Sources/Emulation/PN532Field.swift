import CardEngine
import Dispatch
import Foundation
public import NFCWallet
import Octets
import PCSC
import Synchronization

/// A field of another reader: an ACR122U lies in it, and its PN532 chip acts as the card.
///
/// One thread sets the reader up over a direct connection and waits for a terminal whenever a card is shown or watches. The
/// chip answers by itself until the terminal's first command; the field counts as on from there. A card that is over and
/// done with leaves the field for a second, as a phone that is taken away does, before the next one is shown. When
/// pcscd or the reader has gone, the thread connects again. At the end the reader is an ordinary one again.
public final class PN532Field: LinkedField {
    /// What happens to the link; ends after `stop`.
    public let events: AsyncStream<LinkEvent>

    private let continuation: AsyncStream<LinkEvent>.Continuation
    private let identity: PN532Identity
    private let connect: Connect
    private let pause: (@Sendable (_ seconds: Double) -> Void)?
    private let slot = CardSlot(patienceSeconds: 1)
    /// When the end was wanted.
    private let stopTime: Mutex<ContinuousClock.Instant?>
    private let stopped = DispatchSemaphore(value: 0)

    /// Makes the way to a reader.
    typealias Connect =
        @Sendable (_ isGivenUp: @escaping @Sendable () -> Bool) throws(PCSCError) ->
        any EscapeChannel

    private static let pauseSeconds = 0.05
    /// How long the reader may take to come back once the end is wanted: its own time-out and a little more.
    private static let release = Duration.seconds(7)
    /// Longer than any reader needs to notice that a card has left.
    private static let absenceSeconds = 1.0
    private static let shortestPauseSeconds = 0.1
    private static let longestPauseSeconds = 2.0

    /// Prepares a field; `start` connects it.
    /// - Parameters:
    ///   - readerName: The whole name of the reader, an ACR122U.
    ///   - historicalBytes: What the card's answer to select has, up to 48 bytes.
    public convenience init(readerName: String, historicalBytes: [UInt8]) {
        self.init(
            PN532Identity(
                identifier: (0..<3).map { _ in UInt8.random(in: .min ... .max) },
                historicalBytes: historicalBytes
            ),
            pause: nil
        ) { (isGivenUp) throws(PCSCError) in try ACR122U(readerName, isGivenUp: isGivenUp) }
    }

    /// Prepares a field.
    /// - Parameters:
    ///   - identity: What terminals see before the first command.
    ///   - pause: Lets time pass; nil for a field that waits.
    ///   - connect: Makes the way to the reader; it is given what tells whether the reader is waited for no more.
    init(
        _ identity: PN532Identity,
        pause: (@Sendable (_ seconds: Double) -> Void)?,
        connect: @escaping Connect
    ) {
        stopTime = Mutex(nil)
        self.identity = identity
        self.pause = pause
        self.connect = connect
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    /// Starts the thread that serves the reader.
    public func start() {
        let thread = Thread { self.run() }
        thread.name = "pn532"
        thread.start()
    }

    /// Ends the link for good, and then the stream of events.
    ///
    /// A reader that waits for a terminal does so until its own time-out, five seconds at most; then it is made an
    /// ordinary reader again.
    public func stop() {
        stopTime.withLock { $0 = $0 ?? .now }
        stopped.signal()
        slot.wake()
    }

    /// Tells `card` of a terminal's first command from now on, which waits for `present`; without it the answer is 6985.
    public func watch(_ card: any EmulatedCard) { slot.admit(card, isPresented: false) }

    /// Shows the card to terminals.
    public func present(_ card: any EmulatedCard) { slot.admit(card, isPresented: true) }

    /// Shows `card` no more; a terminal that comes before another one is shown gets 6985.
    public func withdraw(_ card: any EmulatedCard) { slot.withdraw(card) }

    private var hasEnded: Bool { stopTime.withLock { $0 != nil } }

    /// Whether a reader that does not come back is left alone.
    private var isGivenUp: Bool {
        stopTime.withLock { $0.map { ContinuousClock.now - $0 > Self.release } ?? false }
    }

    private func run() {
        var pauseSeconds = Self.shortestPauseSeconds
        var wasConnected = false
        while !hasEnded {
            do throws(Failure) {
                try serve {
                    wasConnected = true
                    pauseSeconds = Self.shortestPauseSeconds
                    continuation.yield(.connected)
                }
            } catch {
                slot.drop()
                if hasEnded { break }
                if !wasConnected, let reason = error.refusal {
                    continuation.yield(.refused(reason: reason))
                    break
                }
                continuation.yield(.disconnected(reason: "\(error)"))
                wait(pauseSeconds)
                pauseSeconds = min(pauseSeconds * 2, Self.longestPauseSeconds)
            }
        }
        slot.drop()
        continuation.finish()
    }

    /// Connects and serves until something fails or the end is wanted.
    private func serve(_ connected: () -> Void) throws(Failure) {
        let reader: any EscapeChannel
        do throws(PCSCError) {
            reader = try connect { [weak self] in self?.isGivenUp ?? true }
        } catch {
            throw .reader(error)
        }
        var hasBegun = false
        var isSetUp = false
        var departureCount = slot.departureCount
        var target = PN532Target(identity)
        var action = target.handle(.start)
        // What is under way is done first, so that a command that has come is answered.
        while !hasEnded || hasBegun && !action.isWait {
            switch action {
            case .send(let command):
                do throws(PCSCError) {
                    action = target.handle(.answer(try reader.escape(command)))
                    hasBegun = true
                } catch {
                    throw isSetUp ? .reader(error) : .escape(error)
                }
            case .awaitTerminal(let command):
                if !isSetUp { connected() }
                isSetUp = true
                guard slot.awaitCard(seconds: Self.longestPauseSeconds) else { continue }
                action = target.handle(try wait(reader, command))
            case .awaitCommand(let command):
                action = target.handle(try wait(reader, command))
            case .respond(let command):
                let response = [UInt8](capacity: Card.maximumResponseCount) { output in
                    slot.answer(command.span, into: &output)
                }
                if response.isEmpty {
                    // The card has left; for the terminal it is out of reach until the chip is armed anew.
                    slot.drop()
                    wait(Self.absenceSeconds)
                    action = target.handle(.start)
                } else {
                    action = target.handle(.response(response))
                }
            case .responseSent:
                slot.responseSent()
                action = target.handle(.done)
            case .fieldOff:
                slot.drop()
                if departureCount != slot.departureCount { wait(Self.absenceSeconds) }
                departureCount = slot.departureCount
                action = target.handle(.done)
            case .pause:
                wait(Self.pauseSeconds)
                action = target.handle(.done)
            case .end(let fault): throw .chip(fault)
            }
        }
        guard hasBegun else { return }
        for command in PN532Target.release {
            do throws(PCSCError) { _ = try reader.escape(command) } catch { throw .reader(error) }
        }
    }

    /// Sends a command that is answered when somebody comes.
    ///
    /// The driver gives up after its own time, half a minute with libccid; an error that comes at once is another.
    private func wait(
        _ reader: any EscapeChannel,
        _ command: [UInt8]
    ) throws(Failure) -> PN532Target.Event {
        let start = ContinuousClock.now
        do throws(PCSCError) {
            return .answer(try reader.escape(command))
        } catch {
            let isOwnTime = error == .notTransacted || error == .timeout
            guard isOwnTime, ContinuousClock.now - start > .seconds(1) else { throw .reader(error) }
            return .nobody
        }
    }

    /// Lets time pass, or less of it when `stop` comes.
    private func wait(_ seconds: Double) {
        if let pause { return pause(seconds) }
        if stopped.wait(timeout: .now() + seconds) == .success { stopped.signal() }
    }

    /// Why a link ended.
    private enum Failure: Error, CustomStringConvertible {
        case reader(PCSCError)
        /// The reader did not take the first commands.
        case escape(PCSCError)
        case chip(PN532Fault)

        /// Why it is of no use to try again; nil where it may be.
        var refusal: String? {
            switch self {
            case .chip: "\(self)"
            case .escape(let error) where !error.isServiceLost && !error.isCardLost:
                """
                the reader takes no escape commands (\(error)). If it is an ACR122U, its driver has to let them \
                through: in /etc/libccid_Info.plist set ifdDriverOptions to 0x0001, then restart pcscd; no other \
                reader can be the card
                """
            default: nil
            }
        }

        var description: String {
            switch self {
            case .reader(let error), .escape(let error): "\(error)"
            case .chip(.otherReader(let firmware)):
                "the reader is no ACR122U: its firmware is "
                    + String(decoding: firmware.prefix(32), as: UTF8.self)
            case .chip(.refused(let command, let answer)):
                "the reader answered \(answer.prefix(16).hex) to \(command.bytes.prefix(16).hex)"
            }
        }
    }
}

/// A way to send a reader commands of its own.
protocol EscapeChannel: AnyObject {
    /// Sends a command and waits for the answer.
    func escape(_ command: [UInt8]) throws(PCSCError) -> [UInt8]
}

/// A direct connection to an ACR122U.
private final class ACR122U: EscapeChannel {
    private var card: PCSCCard

    /// libccid gives up after 30 s, and is given the time to say so.
    ///
    /// That long, too, the reader may still be waiting for whoever used it before.
    private static let deadlines = PCSCDeadlines(reader: .seconds(40))

    init(
        _ readerName: String,
        isGivenUp: @escaping @Sendable () -> Bool
    ) throws(PCSCError) {
        let context = try PCSCContext(deadlines: Self.deadlines, isGivenUp: isGivenUp)
        card = try context.connect(to: readerName, sharing: .direct)
    }

    func escape(_ command: [UInt8]) throws(PCSCError) -> [UInt8] {
        try card.control(.escape, command)
    }
}
