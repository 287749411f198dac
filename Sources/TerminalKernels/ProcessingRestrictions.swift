package import EMVData

/// Whether a card may be used for a transaction at all (EMV Book 3, 10.4; EMV Book C-2, 7.7).
package struct ProcessingRestrictions {
    /// Terminal Country Code (9F1A).
    var terminalCountry: [UInt8]
    /// Whether the terminal is an ATM.
    var isATM: Bool
    /// Transaction Type (9C).
    var type: TransactionType
    /// Whether there is an amount paid out beside the purchase (9F03).
    var hasCashback: Bool
    /// Transaction Date (9A).
    var date: TransactionDate
    /// The terminal's Application Version Number (9F09).
    var applicationVersion: [UInt8]

    /// Collects what the terminal knows.
    package init(
        terminalCountry: [UInt8],
        isATM: Bool,
        type: TransactionType,
        hasCashback: Bool,
        date: TransactionDate,
        applicationVersion: [UInt8]
    ) {
        self.terminalCountry = terminalCountry
        self.isATM = isATM
        self.type = type
        self.hasCashback = hasCashback
        self.date = date
        self.applicationVersion = applicationVersion
    }

    /// What the card says about its use; nil where it has no such object.
    package struct CardData {
        var applicationVersion: [UInt8]?
        var effectiveDate: TransactionDate?
        var expirationDate: TransactionDate?
        var usage: ApplicationUsageControl?
        var issuerCountry: [UInt8]?

        /// Collects the objects 9F08, 5F25, 5F24, 9F07 and 5F28.
        package init(
            applicationVersion: [UInt8]?,
            effectiveDate: TransactionDate?,
            expirationDate: TransactionDate?,
            usage: ApplicationUsageControl?,
            issuerCountry: [UInt8]?
        ) {
            self.applicationVersion = applicationVersion
            self.effectiveDate = effectiveDate
            self.expirationDate = expirationDate
            self.usage = usage
            self.issuerCountry = issuerCountry
        }
    }

    /// Sets the bits that version, dates and usage control call for.
    package func apply(_ card: CardData, to results: inout TerminalVerificationResults) {
        if let version = card.applicationVersion, version != applicationVersion {
            results.applicationVersionsDiffer = true
        }
        if let effective = card.effectiveDate, date < effective {
            results.applicationNotYetEffective = true
        }
        if let expiration = card.expirationDate, date > expiration {
            results.expiredApplication = true
        }
        if let usage = card.usage, !allows(usage, issuerCountry: card.issuerCountry) {
            results.requestedServiceNotAllowed = true
        }
    }

    /// Whether the usage control allows the transaction.
    /// - Parameters:
    ///   - usage: Application Usage Control (9F07).
    ///   - issuerCountry: Issuer Country Code (5F28); without it only the kind of terminal counts.
    /// - Returns: False when the requested service is not allowed.
    func allows(_ usage: ApplicationUsageControl, issuerCountry: [UInt8]?) -> Bool {
        guard isATM ? usage.validAtATMs : usage.validAtTerminalsOtherThanATMs else { return false }
        guard let issuerCountry else { return true }
        let isDomestic = issuerCountry == terminalCountry
        if type.isCash {
            guard Self.allowsCash(usage, isDomestic) else { return false }
        }
        if type == .purchase || type == .cashback {
            let isAllowed =
                isDomestic
                ? usage.validForDomesticGoods || usage.validForDomesticServices
                : usage.validForInternationalGoods || usage.validForInternationalServices
            guard isAllowed else { return false }
        }
        return !hasCashback || Self.allowsCashback(usage, isDomestic)
    }

    /// Whether cash may be paid out.
    static func allowsCash(_ usage: ApplicationUsageControl, _ isDomestic: Bool) -> Bool {
        isDomestic ? usage.validForDomesticCash : usage.validForInternationalCash
    }

    /// Whether cash may be paid out beside a purchase.
    static func allowsCashback(_ usage: ApplicationUsageControl, _ isDomestic: Bool) -> Bool {
        isDomestic ? usage.allowsDomesticCashback : usage.allowsInternationalCashback
    }
}

extension TransactionType {
    /// Whether cash is paid out by a machine or an attendant (01, 17).
    var isCash: Bool { self == .cash || self == .manualCash }
}
