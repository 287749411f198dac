import EMVData
import ISO7816

/// What a Visa qVSDC application needs beside what every application has (EMV Book C-3).
public struct QVSDCApplication: Sendable {
    /// How the cryptogram is made, by Visa's cryptogram version number.
    public enum CryptogramVersion: UInt8, Sendable {
        /// CVN 10 (0A): card key, input ends with the CVR, zero padding.
        case cvn10 = 0x0A
        /// CVN 17 (11): card key, amount, unpredictable number, ATC and one byte of the CVR, zero padding.
        case cvn17 = 0x11
        /// CVN 18 (12): common session key, input ends with the whole IAD, marked padding.
        case cvn18 = 0x12
        /// CVN 43: limited-use key, input ends with the whole IAD, which says what the key was derived for.
        case cvn43 = 0x43
    }

    /// How the cryptogram is made.
    public var cryptogramVersion: CryptogramVersion
    /// Derivation key index in the Issuer Application Data (9F10).
    public var derivationKeyIndex: UInt8
    /// The fields of the PDOL values that start the cryptogram's input, in its order.
    public var cryptogramFields: [CardApplication.Field]
    /// The fields of the PDOL values the application decides by.
    public var terminalFields: TerminalFields
    /// Objects of every response, encoded: track 2 (57), PAN sequence number (5F34) and what else there is.
    public var responseObjects: [UInt8]
    /// Application File Locator (94) of a signed response; empty when the application cannot sign.
    public var fileLocator: [UInt8]
    /// Card Transaction Qualifiers (9F6C) before the transaction's own bits are set.
    public var transactionQualifiers: UInt16
    /// Whether the cardholder may be verified by online PIN.
    public var acceptsOnlinePIN: Bool
    /// Whether the cardholder may be verified by signature.
    public var acceptsSignature: Bool

    /// Collects the parts.
    public init(
        cryptogramVersion: CryptogramVersion,
        derivationKeyIndex: UInt8,
        cryptogramFields: [CardApplication.Field],
        terminalFields: TerminalFields,
        responseObjects: [UInt8],
        fileLocator: [UInt8],
        transactionQualifiers: UInt16,
        acceptsOnlinePIN: Bool,
        acceptsSignature: Bool
    ) {
        self.cryptogramVersion = cryptogramVersion
        self.derivationKeyIndex = derivationKeyIndex
        self.cryptogramFields = cryptogramFields
        self.terminalFields = terminalFields
        self.responseObjects = responseObjects
        self.fileLocator = fileLocator
        self.transactionQualifiers = transactionQualifiers
        self.acceptsOnlinePIN = acceptsOnlinePIN
        self.acceptsSignature = acceptsSignature
    }
}

/// What a qVSDC application makes of a terminal's request, before any key is spent.
enum QVSDCDecision {
    /// No cryptogram: the status word says why.
    case refuse(StatusWord)
    /// A cryptogram of a kind, and what the reader is asked for; `isSigned` when fast DDA goes with it.
    case answer(CryptogramKind, CardTransactionQualifiers, isSigned: Bool)
}

extension CardApplication {
    /// Decides as a Visa card does: CVM first, then risk (Visa Contactless Payment Specification, card rules).
    ///
    /// - Parameters:
    ///   - application: The Visa part of this application.
    ///   - values: The PDOL values.
    ///   - isAuthenticated: Whether the device has authenticated its user for this payment.
    ///   - canSign: Whether the card has a key for fast DDA.
    ///   - amountLimit: What the payment may come to beside the application's own limits.
    /// - Returns: A refusal, or the kind of cryptogram and what the reader is asked for.
    func decide(
        _ application: QVSDCApplication,
        _ values: borrowing TerminalValues,
        isAuthenticated: Bool,
        canSign: Bool,
        amountLimit: UInt64?
    ) -> QVSDCDecision {
        guard let terminal = values.transactionQualifiers, terminal.supportsEMVMode else {
            return .refuse(.conditionsNotSatisfied)
        }
        if needsUser(whenRequired: terminal.requiresCVM), !isAuthenticated {
            return .refuse(.commandNotAllowed)
        }

        var qualifiers = CardTransactionQualifiers(rawValue: application.transactionQualifiers)
        var mayApprove = !limits.forbids(values)
        if let amountLimit, let amount = values.amountMinorUnits, amount > amountLimit {
            mayApprove = false
        }
        var mustGoOnline = terminal.requiresOnlineCryptogram
        if consumerDeviceCVM != .none && isAuthenticated {
            qualifiers.consumerDeviceCVMPerformed = true
        } else if terminal.requiresCVM {
            if application.acceptsOnlinePIN, terminal.supportsOnlinePIN, !terminal.isOfflineOnly {
                qualifiers.requiresOnlinePIN = true
                mustGoOnline = true
            } else if application.acceptsSignature, terminal.supportsSignature {
                qualifiers.requiresSignature = true
            } else {
                mayApprove = false
            }
        }

        guard mayApprove else { return .answer(.aac, qualifiers, isSigned: false) }
        if !mustGoOnline, canSign, limits.coversOffline(values) {
            return .answer(.tc, qualifiers, isSigned: true)
        }
        guard !terminal.isOfflineOnly else { return .answer(.aac, qualifiers, isSigned: false) }
        let isSigned = canSign && terminal.supportsODAForOnlineAuthorisations
        return .answer(.arqc, qualifiers, isSigned: isSigned)
    }

    /// Whether the user must have been authenticated on the device.
    func needsUser(whenRequired isRequired: Bool) -> Bool {
        switch consumerDeviceCVM {
        case .none: false
        case .onRequest: isRequired
        case .always: true
        }
    }
}
