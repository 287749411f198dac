import BERTLV
public import EMVData
public import TerminalKernels

/// What a cardholder takes home.
public struct Receipt: Hashable, Sendable {
    /// Who sells.
    public var merchant: String
    /// The amount, cashback included.
    public var amount: Amount
    /// The part of the amount paid out in cash; nil when none was.
    public var amountOther: Amount?
    /// What the payment is for.
    public var type: TransactionType
    /// The day.
    public var date: TransactionDate
    /// The application's label, or its preferred name.
    public var applicationLabel: String
    /// The application's name on the card.
    public var applicationIdentifier: [UInt8]
    /// The account number, masked; empty when the card did not tell it.
    public var maskedPAN: String
    /// Application Transaction Counter (9F36), two bytes.
    public var transactionCounter: [UInt8]
    /// Application Cryptogram (9F26), eight bytes.
    public var cryptogram: [UInt8]
    /// What kind of cryptogram it is.
    public var cryptogramKind: CryptogramKind
    /// Terminal Verification Results (95), five bytes.
    public var terminalVerificationResults: [UInt8]
    /// How the cardholder was verified; nil where no method applies.
    public var cvm: Outcome.CVM?
    /// Authorisation Response Code (8A): the issuer's, or Y1 and Z1 for a decision without it; nil when nobody decided.
    public var responseCode: String?
    /// How it ended.
    public var result: TapReport.Result

    /// Writes the receipt of an application that gave a cryptogram; nil for one that did not.
    init?(
        _ transaction: Transaction,
        _ attempt: Conclusion.Attempt,
        _ outcome: Outcome,
        _ result: TapReport.Result,
        _ response: AuthorizationResponse?,
        _ merchant: String
    ) {
        func value(_ tag: Tag) -> [UInt8]? {
            outcome.dataRecord?.first { $0.tag == tag }?.value ?? attempt.report.dataObjects[tag]
        }
        guard let cryptogram = value(.applicationCryptogram),
            let counter = value(.applicationTransactionCounter)
        else { return nil }
        self.merchant = merchant
        amount = transaction.amount
        amountOther = transaction.amountOther
        type = transaction.type
        date = transaction.date
        let label = value(.applicationPreferredName) ?? value(.applicationLabel) ?? attempt.label
        // Whatever the card sends, it shall not steer the printer.
        let characters = (label ?? []).map { 0x20..<0x7F ~= $0 ? $0 : UInt8(ascii: "?") }
        applicationLabel = String(decoding: characters, as: UTF8.self)
        applicationIdentifier =
            value(.dedicatedFileName) ?? attempt.applicationIdentifier.bytes
        maskedPAN = Self.accountNumber(value(.applicationPAN), value(.track2EquivalentData))
        transactionCounter = counter
        self.cryptogram = cryptogram
        cryptogramKind = CryptogramKind(rawValue: value(.cryptogramInformationData)?.first ?? 0)
        terminalVerificationResults = value(.terminalVerificationResults) ?? []
        cvm = outcome.cvm
        responseCode =
            switch result {
            case .approvedOffline: "Y1"
            case .declinedOffline: "Z1"
            default: response?.responseCode
            }
        self.result = result
    }

    /// The masked account number, from 5A or else from track 2.
    private static func accountNumber(_ pan: [UInt8]?, _ track2: [UInt8]?) -> String {
        if let pan, let number = try? PrimaryAccountNumber(parsing: pan) { return number.masked }
        if let track2, let track = try? Track2(parsing: track2) {
            return track.accountNumber.masked
        }
        return ""
    }
}
