import CardEngine
import EMVCrypto
import Foundation
import ISO7816
import NFCWallet
import Octets
import PCSC
import Profiles
import Synchronization
import Testing
import Transport

@testable import Emulation

/// A terminal in front of a field.
private protocol Terminal: AnyObject, Sendable {
    /// Raises its field.
    func enter() throws
    /// Sends a command and returns the response.
    func send(_ command: [UInt8]) throws -> [UInt8]
    /// Takes its field away.
    func leave() throws
}

/// A terminal in the same process.
private final class SoftwareTerminal: Terminal {
    private let transport: Mutex<SoftwareFieldTransport>

    init(_ field: SoftwareField) { transport = Mutex(field.makeTransport()) }

    func enter() throws {
        try transport.withLock { transport throws(TransportError) in try transport.fieldOn() }
    }
    func send(_ command: [UInt8]) throws -> [UInt8] {
        try transport.withLock { transport throws(TransportError) in
            try transport.transmit(command)
        }
    }
    func leave() { transport.withLock { $0.fieldOff() } }
}

/// A terminal behind pcscd, whose vpcd the test plays.
private final class VPCDTerminal: Terminal, @unchecked Sendable {
    // @unchecked: the listening socket is touched under `link`'s lock only.
    private let vpcd: FakeVPCD
    /// There is none before a card is.
    private let link = Mutex<FakeVPCD.Link?>(nil)

    init() throws { vpcd = try FakeVPCD() }

    var port: UInt16 { vpcd.port }

    func enter() throws {
        try link.withLock { link in
            if link == nil { link = try vpcd.accept() }
            try link?.send("0001 01")
        }
    }
    func send(_ command: [UInt8]) throws -> [UInt8] {
        try link.withLock { link in
            try link?.send([UInt8(command.count >> 8), UInt8(command.count & 0xFF)] + command)
            return Array(try link?.receive().dropFirst(2) ?? [])
        }
    }
    func leave() throws { try link.withLock { try $0?.send("0001 00") } }
}

/// An ACR122U whose chip acts as the card, and the terminal in whose field it lies.
private final class ChipInAField: Terminal, EscapeChannel, @unchecked Sendable {
    // @unchecked: all state is touched under `condition` only.
    private let condition = NSCondition()
    /// The number of the field that is there; nil for none.
    private var field: Int?
    private var lastField = 0
    /// The field in which the chip was activated.
    private var activeField: Int?
    private var command: [UInt8]?
    private var response: [UInt8]?
    private var isGone = false

    /// A wait that fails is better than one that never ends.
    private func wait(until isTrue: () -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: 20)
        while !isTrue() {
            guard condition.wait(until: end) else { return isTrue() }
        }
        return true
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return body()
    }

    func enter() {
        locked {
            lastField += 1
            field = lastField
        }
    }

    func send(_ command: [UInt8]) throws -> [UInt8] {
        let response = locked { () -> [UInt8]? in
            self.response = nil
            self.command = command
            condition.broadcast()
            guard wait(until: { self.response != nil }) else { return nil }
            return self.response
        }
        return try #require(response, "the card does not answer")
    }

    func leave() {
        locked {
            field = nil
            command = nil
        }
    }

    /// Pulls the reader out.
    func pull() { locked { isGone = true } }

    func escape(_ bytes: [UInt8]) throws(PCSCError) -> [UInt8] {
        guard let answered = locked({ answer(to: bytes) }) else { throw .readerUnavailable }
        return answered
    }

    /// What the reader answers to an escape command; nil when it is gone.
    private func answer(to bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: [0xFF, 0x00, 0x00, 0x00]) else {
            return bytes[2] == 0x48 ? Array("ACR122U215".utf8) : [0x90, 0x00]
        }
        let (code, data) = (bytes[6], Array(bytes.dropFirst(7)))
        guard let result = result(of: code, data) else { return nil }
        return [0xD5, code + 1] + result + [0x90, 0x00]
    }

    /// What the chip answers.
    private func result(of code: UInt8, _ data: [UInt8]) -> [UInt8]? {
        let released: [UInt8] = [0x29]
        switch code {
        case 0x06: return [0x07, 0x07, 0x15]
        case 0x8C:
            guard wait(until: { field != nil || isGone }), !isGone else { return nil }
            activeField = field
            return [0x08, 0xE0, 0x80]
        case 0x86:
            let isThere = wait { isGone || command != nil || field != activeField }
            guard isThere, !isGone else { return nil }
            guard field == activeField, let command = command.take() else { return released }
            return [0x00] + command
        case 0x8E:
            guard field == activeField else { return released }
            response = data
            return [0x00]
        default: return code == 0x94 ? nil : []
        }
    }
}

/// A field, and the terminal in front of it.
private enum FieldKind: CaseIterable, CustomTestStringConvertible {
    case software, vpcd, pn532

    var testDescription: String { "\(self)" }

    /// Makes both; what is returned last ends them.
    func make() throws -> (any CardField, any Terminal, end: () -> Void) {
        switch self {
        case .software:
            let field = SoftwareField(patienceSeconds: 200)
            return (field, SoftwareTerminal(field), {})
        case .vpcd:
            let terminal = try VPCDTerminal()
            let field = VPCDField(
                host: "127.0.0.1",
                port: terminal.port,
                answerToReset: AnswerToReset(contactlessHistoricalBytes: []),
                pause: { _ in }
            )
            field.start()
            return (field, terminal, { field.stop() })
        case .pn532:
            let reader = ChipInAField()
            let field = PN532Field(PN532Identity(identifier: [1, 2, 3]), pause: { _ in }) { _ in
                reader
            }
            field.start()
            let end = {
                field.stop()
                reader.pull()
            }
            return (field, reader, end)
        }
    }
}

/// A clock that stands still: other tests may keep a session for a minute from what it does.
private struct StillClock: SessionClock {
    struct Call: ScheduledCall { func cancel() {} }

    var now: Duration { .zero }
    func call(
        after delay: Duration,
        _ action: @escaping @Sendable () -> Void
    ) -> any ScheduledCall { Call() }
}

/// A server that makes keys for tests.
private final class KeyMaker: CredentialService {
    func replenish(
        _ card: DigitalCard.ID,
        after counter: UInt16,
        count: Int,
        deliver: (consuming IssuedKey) -> Void
    ) throws(CredentialError) {
        for number in 1...UInt16(count) {
            let key = DoubleLengthKey(left: UInt64(number), right: 1)
            deliver(
                IssuedKey(PaymentKey(transactionCounter: counter + number, cryptogramKey: key))
            )
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct EveryFieldTests {
    private static let select = bytes("00A404000E325041592E5359532E444446303100")
    private static let selectVisa = bytes("00A4040007A000000003101000")
    /// 12.34 EUR on 2026-11-30, online.
    private static let pay = bytes(
        "80A80000238321368040800000000012340000000000000276000000000009782611300059320DD700"
    )

    private static func bytes(_ hex: String) -> [UInt8] { (try? [UInt8](hex: hex)) ?? [] }

    /// What the terminal does: it is torn away after the selection, and comes back.
    private static func tapTwice(_ terminal: any Terminal) throws -> [[UInt8]] {
        var responses: [[UInt8]] = []
        try terminal.enter()
        var first = try terminal.send(select)
        // A field waits a second for the app to show its card; other tests may keep it from doing so.
        for _ in 0..<200 where first == [0x69, 0x85] { first = try terminal.send(select) }
        responses.append(first)
        responses.append(try terminal.send(selectVisa))
        try terminal.leave()
        try terminal.enter()
        for command in [select, selectVisa, pay] { responses.append(try terminal.send(command)) }
        try terminal.leave()
        return responses
    }

    private func wallet(_ field: any CardField) throws -> (Wallet, DigitalCard.ID) {
        let card = try CardPersonalization(.builtIn(.visa))
        let id = DigitalCard.ID(rawValue: "card")
        let wallet = Wallet(
            field: field,
            authenticator: SimulatedAuthenticator(),
            service: KeyMaker(),
            clock: StillClock()
        )
        try wallet.add(DigitalCard(id: id, label: "Visa")) { card.makeCard() }
        try wallet.replenish(id, count: 10)
        return (wallet, id)
    }

    @Test(arguments: FieldKind.allCases, [false, true])
    private func `a session runs unchanged, shown at once or when a reader is there`(
        _ kind: FieldKind,
        _ waitsForReader: Bool
    ) async throws {
        let (field, terminal, end) = try kind.make()
        defer { end() }
        let (wallet, id) = try wallet(field)
        let session = ContactlessPaymentSession(wallet: wallet)
        session.startPayment(withDigitalCardID: id)
        var told: [String] = []
        var tap: Task<[[UInt8]], any Error>?
        for await event in session.eventStream {
            switch event {
            case .authenticationRequired(let authentication):
                told.append("authenticationRequired")
                authentication.proceed()
            case .authenticationCompleted:
                told.append("authenticationCompleted")
                if !waitsForReader { session.startEmulation() }
                tap = Task {
                    do {
                        return try await onThread { try Self.tapTwice(terminal) }
                    } catch {
                        session.cancel()
                        throw error
                    }
                }
            case .posConnected:
                told.append("posConnected")
                if waitsForReader, !session.isShowingCard { session.startEmulation() }
            case .posDisconnected: told.append("posDisconnected")
            case .transactionCompleted(let context):
                told.append("transactionCompleted \(context.transactionCounter)")
            case .errorEncountered(let error): told.append("\(error)")
            }
        }
        let responses = try await #require(tap).value
        await session.settled()
        #expect(
            told == [
                "authenticationRequired", "authenticationCompleted", "posConnected",
                "posDisconnected", "posConnected", "transactionCompleted 1",
            ]
        )
        #expect(responses.map { Array($0.suffix(2)) } == .init(repeating: [0x90, 0x00], count: 5))
        // The same bytes on every field, but for the cryptogram.
        #expect(responses[0] == responses[2] && responses[1] == responses[3])
        #expect(try wallet.paymentCount(of: id) == 9)
        #expect(try wallet.history(of: id).map(\.transactionCounter) == [1])
    }
}

/// Runs something that blocks where it keeps nobody from anything.
private func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
