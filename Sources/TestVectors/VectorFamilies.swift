/// All families whose cases can be run.
public enum VectorFamilies {
    static let all: [any VectorFamily.Type] = [
        AESFamily.self,
        AESKeyFamily.self,
        AirTimeFamily.self,
        AnswerToResetFamily.self,
        APDUFamily.self,
        ApplicationCryptogramFamily.self,
        BERTLVFamily.self,
        BitFieldFamily.self,
        CAKeyChecksumFamily.self,
        CardAnswerFamily.self,
        CardExchangeFamily.self,
        CardVerificationValueFamily.self,
        CountryFamily.self,
        CurrencyFamily.self,
        CVC3Family.self,
        CVMListFamily.self,
        DataObjectListFamily.self,
        DataStorageFamily.self,
        DynamicSignatureFamily.self,
        EllipticCurveFamily.self,
        EMV2000SessionKeyFamily.self,
        FileControlInformationFamily.self,
        FileLocatorFamily.self,
        FilledDataObjectListFamily.self,
        HostAuthorizationFamily.self,
        HostRequestFamily.self,
        ICCCertificateFamily.self,
        IssuerCertificateFamily.self,
        IssuerRequestFamily.self,
        IssuerScriptFamily.self,
        LanguageFamily.self,
        LimitedUseKeyFamily.self,
        MasterKeyFamily.self,
        ObjectMeaningFamily.self,
        PaddingFamily.self,
        PaymentKeyFamily.self,
        PINBlockFamily.self,
        ProcessingRestrictionFamily.self,
        RecordedCardKeyFamily.self,
        RecordedTapFamily.self,
        ResponseCryptogramFamily.self,
        ResponseLengthFamily.self,
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
        TerminalRiskFamily.self,
        TrackFamily.self,
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// The names of the families in alphabetical order.
    public static var names: [String] { (byName.keys + [CardTest.familyName]).sorted() }

    /// The type that computes a family; nil for card tests and what is unknown.
    static func named(_ name: String) -> (any VectorFamily.Type)? { byName[name] }
}
