public import EMVCrypto

/// What a kernel needs from outside while it runs: chance, keys and lists.
///
/// One value behind a generic parameter, so that every run can be replayed and stepped.
public protocol KernelEnvironment {
    /// Draws a fresh Unpredictable Number (9F37).
    mutating func unpredictableNumber() -> UInt32
    /// Finds a certification authority's key.
    /// - Parameters:
    ///   - rid: Registered application provider identifier, 5 bytes.
    ///   - index: Certification Authority Public Key Index (8F).
    /// - Returns: The key; nil when the terminal does not have it.
    func certificationAuthorityKey(rid: [UInt8], index: UInt8) -> CAPublicKey?
    /// Reports whether an issuer certificate is on the revocation list.
    func isRevoked(rid: [UInt8], index: UInt8, serialNumber: [UInt8]) -> Bool
    /// Reports whether an account is on the terminal's exception file.
    /// - Parameters:
    ///   - pan: The digits of the account number.
    ///   - sequenceNumber: PAN Sequence Number (5F34); nil when the card has none.
    /// - Returns: True when the account must not be accepted.
    func isOnExceptionFile(pan: [UInt8], sequenceNumber: UInt8?) -> Bool
    /// Whether offline data authentication counts as successful unseen.
    ///
    /// Only for a recorded card whose certificates were replaced to keep its secrets: nothing could verify.
    var waivesOfflineDataAuthentication: Bool { get }
}

extension KernelEnvironment {
    /// No: every card has to prove that it is genuine.
    public var waivesOfflineDataAuthentication: Bool { false }
}
