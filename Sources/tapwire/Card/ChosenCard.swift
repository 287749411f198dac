import CommandLineKit
import Dispatch
import ISO7816
import Octets
import PCSC
import Profiles
import Traces
import Transport

/// The card of a command that works on a reader's card or on one of ours.
struct ChosenCard: Transport, ~Copyable {
    /// The options that choose it.
    static let options: [CommandOption] =
        ReaderOptions.options + [
            .choice("scheme", CardOptions.schemes, "A built-in card instead of one in a reader.")
        ]

    /// Whether the card's numbers are published test numbers.
    let isPublic: Bool
    private var reader: PCSCReader?
    private var own: ProfileCard?
    private var recorded: LenientCard?
    /// What the card is called, for people.
    let name: String

    /// Opens the reader, or makes the card.
    init(_ arguments: Arguments) throws {
        if let path = arguments["card-trace"] {
            guard !arguments.has("reader"), !arguments.has("scheme") else {
                throw CommandFailure(
                    .usage,
                    "--card-trace names a recorded card; leave it out with --reader and --scheme"
                )
            }
            self.init(try RecordedCard(path: path))
        } else if let scheme = arguments["scheme"].flatMap(Scheme.init(rawValue:)) {
            guard !arguments.has("reader") else {
                throw CommandFailure(
                    .usage,
                    "--scheme chooses a built-in card; leave it out with --reader"
                )
            }
            self.init(try CardOptions(scheme).personalization)
        } else {
            self.init(try ReaderOptions.open(arguments))
        }
    }

    private init(_ reader: consuming PCSCReader) {
        name = "the card in \(reader.name.escapingControls)"
        self.reader = consume reader
        isPublic = false
    }

    private init(_ card: RecordedCard) {
        recorded = LenientCard(card.trace.exchanges)
        name = "the recorded card"
        isPublic = card.isPublic
    }

    /// Makes a card of ours.
    /// - Parameters:
    ///   - card: What is on it.
    ///   - usesDeviceCVM: Whether its user was authenticated on the device.
    init(_ card: CardPersonalization, usesDeviceCVM: Bool = false) {
        own = ProfileCard(card, usesDeviceCVM: usesDeviceCVM)
        name = card.profile.name
        isPublic = card.profile.isPublic
    }

    /// The card's answer to reset; empty for a card of ours and a recorded one.
    var answerToReset: [UInt8] {
        switch reader {
        case .some(let reader): reader.answerToReset
        case .none: []
        }
    }

    /// Waits for the card, and says so where there is none yet or another program has it.
    /// - Throws: `CommandFailure`.
    mutating func await() throws {
        try reader?.awaitCard()
        do throws(TransportError) { try own?.fieldOn() } catch { throw CommandFailure(error) }
    }

    mutating func fieldOn() throws(TransportError) {
        try reader?.fieldOn()
        try own?.fieldOn()
    }

    mutating func fieldOff() {
        reader?.fieldOff()
        own?.fieldOff()
    }

    mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        if let response = try reader?.transmit(command) { return response }
        if let response = try recorded?.transmit(command) { return response }
        return try own?.transmit(command) ?? []
    }
}
