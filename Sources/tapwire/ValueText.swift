import BERTLV
import EMVData
import Octets

/// What a whole value says in words.
enum ValueText {
    /// Puts a value into words.
    /// - Parameters:
    ///   - value: The value.
    ///   - definition: What it is; nil when it is not known.
    ///   - currency: What amounts are in; nil when it is not known.
    /// - Returns: An amount, a date, a country, a label; nil where the bytes say it all.
    static func text(
        _ value: [UInt8],
        _ definition: DataObjectDefinition?,
        _ currency: Currency?
    ) -> String? {
        guard let definition, !value.isEmpty else { return nil }
        if let amount = amount(value, definition) {
            guard let currency else { return "\(amount) of the smallest unit" }
            return Amount(minorUnits: amount, currency: currency)?.description
        }
        switch definition.tag {
        case .transactionCurrencyCode, .applicationCurrencyCode, .transactionReferenceCurrencyCode:
            return Currency(bytes: value)?.alphabetic
        case .issuerCountryCode, .terminalCountryCode:
            return Country(bytes: value)?.name
        case .transactionDate, .applicationExpirationDate, .applicationEffectiveDate:
            return TransactionDate(bytes: value)?.description ?? "no date"
        case .transactionTime: return time(value)
        case .transactionType: return TransactionType(rawValue: value[0]).text
        case .terminalType: return TerminalType(rawValue: value[0]).text
        case .posEntryMode: return entryMode(value[0])
        case .authorisationResponseCode: return responseCode(value)
        case .applicationPriority:
            let confirmation = value[0] & 0x80 != 0 ? ", only if the cardholder confirms" : ""
            let priority = value[0] & 0x0F
            return (priority == 0 ? "no priority" : "priority \(priority)") + confirmation
        case .shortFileIdentifier: return "SFI \(value[0])"
        case .logEntry where value.count == 2: return "SFI \(value[0]), \(value[1]) records"
        case .kernelIdentifier: return kernel(value)
        case .issuerCodeTableIndex: return "ISO 8859-\(value[0])"
        case .serviceCode where value.count == 2:
            return ServiceCode(digits: Array(PackedDigits.nibbles(value).dropFirst()))?.description
        case .applicationTransactionCounter, .lastOnlineATCRegister, .pinTryCounter,
            .lowerConsecutiveOfflineLimit, .upperConsecutiveOfflineLimit:
            return String(number(value))
        case .cvmResults: return CVMResults(bytes: value)?.text
        case .dedicatedFileName, .applicationIdentifier, .terminalApplicationIdentifier:
            return name(value)
        default: break
        }
        switch definition.format {
        case .alphabetic, .alphanumeric, .alphanumericSpecial: return printable(value)
        case .binary, .compressedNumeric, .numeric, .variable: return nil
        }
    }

    /// The characters of a value in quotes; nil when one of them cannot be shown.
    static func printable(_ value: [UInt8]) -> String? {
        guard value.allSatisfy({ 0x20..<0x7F ~= $0 }) else { return nil }
        return "“\(String(decoding: value, as: UTF8.self))”"
    }

    /// Who an application's name belongs to, or the name itself where it is text.
    static func name(_ value: [UInt8]) -> String? {
        if value.starts(with: "1PAY".utf8) || value.starts(with: "2PAY".utf8) {
            return printable(value)
        }
        return ApplicationIdentifier(bytes: value)?.providerName
    }

    /// The number of the smallest unit where the object is an amount.
    private static func amount(_ value: [UInt8], _ definition: DataObjectDefinition) -> UInt64? {
        switch definition.tag {
        case .amountAuthorisedBinary, .amountOtherBinary, .terminalFloorLimit,
            .amountReferenceCurrency:
            return value.count == 4 ? number(value) : nil
        default:
            let words = ["Amount", "Limit", "Balance", "Threshold"]
            guard definition.format == .numeric, definition.length == .exactly(6),
                value.count == 6, words.contains(where: definition.name.contains)
            else { return nil }
            return PackedDigits.number(value)
        }
    }

    private static func number(_ value: [UInt8]) -> UInt64 {
        value.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func time(_ value: [UInt8]) -> String? {
        guard value.count == 3, DataFormat.numeric.fits(value) else { return nil }
        return value.map { [$0].hex }.joined(separator: ":")
    }

    private static func kernel(_ value: [UInt8]) -> String? {
        switch value[0] {
        case 0: "any kernel"
        case 1...0x3F: "kernel \(value[0])"
        case 0x80...: "a domestic kernel"
        default: nil
        }
    }

    // ISO 8583's field 22, first two digits.
    private static func entryMode(_ value: UInt8) -> String? {
        switch value {
        case 0x00: "unknown"
        case 0x01: "typed in"
        case 0x02: "magnetic stripe"
        case 0x05: "chip"
        case 0x07: "contactless chip"
        case 0x80: "magnetic stripe after the chip failed"
        case 0x90: "magnetic stripe, read whole"
        case 0x91: "contactless magnetic stripe"
        case 0x95: "chip, checks incomplete"
        default: nil
        }
    }

    // EMV Book 4, Annex A6; what an issuer answers are ISO 8583's codes.
    private static func responseCode(_ value: [UInt8]) -> String? {
        guard let code = printable(value) else { return nil }
        let meaning: String? =
            switch String(decoding: value, as: UTF8.self) {
            case "00", "10", "11": "approved"
            case "01", "02": "referral"
            case "Y1": "approved offline"
            case "Z1": "declined offline"
            case "Y2": "approved offline after a referral"
            case "Z2": "declined offline after a referral"
            case "Y3": "online not possible, approved offline"
            case "Z3": "online not possible, declined offline"
            default: nil
            }
        return meaning.map { "\(code) \($0)" } ?? code
    }
}

extension TransactionType {
    /// What the transaction is, in words; nil for a type that is not one of EMV's.
    var text: String? {
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
    /// Who operates the terminal and how it goes online, in words.
    var text: String? {
        guard let owner = `operator` else { return nil }
        let who: String =
            switch owner {
            case .financialInstitution: "bank"
            case .merchant: "merchant"
            case .cardholder: "cardholder"
            }
        let how =
            isOnlineOnly
            ? "online only" : isOfflineOnly ? "offline only" : "offline with online capability"
        guard isAttended || isUnattended else { return nil }
        return "\(who), \(isAttended ? "attended" : "unattended"), \(how)"
    }
}
