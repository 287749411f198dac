#if !hasFeature(Embedded)
import BERTLV

extension DataObjectDefinition {
    /// What the bits of a value mean, each with whether it holds; empty where the object is not made of bits.
    /// - Parameters:
    ///   - value: The object's value.
    ///   - kernel: Whose application the object belongs to, where that decides how it is read.
    /// - Returns: The meanings in the order of the book's table.
    public func explanation(
        of value: [UInt8],
        in kernel: KernelIdentifier? = nil
    ) -> [(meaning: BitMeaning, isSet: Bool)] {
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
            kernel == .kernel8
                ? explain(value, Kernel8VerificationResults.self)
                : explain(value, TerminalVerificationResults.self)
        case .issuerApplicationData:
            IssuerApplicationData(bytes: value, of: kernel)?.explanation ?? []
        case .issuerAuthenticationData: statusUpdate(value)
        default: explainByKernel(value)
        }
    }

    /// The objects whose tag means something else to another kernel.
    private func explainByKernel(_ value: [UInt8]) -> [(meaning: BitMeaning, isSet: Bool)] {
        switch (kernel, tag) {
        case (.kernel2, .applicationCapabilitiesInformation):
            explain(value, ApplicationCapabilitiesInformation.self)
        case (.kernel2, .mobileSupportIndicator): explain(value, MobileSupportIndicator.self)
        case (.kernel3, .terminalTransactionQualifiers):
            explain(value, TerminalTransactionQualifiers.self)
        case (.kernel3, .cardTransactionQualifiers):
            explain(value, CardTransactionQualifiers.self)
        case (.kernel3, .cardAdditionalProcesses): explain(value, CardAdditionalProcesses.self)
        case (.kernel3, .formFactorIndicator): explain(value, FormFactorIndicator.self)
        case (.kernel3, .cardAuthenticationRelatedData) where value.count >= 7:
            moved(explain(Array(value[5..<7]), CardTransactionQualifiers.self), by: 5)
        case (.kernel4, .enhancedContactlessReaderCapabilities):
            explain(value, EnhancedContactlessReaderCapabilities.self)
        case (.kernel4, .contactlessReaderCapabilities):
            explain(value, ContactlessReaderCapabilities.self)
        case (.kernel8, .cardTVR), (.kernel8, .reservedTVRMask),
            (.kernel8, .kernel8TerminalActionCodeDenial),
            (.kernel8, .kernel8TerminalActionCodeOnline):
            explain(value, Kernel8VerificationResults.self)
        case (.kernel4, .mobileCVMResults): explain(value, MobileCVMResults.self)
        default: []
        }
    }

    private func statusUpdate(_ value: [UInt8]) -> [(meaning: BitMeaning, isSet: Bool)] {
        let update = IssuerAuthenticationData(bytes: value)?.cardStatusUpdate
        return moved(update?.explanation ?? [], by: 4)
    }

    private func explain<Field: BitField>(
        _ value: [UInt8],
        _: Field.Type
    ) -> [(meaning: BitMeaning, isSet: Bool)] {
        Field(bytes: value)?.explanation ?? []
    }

    private func moved(
        _ explanation: [(meaning: BitMeaning, isSet: Bool)],
        by count: Int
    ) -> [(meaning: BitMeaning, isSet: Bool)] {
        explanation.map { ($0.meaning.moved(by: count), $0.isSet) }
    }
}

#endif
