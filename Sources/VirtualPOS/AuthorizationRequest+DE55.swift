public import BERTLV
public import EMVData
import TerminalKernels

extension AuthorizationRequest {
    /// The data objects of an authorisation request, in the order sent (DE 55 of ISO 8583, and what stands beside it).
    ///
    /// 5A and 57 would travel in fields of their own; here everything is in one place.
    public static var chipDataTags: [Tag] {
        [
            .applicationPAN, .track2EquivalentData, .panSequenceNumber, .applicationExpirationDate,
            .applicationCryptogram, .cryptogramInformationData, .issuerApplicationData,
            .unpredictableNumber, .applicationTransactionCounter, .terminalVerificationResults,
            .transactionDate, .transactionType, .amountAuthorised, .transactionCurrencyCode,
            .applicationInterchangeProfile, .terminalCountryCode, .cvmResults,
            .terminalCapabilities, .terminalType, .interfaceDeviceSerialNumber, .dedicatedFileName,
            .terminalApplicationVersionNumber, .transactionSequenceCounter, .amountOther,
            .transactionCategoryCode, .cardTransactionQualifiers, .formFactorIndicator,
            .customerExclusiveData, .paymentAccountReference,
        ]
    }

    /// Asks for a decision on what a kernel found out.
    init(_ attempt: Conclusion.Attempt, _ outcome: Outcome) {
        let record = outcome.dataRecord ?? []
        // To kernel 2 the same tag is the merchant's own data, which are nothing to the issuer.
        let hasCustomerData = attempt.kernelIdentifier == .kernel3
        let tags = Self.chipDataTags.filter { $0 != .customerExclusiveData || hasCustomerData }
        self.init(
            chipData: tags.compactMap { tag in
                record.first { $0.tag == tag }
                    ?? attempt.report.dataObjects[tag].map { TLV(tag, $0) }
            },
            hasOnlinePIN: outcome.cvm == .onlinePIN
        )
    }
}
