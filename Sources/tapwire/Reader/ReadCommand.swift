import CommandLineKit
import EMVData
import ISO7816
import Octets
import PCSC
import TerminalKernels
import Transport
import VirtualPOS

/// `tapwire read`: what is on a contactless payment card.
enum ReadCommand {
    static let command = Command(
        "read",
        summary: "Reads a contactless payment card: every application, its options and records.",
        discussion: [
            "The card is asked as a terminal would ask it, with every data object it wants filled in; the amount is 1.00 "
                + "unless --amount says otherwise. No payment is made, but GET PROCESSING OPTIONS, sent once to each "
                + "application, spends one of the card's transaction counters.",
            "With --profile what was read becomes a card profile, which tapwire card and tapwire tap take. A card's secret "
                + "keys cannot be read: the copy has test keys and certificates, and pays only with Tapwire's terminal and "
                + "issuer. Its account number, tracks and name are test values unless --unmask is given.",
            "The exit code is 1 when no application could be read.",
        ],
        examples: [
            "tapwire read", "tapwire read --scheme mastercard --json",
            "tapwire read --reader 0 --profile copy.json",
        ],
        groups: [
            CommandOption.Group(
                "Card",
                ChosenCard.options + [
                    .value("card-trace", "FILE", "A recorded card instead of one in a reader.")
                ]
            ),
            CommandOption.Group(
                "What the card is told",
                PaymentOptions.options + TerminalOptions.options
            ),
            PaymentOptions.repeating,
            CommandOption.Group(
                "Output",
                [.value("profile", "FILE", "Writes a card profile that says the same.")]
                    + PaymentOptions.output
            ),
        ],
        run: { arguments in try await onThread(named: "reader") { try run(arguments) } }
    )

    private static func run(_ arguments: Arguments) throws -> ExitCode {
        var payment = try PaymentOptions(arguments)
        payment.amount = payment.amount ?? payment.currency.one
        let terminal = try TerminalOptions(arguments)
        let configuration = try terminal.pointOfSale().reader
        var environment = terminal.environment(payment)
        let trace = try OutputFile("trace", "trace file", arguments)
        let profile = try OutputFile("profile", "profile", arguments)
        var card = try ChosenCard(arguments)
        let name = card.name
        let isPublic = card.isPublic
        let isOpen = isPublic || arguments.has("unmask")
        let redaction = Redaction(isOpen ? .nothing : .cardholderData)
        let page = SurveyPage(
            payment.currency,
            redaction,
            isQuiet: arguments.has("json")
        )
        try card.await()
        page.head(card)
        let answer = card.answerToReset
        var surveyor = CardSurveyor(
            card,
            terminal: configuration,
            transaction: payment.transaction(),
            unpredictableNumber: environment.unpredictableNumber(),
            isThorough: profile != nil,
            observe: { page.tell($0) }
        )
        let survey: CardSurvey
        do throws(TransportError) {
            survey = try surveyor.run()
        } catch {
            throw CommandFailure(error)
        }
        page.end(survey)
        try trace?.write(page.exchanges, of: name, isPublic: isPublic, redaction)
        if let profile {
            let copied = CopiedCard(name, answer, isPublic: isPublic)
            try page.tell(copied.write(survey, to: profile, keepsNumbers: isOpen))
        }
        return survey.applications.contains { $0.processingOptions == .success }
            ? .success : .failure
    }
}

extension Currency {
    /// One unit of it.
    fileprivate var one: Amount? {
        Amount(minorUnits: (0..<exponent).reduce(1) { units, _ in units * 10 }, currency: self)
    }
}

/// Shows a card while it is read.
private final class SurveyPage {
    private var page = Page(.output, showsAllBytes: true)
    private var decoder: ExchangeDecoder
    private let isQuiet: Bool
    private var decoded: [DecodedExchange] = []
    /// What went to the card and came back.
    private(set) var exchanges: [Exchange] = []
    private var card: JSONValue = nil

    /// Starts with nothing shown; where it is quiet, only the end is, as JSON.
    init(_ currency: Currency, _ redaction: Redaction, isQuiet: Bool) {
        decoder = ExchangeDecoder(currency: currency, redaction: redaction)
        self.isQuiet = isQuiet
    }

    func head(_ card: borrowing ChosenCard) {
        let answer = try? AnswerToReset(parsing: card.answerToReset)
        self.card = [
            "source": .string(card.name),
            "masked": .bool(decoder.redaction.extent == .cardholderData),
            "atr": card.answerToReset.isEmpty ? nil : .string(card.answerToReset.hex),
            "interface": answer.map { .string($0.interface.word) } ?? nil,
        ]
        let kind = answer.map { ", \($0.interface.text), ATR \($0.bytes.hex)" } ?? ""
        page.line(page.styled("Reads \(card.name)\(kind)", .bold))
        flush()
    }

    func tell(_ exchange: Exchange) {
        let decoded = decoder.decode(exchange)
        exchanges.append(exchange)
        if isQuiet { self.decoded.append(decoded) }
        page.append(decoded)
        flush()
    }

    func end(_ survey: CardSurvey) {
        if isQuiet {
            Console.output.write(json(survey).text)
            return
        }
        page.line()
        if !survey.hasDirectory {
            page.label("directory", "none: the card does not list contactless applications (PPSE)")
        }
        for application in survey.applications {
            page.label("found", "\(application.title): \(application.text)")
        }
        if survey.applications.isEmpty { page.label("found", "no application") }
        let spent = survey.spentCount
        if spent > 0 {
            page.label(
                "note",
                "GET PROCESSING OPTIONS was sent \(spent == 1 ? "once" : "\(spent) times"); "
                    + "each time spends one of the card's transaction counters"
            )
        }
        flush()
    }

    /// Tells what became of the copy.
    func tell(_ copy: CopiedCard.Report) {
        guard !isQuiet else { return }
        for note in copy.notes { page.label("copy", note) }
        for refusal in copy.refusals { page.label("left out", refusal) }
        flush()
    }

    private func flush() {
        let text = page.take()
        if !isQuiet { Console.output.write(text) }
    }

    private func json(_ survey: CardSurvey) -> JSONValue {
        [
            "card": card,
            "directory": .bool(survey.hasDirectory),
            "applications": .array(survey.applications.map(json)),
            "spentCounters": .integer(Int64(survey.spentCount)),
            "exchanges": .array(decoded.map { JSONValue($0) }),
        ]
    }

    private func json(_ application: CardSurvey.Application) -> JSONValue {
        let aid = ApplicationIdentifier(bytes: application.name)
        let kernel = aid.map { KernelIdentifier.default(forRID: $0.rid) }
        let objects = decoder.redaction.mask(application.objects)
        return [
            "aid": .string(application.name.hex),
            "label": application.label.map { .string($0.printable) } ?? nil,
            "selection": application.selection.map { .string($0.rawValue.hex) } ?? nil,
            "processingOptions": application.processingOptions.map { .string($0.rawValue.hex) }
                ?? nil,
            "obstacle": application.obstacle.map { .string($0.text) } ?? nil,
            "records": .integer(Int64(application.recordCount)),
            "objects": .array(objects.map { JSONValue(DecodedObject($0, kernel: kernel)) }),
        ]
    }
}

extension CardSurvey {
    /// How many transaction counters the reading has spent at most.
    fileprivate var spentCount: Int { applications.count { $0.processingOptions != nil } }
}

extension CardSurvey.Obstacle {
    fileprivate var text: String {
        switch self {
        case .name: "not selected, an application's name has 5 to 16 bytes"
        case .wantedData: "the list of data it wants (PDOL) cannot be read"
        case .tooMuchData: "wants more data than a command holds"
        case .records: "the list of its records (AFL) cannot be read"
        }
    }
}

extension CardSurvey.Application {
    fileprivate var title: String {
        name.hex + (label.map { " “\($0.printable)”" } ?? "")
    }

    fileprivate var text: String {
        if let obstacle { return obstacle.text }
        guard let processingOptions else {
            let command = CommandAPDU(.select, parameters: 0x0400)
            return "cannot be selected, \(selection?.text(to: command) ?? "not tried")"
        }
        guard processingOptions == .success else {
            let command = CommandAPDU(.getProcessingOptions, parameters: 0)
            return "gives no processing options, \(processingOptions.text(to: command))"
        }
        return recordCount == 0 ? "no records to read" : "\(recordCount) records"
    }
}

extension [UInt8] {
    /// The characters, with a question mark for each that cannot be shown.
    fileprivate var printable: String {
        String(decoding: map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
