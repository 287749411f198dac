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

    /// Collects the parts.
    public init(
        name: String,
        scheme: Scheme,
        identificationNumber: [UInt8],
        masterKey: IssuerMasterKey
    ) {
        self.name = name
        self.scheme = scheme
        self.identificationNumber = identificationNumber
        self.masterKey = masterKey
    }

    /// Whether an account number, one digit an element, is this issuer's.
    public func issues(_ pan: [UInt8]) -> Bool { pan.starts(with: identificationNumber) }
}

/// An issuer master key for application cryptograms with its rule of derivation; it never prints.
public final class IssuerMasterKey: Sendable {
    private let key: DoubleLengthKey
    /// How the keys of cards are derived from it.
    public let derivation: MasterKeyDerivation

    /// Takes the key over.
    public init(_ key: consuming DoubleLengthKey, derivation: MasterKeyDerivation) {
        self.key = key
        self.derivation = derivation
    }

    /// Derives a card's key for application cryptograms.
    /// - Parameters:
    ///   - pan: The PAN, one digit an element.
    ///   - sequenceNumber: PAN Sequence Number (5F34) as the card carries it, 0x12 for 12; zero when absent.
    /// - Returns: The card key.
    public func cardKey(pan: [UInt8], sequenceNumber: UInt8) -> DoubleLengthKey {
        var cipher = TripleDES(key: key)
        return cipher.cardKey(pan: pan, sequenceNumber: sequenceNumber, derivation: derivation)
    }
}
