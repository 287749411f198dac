/// All families whose cases can be run.
public enum VectorFamilies {
    static let all: [any VectorFamily.Type] = [
        AESFamily.self,
        AESKeyFamily.self,
        AirTimeFamily.self,
        ApplicationCryptogramFamily.self,
        CAKeyChecksumFamily.self,
        CardAnswerFamily.self,
        CardVerificationValueFamily.self,
        CVC3Family.self,
        DataStorageFamily.self,
        DynamicSignatureFamily.self,
        EllipticCurveFamily.self,
        EMV2000SessionKeyFamily.self,
        HostAuthorizationFamily.self,
        HostRequestFamily.self,
        ICCCertificateFamily.self,
        IssuerCertificateFamily.self,
        IssuerRequestFamily.self,
        IssuerScriptFamily.self,
        LimitedUseKeyFamily.self,
        MasterKeyFamily.self,
        PaddingFamily.self,
        PaymentKeyFamily.self,
        PINBlockFamily.self,
        RecordedTapFamily.self,
        ResponseCryptogramFamily.self,
        RetailMACFamily.self,
        RSAKeyPairFamily.self,
        RSAPrivateKeyFamily.self,
        RSARecoveryFamily.self,
        SchemeCryptogramFamily.self,
        SecureChannelFamily.self,
        SecureMessagingKeyFamily.self,
        SessionKeyFamily.self,
        SignedDynamicDataFamily.self,
        SignedStaticDataFamily.self,
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The names of the families in alphabetical order.
    public static var names: [String] { (byName.keys + [CardTest.familyName]).sorted() }

    /// The type that computes a family; nil for card tests and what is unknown.
    static func named(_ name: String) -> (any VectorFamily.Type)? { byName[name] }
}
