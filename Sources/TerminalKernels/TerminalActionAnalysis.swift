import EMVData

/// Which cryptogram the terminal asks for, by comparing what it found with action codes.
///
/// EMV Book 3, 10.7; EMV Book C-2, 7.8.
struct TerminalActionAnalysis {
    /// Action codes of the issuer or of the terminal, five bytes each, bit for bit as in the TVR.
    struct ActionCodes {
        /// What leads to a decline without asking the issuer.
        var denial: UInt64
        /// What leads to asking the issuer.
        var online: UInt64
        /// What leads to a decline when the issuer cannot be asked.
        var `default`: UInt64
    }

    /// The card's (9F0E, 9F0F, 9F0D).
    var issuer: ActionCodes
    /// The terminal's (DF8121, DF8122, DF8120).
    var terminal: ActionCodes
    /// Terminal Type (9F35).
    var terminalType: TerminalType

    /// Chooses the cryptogram.
    func cryptogram(for results: TerminalVerificationResults) -> CryptogramKind {
        func matches(_ codes: KeyPath<ActionCodes, UInt64>) -> Bool {
            (issuer[keyPath: codes] | terminal[keyPath: codes]) & results.rawValue != 0
        }
        if matches(\.denial) { return .aac }
        if terminalType.isOnlineOnly { return .arqc }
        if terminalType.isOfflineOnly { return matches(\.default) ? .aac : .tc }
        return matches(\.online) ? .arqc : .tc
    }
}
