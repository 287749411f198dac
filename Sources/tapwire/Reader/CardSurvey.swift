import BERTLV
import EMVData
import ISO7816
import TerminalKernels
import Traces
import Transport

/// Everything a contactless payment card shows of itself without paying.
struct CardSurvey {
    /// Whether the card has a list of its contactless applications (PPSE).
    var hasDirectory = false
    /// The applications that could be selected, or are listed.
    var applications: [Application] = []
    /// The identifier that the reader gives; empty unless it was wanted.
    var uid: [UInt8] = []

    /// One application.
    struct Application {
        /// Its name on the card, or the one it was asked for with.
        var name: [UInt8]
        /// What the directory says of it; empty without one.
        var entry: [TLV] = []
        /// How SELECT was answered; nil when it was not sent.
        var selection: StatusWord?
        /// How GET PROCESSING OPTIONS was answered; nil when it was not sent.
        var processingOptions: StatusWord?
        /// Why less was asked of it than there is; nil when everything was.
        var obstacle: Obstacle?
        /// How many records were read.
        var recordCount = 0
        /// What SELECT gave.
        var control: [TLV] = []
        /// What GET PROCESSING OPTIONS gave.
        var options: [TLV] = []
        /// What READ RECORD gave, in order.
        var records: [TLV] = []
        /// What GET DATA gave; empty unless it was wanted.
        var retrieved: [TLV] = []

        /// What SELECT, GET PROCESSING OPTIONS and READ RECORD gave, in order.
        var objects: [TLV] { control + options + records }
        /// The label in the directory; nil without one.
        var label: [UInt8]? { TLV.first(.applicationLabel, in: entry)?.value }
    }

    /// What of a card's keeps a terminal from asking further.
    enum Obstacle {
        /// The directory gives a name that SELECT does not take.
        case name
        /// The list of wanted data objects (PDOL) cannot be read.
        case wantedData
        /// More data are wanted than a command holds.
        case tooMuchData
        /// The list of records (AFL) cannot be read.
        case records
    }
}

/// Reads a card, asked as a terminal would ask it.
struct CardSurveyor<Card: Transport & ~Copyable>: ~Copyable {
    /// 61xx and 6Cxx are dealt with above the recording, so that every APDU is in it.
    private var transport: LengthResolvingTransport<RecordingTransport<Card, ContinuousClock>>
    private let terminal: ReaderConfiguration
    private let transaction: Transaction
    private let unpredictableNumber: UInt32
    private let observe: (Exchange) -> Void
    /// Whether identifier and GET DATA are read too, for a copy of the card.
    private let isThorough: Bool
    private var toldCount = 0

    /// How many records are read of one application: no card has nearly as many.
    private static var maximumRecordCount: Int { 256 }

    /// Prepares the questions.
    /// - Parameters:
    ///   - card: The card, whose field is on.
    ///   - terminal: What the card is told of the terminal.
    ///   - transaction: What the card is told of the payment.
    ///   - unpredictableNumber: What the card is told as 9F37.
    ///   - isThorough: Whether identifier and GET DATA are read too, for a copy of the card.
    ///   - observe: Told of every exchange.
    init(
        _ card: consuming Card,
        terminal: ReaderConfiguration,
        transaction: Transaction,
        unpredictableNumber: UInt32,
        isThorough: Bool = false,
        observe: @escaping (Exchange) -> Void
    ) {
        transport = LengthResolvingTransport(RecordingTransport(card, clock: .continuous))
        self.terminal = terminal
        self.transaction = transaction
        self.unpredictableNumber = unpredictableNumber
        self.isThorough = isThorough
        self.observe = observe
    }

    /// Reads the card; every GET PROCESSING OPTIONS spends one of its transaction counters.
    mutating func run() throws(TransportError) -> CardSurvey {
        var survey = CardSurvey()
        if isThorough {
            // PC/SC part 3, 3.2.2.1.3; the reader itself answers.
            let identifier = try send(.getReaderData, 0)
            if identifier.status == .success { survey.uid = identifier.body }
        }
        let directory = try send(.select, 0x0400, Array("2PAY.SYS.DDF01".utf8))
        survey.hasDirectory = directory.status == .success
        var candidates: [CardSurvey.Application] = []
        if survey.hasDirectory {
            candidates = Self.entries(in: objects(directory, .select))
        } else {
            // A card without the list may still have an application that terminals know by its name.
            candidates = terminal.combinations.map {
                CardSurvey.Application(name: $0.applicationIdentifier.bytes)
            }
        }
        for candidate in candidates {
            let application = try read(candidate)
            if survey.hasDirectory || application.selection == .success {
                survey.applications.append(application)
            }
        }
        return survey
    }

    /// Takes the card back.
    consuming func unwrapped() -> Card { transport.unwrapped().unwrapped() }

    /// The directory's entries (61), whatever is around them.
    private static func entries(in objects: [TLV]) -> [CardSurvey.Application] {
        objects.flatMap { object in
            guard object.tag == .applicationTemplate else { return entries(in: object.objects) }
            guard let name = TLV.first(.applicationIdentifier, in: object.objects)?.value else {
                return []
            }
            return [CardSurvey.Application(name: name, entry: object.objects)]
        }
    }

    private mutating func read(
        _ candidate: CardSurvey.Application
    ) throws(TransportError) -> CardSurvey.Application {
        var application = candidate
        guard 5...16 ~= application.name.count else {
            application.obstacle = .name
            return application
        }
        let selected = try send(.select, 0x0400, application.name)
        application.selection = selected.status
        guard selected.status == .success else { return application }
        application.control = objects(selected, .select)
        let list = TLV.first(.processingOptionsList, in: application.control)?.value ?? []
        guard let wanted = try? DataObjectList(parsing: list) else {
            application.obstacle = .wantedData
            return application
        }
        let filled = wanted.fill { value($0, for: application) }
        let body = TLV(.commandTemplate, filled).encoded
        guard body.count <= 0xFF else {
            application.obstacle = .tooMuchData
            return application
        }
        let processed = try send(.getProcessingOptions, 0, body)
        application.processingOptions = processed.status
        guard processed.status == .success else { return application }
        application.options = objects(processed, .getProcessingOptions)
        if isThorough { application.retrieved = try retrieve() }
        guard let value = TLV.first(.applicationFileLocator, in: application.options)?.value
        else { return application }
        guard let locator = try? ApplicationFileLocator(parsing: value) else {
            application.obstacle = .records
            return application
        }
        for record in locator.records.prefix(Self.maximumRecordCount) {
            let response = try send(.readRecord, record.readRecordParameters)
            guard response.status == .success else { continue }
            application.recordCount += 1
            application.records += objects(response, .readRecord)
        }
        return application
    }

    /// Asks for what cards give to GET DATA; it costs them nothing.
    private mutating func retrieve() throws(TransportError) -> [TLV] {
        var retrieved: [TLV] = []
        for tag in [Tag.pinTryCounter, .lastOnlineATCRegister, .logFormat] {
            let response = try send(.getData, UInt16(truncatingIfNeeded: tag.rawValue))
            guard response.status == .success else { continue }
            retrieved += objects(response, .getData).filter { $0.tag == tag }
        }
        return retrieved
    }

    /// What the card is told for a tag; nil for what no terminal would know.
    private func value(_ tag: Tag, for application: CardSurvey.Application) -> [UInt8]? {
        let combination = terminal.combinations.first {
            application.name.starts(with: $0.applicationIdentifier.bytes)
        }
        switch tag {
        case .terminalTransactionQualifiers:
            // Cards give their certificates only to terminals that would check them.
            var qualifiers =
                combination?.terminalTransactionQualifiers
                ?? TerminalTransactionQualifiers(rawValue: 0x3600_4000)
            qualifiers.supportsODAForOnlineAuthorisations = true
            return qualifiers.bytes
        case .unpredictableNumber:
            return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: unpredictableNumber >> $0) }
        case .amountAuthorised: return transaction.amount.numeric
        case .amountOther:
            return transaction.amountOther?.numeric ?? [UInt8](repeating: 0, count: 6)
        case .transactionCurrencyCode: return transaction.amount.currency.bytes
        case .transactionDate: return transaction.date.bytes
        case .transactionTime: return transaction.time
        case .transactionType: return [transaction.type.rawValue]
        default:
            return combination?.kernelData[tag] ?? terminal.terminalData[tag]
                ?? Self.defaults[tag]
        }
    }

    /// What an American Express card asks for and no terminal of ours is configured with: its reader's capabilities.
    private static var defaults: [Tag: [UInt8]] {
        [Tag(rawValue: 0x9F6E): [0xD8, 0x00, 0x40, 0x00], Tag(rawValue: 0x9F6D): [0xC0]]
    }

    private mutating func send(
        _ code: CommandCode,
        _ parameters: UInt16,
        _ body: [UInt8] = []
    ) throws(TransportError) -> ResponseAPDU {
        let command = CommandAPDU(code, parameters: parameters, body: body, expectedLength: 256)
        defer {
            for exchange in transport.base.exchanges[toldCount...] { observe(exchange) }
            toldCount = transport.base.exchanges.count
        }
        let bytes = try transport.transmit(command.bytes)
        guard let response = try? ResponseAPDU(parsing: bytes) else { throw .protocolViolation }
        return response
    }

    private func objects(_ response: ResponseAPDU, _ code: CommandCode) -> [TLV] {
        response.objects(to: code)
    }
}
