#if !hasFeature(Embedded)
import ISO7816
import Octets

extension DataObjectDefinition {
    /// What a value says in a few words: an amount, a date, a label, a country, a response code.
    ///
    /// Nil where the bytes say it all, or the code is not known.
    /// - Parameters:
    ///   - value: The object's value.
    ///   - currency: What the amounts around it are in; nil when it is not known.
    ///   - kernel: Whose application the object belongs to, where that decides how it is read.
    /// - Returns: The words.
    public func text(
        of value: [UInt8],
        in currency: Currency? = nil,
        kernel: KernelIdentifier? = nil
    ) -> String? {
        guard !value.isEmpty else { return nil }
        if let amount = amount(value) {
            guard let currency else { return "\(amount) of the smallest unit" }
            return Amount(minorUnits: amount, currency: currency)?.description
        }
        switch tag {
        case .transactionCurrencyCode, .applicationCurrencyCode, .transactionReferenceCurrencyCode:
            return Currency(bytes: value)?.alphabetic
        case .transactionDate, .applicationExpirationDate, .applicationEffectiveDate:
            return TransactionDate(bytes: value)?.description ?? "no date"
        case .transactionTime: return Self.time(value) ?? "no time"
        case .cvmResults: return CVMResults(bytes: value)?.text(in: kernel)
        case .issuerCountryCode, .terminalCountryCode: return Country(bytes: value)?.name
        case .issuerCountryCodeAlpha2, .issuerCountryCodeAlpha3:
            return Country(alphabetic: String(decoding: value, as: UTF8.self))?.name
        case .authorisationResponseCode: return Self.responseCode(value)
        case .kernelIdentifier, .terminalKernelIdentifier:
            return KernelIdentifier.text(of: value)
        case .dedicatedFileName, .applicationIdentifier, .terminalApplicationIdentifier:
            return ApplicationIdentifier.text(of: value)
        case .issuerScriptCommand: return Self.scriptCommand(value)
        case .serviceCode where value.count == 2:
            return ServiceCode(digits: Array(PackedDigits.nibbles(value).dropFirst()))?.description
        // Its letters are languages, which are its parts.
        case .languagePreference: return nil
        default: return code(value) ?? characters(value)
        }
    }

    /// The meaning of a code or a count of one or two bytes.
    private func code(_ value: [UInt8]) -> String? {
        switch tag {
        case .transactionType: Self.single(value).flatMap { TransactionType(rawValue: $0).name }
        case .terminalType: Self.single(value).flatMap { TerminalType(rawValue: $0).text }
        case .posEntryMode: Self.single(value).flatMap { Self.entryModes[$0] }
        case .merchantCategoryCode: Self.merchantCategory(value)
        case .issuerCodeTableIndex: Self.codeTable(value)
        case .applicationPriority: Self.single(value).map(Self.priority)
        case .shortFileIdentifier: Self.single(value).map { "SFI \($0)" }
        case .logEntry where value.count == 2: "SFI \(value[0]), \(value[1]) records"
        case .applicationTransactionCounter, .lastOnlineATCRegister, .pinTryCounter,
            .lowerConsecutiveOfflineLimit, .upperConsecutiveOfflineLimit:
            String(Self.number(value))
        default: nil
        }
    }

    /// The value as text, where the object is made of characters.
    private func characters(_ value: [UInt8]) -> String? {
        switch format {
        case .alphabetic, .alphanumeric, .alphanumericSpecial: value.quotedText
        case .binary, .compressedNumeric, .numeric, .variable: nil
        }
    }

    /// The number of the smallest unit where the object is an amount.
    private func amount(_ value: [UInt8]) -> UInt64? {
        switch tag {
        case .amountAuthorisedBinary, .amountOtherBinary, .terminalFloorLimit,
            .amountReferenceCurrency:
            return value.count == 4 ? Self.number(value) : nil
        default:
            let words = ["Amount", "Limit", "Balance", "Threshold"]
            guard format == .numeric, length == .exactly(6), value.count == 6,
                words.contains(where: name.contains)
            else { return nil }
            return PackedDigits.number(value)
        }
    }

    private static func number(_ value: [UInt8]) -> UInt64 {
        value.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func priority(_ value: UInt8) -> String {
        let confirmation = value & 0x80 != 0 ? ", only if the cardholder confirms" : ""
        let priority = value & 0x0F
        return (priority == 0 ? "no priority" : "priority \(priority)") + confirmation
    }

    private static func responseCode(_ value: [UInt8]) -> String? {
        guard let text = value.quotedText else { return nil }
        return AuthorisationResponseCode(bytes: value)?.meaning.map { "\(text) \($0)" } ?? text
    }

    /// What an issuer's command does, and to what.
    private static func scriptCommand(_ value: [UInt8]) -> String? {
        guard let command = try? CommandAPDU(parsing: value), command.code.isIssuerScript,
            let name = command.code.name
        else { return nil }
        return command.code.rawValue & 0xFF == 0xDA ? "\(name) \(command.parameters.hex)" : name
    }

    private static func single(_ value: [UInt8]) -> UInt8? {
        value.count == 1 ? value[0] : nil
    }

    /// The number two packed digits spell; nil when they are none.
    private static func decimal(_ byte: UInt8) -> Int? {
        byte >> 4 <= 9 && byte & 0x0F <= 9 ? Int(byte >> 4) * 10 + Int(byte & 0x0F) : nil
    }

    /// The part of ISO 8859 that the preferred name is written in (EMV Book 1, Annex C).
    private static func codeTable(_ value: [UInt8]) -> String? {
        single(value).flatMap(decimal).flatMap { 1...10 ~= $0 ? "ISO 8859-\($0)" : nil }
    }

    /// The range of ISO 18245 a merchant category code lies in.
    private static func merchantCategory(_ value: [UInt8]) -> String? {
        guard value.count == 2, let code = PackedDigits.number(value) else { return nil }
        return merchantCategories.last { $0.first <= code }?.name
    }

    private static let merchantCategories: [(first: UInt64, name: String)] = [
        (1, "agricultural services"), (1500, "contracted services"), (3000, "airlines"),
        (3300, "car rental"), (3500, "lodging"), (4000, "transportation"),
        (4800, "utilities and telecommunication"), (5000, "retail outlets"),
        (5600, "clothing stores"), (5700, "miscellaneous stores"), (7300, "business services"),
        (8000, "professional services and organisations"), (9000, "government services"),
    ]

    /// ISO 8583's ways of getting the card's data, as far as EMV terminals have them.
    private static let entryModes: [UInt8: String] = [
        0x00: "unknown", 0x01: "typed in", 0x02: "magnetic stripe", 0x03: "bar code",
        0x04: "optical character recognition", 0x05: "chip", 0x07: "contactless chip",
        0x10: "credentials on file", 0x80: "magnetic stripe after the chip failed",
        0x90: "magnetic stripe, read whole", 0x91: "contactless magnetic stripe",
        0x95: "chip, checks incomplete", 0x99: "as in the original transaction",
    ]
}

extension TransactionType {
    /// The type in words; nil for one EMV does not name.
    public var name: String? {
        switch self {
        case .purchase: "purchase"
        case .cash: "cash"
        case .cashback: "purchase with cashback"
        case .manualCash: "manual cash"
        case .refund: "refund"
        case .inquiry: "balance inquiry"
        default: nil
        }
    }
}

extension TerminalType {
    /// The type in words; nil for a reserved value.
    var text: String? {
        guard let `operator`, isAttended || isUnattended else { return nil }
        let owner: String =
            switch `operator` {
            case .financialInstitution: "bank"
            case .merchant: "merchant"
            case .cardholder: "cardholder"
            }
        let presence = isAttended ? "attended" : "unattended"
        let reach =
            isOnlineOnly
            ? "online only" : isOfflineOnly ? "offline only" : "offline with online capability"
        return "\(owner), \(presence), \(reach)"
    }
}

#endif
