import CardEngine
import NFCWallet
import Synchronization
import Transport

/// A wallet's radio that a benchmark reads from the other side.
final class BenchField: CardField {
    private let card = Mutex<(any EmulatedCard)?>(nil)

    /// What readers see.
    var presented: (any EmulatedCard)? { card.withLock { $0 } }

    func present(_ card: any EmulatedCard) { self.card.withLock { $0 = card } }

    func withdraw(_ card: any EmulatedCard) {
        self.card.withLock { shown in
            if shown === card { shown = nil }
        }
    }
}

/// A command that was measured.
struct BenchSample {
    /// The command APDU.
    var command: [UInt8]
    /// How many bytes the response has.
    var responseCount: Int
    /// What it is counted as.
    var kind: BenchKind
    /// From the command to its response.
    var duration: Duration

    init(_ command: [UInt8], _ response: [UInt8], _ duration: Duration) {
        self.command = command
        responseCount = response.count
        kind = BenchKind(command, response)
        self.duration = duration
    }
}

/// What a command is counted as.
enum BenchKind: Int, CaseIterable, Hashable {
    case selectEnvironment, selectApplication, processingOptions, signedProcessingOptions
    case readRecord, cryptogram, signedCryptogram, other

    /// Sorts a command by itself and what came back; signing takes long enough to count apart.
    init(_ command: [UInt8], _ response: [UInt8]) {
        let isSigned = response.indices.dropLast().contains {
            response[$0] == 0x9F && response[$0 + 1] == 0x4B
        }
        switch command.dropFirst().first {
        case 0xA4:
            self = command.starts(with: Self.environment) ? .selectEnvironment : .selectApplication
        case 0xA8: self = isSigned ? .signedProcessingOptions : .processingOptions
        case 0xB2: self = .readRecord
        case 0xAE: self = isSigned ? .signedCryptogram : .cryptogram
        default: self = .other
        }
    }

    /// SELECT of the Proximity Payment System Environment, up to its name's first letters.
    private static let environment: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x0E] + Array("2PAY".utf8)

    /// What it is, for people.
    var name: String {
        switch self {
        case .selectEnvironment: "SELECT PPSE"
        case .selectApplication: "SELECT AID"
        case .processingOptions: "GET PROCESSING OPTIONS"
        case .signedProcessingOptions: "GET PROCESSING OPTIONS, signed"
        case .readRecord: "READ RECORD"
        case .cryptogram: "GENERATE AC"
        case .signedCryptogram: "GENERATE AC, signed"
        case .other: "other commands"
        }
    }
}

/// A terminal's way to the card that is shown in a `BenchField`, on the terminal's own thread.
///
/// What is measured is the card's answer and nothing else: from the command until the response lies in the caller's
/// buffer.
struct BenchTransport: Transport, ~Copyable {
    private let field: BenchField
    private var response: [UInt8] = []
    /// What was measured.
    private(set) var samples: [BenchSample] = []

    init(_ field: BenchField) {
        self.field = field
        response.reserveCapacity(Card.maximumResponseCount)
        samples.reserveCapacity(16)
    }

    mutating func fieldOn() throws(TransportError) {
        guard let card = field.presented else { throw .timeout }
        card.fieldOn()
    }

    mutating func fieldOff() { field.presented?.fieldOff() }

    mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        guard let card = field.presented else { throw .cardRemoved }
        let duration = answer(card, command)
        card.responseSent()
        samples.append(BenchSample(command, response, duration))
        return response + []
    }

    private mutating func answer(_ card: any EmulatedCard, _ command: [UInt8]) -> Duration {
        response.removeAll(keepingCapacity: true)
        let start = ContinuousClock.now
        response.append(addingCapacity: Card.maximumResponseCount) { output in
            card.respond(to: command.span, into: &output)
        }
        return start.duration(to: .now)
    }
}
