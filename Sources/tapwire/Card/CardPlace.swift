import CommandLineKit
import Emulation
import ISO7816
import PCSC

/// Where the card of `tapwire card` is put.
enum CardPlace: CustomStringConvertible {
    /// A virtual reader.
    case vpcd(VPCDAddress)
    /// The field of a reader that acts as the card, by its whole name.
    case reader(String)

    /// Reads `--reader` and `--vpcd`.
    /// - Throws: `CommandFailure` when both are there, or the reader is not.
    init(_ arguments: Arguments) throws {
        guard arguments.has("reader") else {
            self = .vpcd(try VPCDAddress(arguments))
            return
        }
        guard !arguments.has("vpcd") else {
            throw CommandFailure(
                .usage,
                "the card is put into a reader of its own or into vpcd's; leave out --vpcd or --reader"
            )
        }
        let choice = try PCSCSupport.attempt { () throws(PCSCError) in
            try ReaderOptions.choose(arguments["reader"], PCSCContext())
        }
        self = .reader(try choice.get())
    }

    /// Makes the field.
    /// - Parameter historicalBytes: What the card's answer to reset, or to select, has.
    /// - Returns: The field, whose link is not made yet.
    func makeField(historicalBytes: [UInt8]) -> any LinkedField {
        switch self {
        case .vpcd(let address):
            let waker = PCSCWaker(isLocal: address.isLocal)
            return VPCDField(
                host: address.host,
                port: address.port,
                answerToReset: AnswerToReset(contactlessHistoricalBytes: historicalBytes),
                prepare: { waker.wake() }
            )
        case .reader(let name):
            return PN532Field(readerName: name, historicalBytes: historicalBytes)
        }
    }

    /// The place, for people.
    var description: String {
        switch self {
        case .vpcd(let address): "\(address)"
        case .reader(let name): "the field of \(name)"
        }
    }

    /// What is told when the card is there.
    var arrival: String {
        switch self {
        case .vpcd: "in the virtual reader"
        case .reader: "the reader acts as the card"
        }
    }

    /// What is told when nobody asks for the card.
    var silence: String {
        switch self {
        case .vpcd(let address):
            "vpcd does not ask for the card; another one may be in that reader, "
                + "so try \(address.next ?? "another port")"
        case .reader: "the reader does not ask for the card"
        }
    }

    /// What helps where the reader cannot be reached.
    var hint: String {
        switch self {
        case .vpcd: PCSCSupport.vpcdHint
        case .reader: "see tapwire readers"
        }
    }
}
