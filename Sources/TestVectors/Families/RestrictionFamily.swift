import BERTLV
import EMVData
import ISO7816
import Profiles
import TerminalKernels
import Transport

/// `processing-restrictions`: whether a card may be used at all (EMV Book 3, 10.4).
struct ProcessingRestrictionFamily: VectorFamily {
    var terminal: [DataObject]
    var card: [DataObject]
    var type: TransactionType
    var date: [UInt8]

    static let name = "processing-restrictions"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        terminal = try input.dataObjects("terminal")
        card = try input.dataObjects("card")
        type = TransactionType(rawValue: try input.number("transactionType"))
        date = try input.hex("date")
    }

    func output() throws -> VectorOutput {
        let date = try TransactionDate(bytes: date).orRefused(as: "invalidDate")
        let restrictions = ProcessingRestrictions(
            terminalCountry: terminal.value(.terminalCountryCode) ?? [],
            isATM: Self.isATM(terminal),
            type: type,
            hasCashback: false,
            date: date,
            applicationVersion: terminal.value(.terminalApplicationVersionNumber) ?? []
        )
        var results = TerminalVerificationResults()
        restrictions.apply(
            ProcessingRestrictions.CardData(
                applicationVersion: card.value(.applicationVersionNumber),
                effectiveDate: card.value(.applicationEffectiveDate)
                    .flatMap(TransactionDate.init(bytes:)),
                expirationDate: card.value(.applicationExpirationDate)
                    .flatMap(TransactionDate.init(bytes:)),
                usage: card.value(.applicationUsageControl)
                    .flatMap(ApplicationUsageControl.init(bytes:)),
                issuerCountry: card.value(.issuerCountryCode)
            ),
            to: &results
        )
        return ["tvr": .bytes(results.bytes)]
    }

    private static func isATM(_ terminal: [DataObject]) -> Bool {
        guard let type = terminal.value(.terminalType)?.first,
            let capabilities = terminal.value(.additionalTerminalCapabilities)
                .flatMap(AdditionalTerminalCapabilities.init(bytes:))
        else { return false }
        return TerminalType(rawValue: type).isATM(capabilities)
    }
}

/// `terminal-risk`: floor limit and velocity (EMV Book 3, 10.6).
struct TerminalRiskFamily: VectorFamily {
    var terminal: [DataObject]
    var transaction: [DataObject]
    var card: [DataObject]
    /// What the terminal has kept of earlier transactions.
    var log: [(pan: [UInt8], amount: UInt64)]
    var exchanges: [Exchange]

    static let name = "terminal-risk"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        terminal = try input.dataObjects("terminal")
        transaction = try input.dataObjects("transaction")
        card = try input.dataObjects("card")
        log = []
        for element in try input.elements("log") {
            var entry = try JSONObject(element.value, path: element.path)
            let amount = try entry.integer("amount", in: 0...UInt64(UInt32.max))
            log.append((try entry.hex("pan"), amount))
            try entry.finish()
        }
        exchanges = try input.exchanges("exchanges")
    }

    func output() throws -> VectorOutput {
        let number = card.value(.applicationPAN)
        let digits = number.map(Self.withoutFill)
        let earlier = log.filter { Self.withoutFill($0.pan) == digits }.map(\.amount)
        let management = TerminalRiskManagement(
            floorLimit: terminal.value(.terminalFloorLimit).map { UInt32(Self.number($0)) },
            earlierAmount: earlier.last ?? 0
        )
        var results = TerminalVerificationResults()
        management.apply(
            amount: Self.number(transaction.value(.amountAuthorisedBinary) ?? []),
            velocity: try velocity(),
            to: &results
        )
        var performed = TransactionStatusInformation()
        performed.terminalRiskManagementPerformed = true
        return ["tvr": .bytes(results.bytes), "tsi": .bytes(performed.bytes)]
    }

    private func velocity() throws -> TerminalRiskManagement.Velocity? {
        guard let lower = card.value(.lowerConsecutiveOfflineLimit)?.first,
            let upper = card.value(.upperConsecutiveOfflineLimit)?.first
        else { return nil }
        var script = ScriptedCard(exchanges)
        func counter(_ tag: Tag) throws -> UInt16? {
            let command = CommandAPDU(
                .getData,
                parameters: UInt16(truncatingIfNeeded: tag.rawValue),
                expectedLength: 256
            )
            let response = try ResponseAPDU(parsing: script.transmit(command.bytes))
            guard response.status == .success else { return nil }
            return UInt16(truncatingIfNeeded: Self.number(try TLV.parseOne(response.body).value))
        }
        return TerminalRiskManagement.Velocity(
            lowerLimit: lower,
            upperLimit: upper,
            counter: try counter(.applicationTransactionCounter),
            lastOnlineCounter: try counter(.lastOnlineATCRegister)
        )
    }

    /// The number's digits: a log has ten bytes, a card as many as it needs.
    private static func withoutFill(_ pan: [UInt8]) -> [UInt8] {
        Array(pan.prefix { $0 != 0xFF })
    }

    private static func number(_ bytes: [UInt8]) -> UInt64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension [DataObject] {
    /// The value of the object with a tag.
    func value(_ tag: Tag) -> [UInt8]? { first { $0.tag == tag }?.value }
}

extension JSONObject {
    /// Commands with their recorded responses.
    mutating func exchanges(_ name: String) throws(ProfilesError) -> [Exchange] {
        var exchanges: [Exchange] = []
        for element in try elements(name) {
            var pair = try JSONObject(element.value, path: element.path)
            exchanges.append(Exchange(try pair.message("command"), try pair.message("response")))
            try pair.finish()
        }
        return exchanges
    }
}
