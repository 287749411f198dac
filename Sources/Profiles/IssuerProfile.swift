public import EMVCrypto

/// An issuer: which account numbers are its own, and the keys it makes and checks cryptograms with.
public struct IssuerProfile: Sendable {
    /// What the issuer is called, for people.
    public var name: String
    /// The scheme its cards belong to.
    public var scheme: Scheme
    /// The first digits of its account numbers, 3 to 8, one an element.
    public var identificationNumber: [UInt8]
    /// Issuer master key for application cryptograms (IMK-AC).
    public var masterKey: IssuerMasterKey

    /// Whether an account number, one digit an element, is this issuer's.
    public func issues(_ pan: [UInt8]) -> Bool { pan.starts(with: identificationNumber) }
}

/// An issuer master key for application cryptograms with its rule of derivation; it never prints.
public final class IssuerMasterKey: Sendable {
    private let key: DoubleLengthKey

    /// Takes the key over.
    public init(_ key: consuming DoubleLengthKey) { self.key = key }
}
