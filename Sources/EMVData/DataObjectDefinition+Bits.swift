#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// What the bits of a value mean, each with whether it holds; empty where the object is not made of bits.
    public func explanation(of value: [UInt8]) -> [(meaning: BitMeaning, isSet: Bool)] {
        switch tag {
        case .applicationInterchangeProfile: explain(value, ApplicationInterchangeProfile.self)
        case .applicationUsageControl: explain(value, ApplicationUsageControl.self)
        case .cryptogramInformationData: explain(value, CryptogramInformationData.self)
        case .transactionStatusInformation: explain(value, TransactionStatusInformation.self)
        case .terminalCapabilities: explain(value, TerminalCapabilities.self)
        case .additionalTerminalCapabilities: explain(value, AdditionalTerminalCapabilities.self)
        case .terminalRiskManagementData: explain(value, TerminalRiskManagementData.self)
        case .posCardholderInteractionInformation:
            explain(value, POSCardholderInteractionInformation.self)
        case .terminalVerificationResults,
            // The action codes have the bits of the results they are compared with (EMV Book 3, 10.7).
            .issuerActionCodeDefault, .issuerActionCodeDenial, .issuerActionCodeOnline,
            .terminalActionCodeDefault, .terminalActionCodeDenial, .terminalActionCodeOnline:
            explain(value, TerminalVerificationResults.self)
        case .applicationCapabilitiesInformation where kernel == .kernel2:
            explain(value, ApplicationCapabilitiesInformation.self)
        case .terminalTransactionQualifiers where kernel == .kernel3:
            explain(value, TerminalTransactionQualifiers.self)
        case .cardTransactionQualifiers: explain(value, CardTransactionQualifiers.self)
        case .cardAdditionalProcesses where kernel == .kernel3:
            explain(value, CardAdditionalProcesses.self)
        case .formFactorIndicator where kernel == .kernel3:
            explain(value, FormFactorIndicator.self)
        default: []
        }
    }

    private func explain<Field: BitField>(
        _ value: [UInt8],
        _: Field.Type
    ) -> [(meaning: BitMeaning, isSet: Bool)] {
        Field(bytes: value)?.explanation ?? []
    }
}

#endif
