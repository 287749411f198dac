import BERTLV
import EMVCrypto
import EMVData
import ISO7816

extension Kernel2.Context {
    /// Checks what the records brought, decides, and builds GENERATE AC (S456.16 to S456.48).
    mutating func decide(
        _ environment: some KernelEnvironment
    ) throws(CardFault) -> (CommandAPDU, Kernel2.CryptogramRequest) {
        _ = try database.require(.applicationExpirationDate)
        _ = try database.require(.applicationPAN)
        _ = try database.require(.cardRiskManagementList1)
        if isCombinedAuthenticationDue { checkAuthenticationData(environment) }

        // S456.30 to S456.33
        let isCVMRequired = amount.minorUnits > configuration.cvmRequiredLimit
        if isCVMRequired { isReceiptNeeded = true }
        capabilities[byte: 2] = configuration.cvmCapability(isCVMRequired: isCVMRequired)

        try applyRestrictions()
        let cvmResults = try verifyCardholder()
        // S456.37
        if amount.minorUnits > configuration.floorLimit { results.floorLimitExceeded = true }
        publish(cvmResults)

        return try cryptogramCommand(for: analyseActionCodes())
    }

    /// Finds out early what makes combined authentication impossible (S456.24 to S456.28).
    private mutating func checkAuthenticationData(_ environment: some KernelEnvironment) {
        let needed: [Tag] = [
            .certificationAuthorityKeyIndex, .issuerPublicKeyCertificate, .issuerPublicKeyExponent,
            .iccPublicKeyCertificate, .iccPublicKeyExponent, .staticDataAuthenticationTagList,
        ]
        func fail(_ failure: OfflineDataAuthentication.Failure) {
            results.cdaFailed = true
            if case .notPerformed = authentication { authentication = .failed(.combined, failure) }
        }
        if let missing = needed.first(where: { database.cardValue($0) == nil }) {
            results.iccDataMissing = true
            fail(.missing(missing))
        }
        if !environment.waivesOfflineDataAuthentication,
            let index = database.cardValue(.certificationAuthorityKeyIndex)?.first,
            environment.certificationAuthorityKey(rid: rid, index: index)?.isChecksumValid != true
        {
            fail(.unknownCAKey(index: index))
        }
        if let list = database.cardValue(.staticDataAuthenticationTagList),
            list != Tag.applicationInterchangeProfile.bytes
        {
            fail(.invalidTagList)
        }
        if recordStaticData == nil { fail(.staticDataTooLong) }
    }

    /// The RID of the selected application.
    var rid: [UInt8] { activation.applicationIdentifier.rid }

    /// Version, dates and usage control (EMV Book C-2, 7.7).
    private mutating func applyRestrictions() throws(CardFault) {
        let restrictions = ProcessingRestrictions(
            terminalCountry: configuration.terminalCountry,
            isATM: configuration.terminalType?.isATM(configuration.additionalCapabilities) ?? false,
            type: activation.transaction.type,
            hasCashback: (activation.transaction.amountOther?.minorUnits ?? 0) > 0,
            date: activation.transaction.date,
            applicationVersion: configuration.applicationVersionNumber
        )
        restrictions.apply(
            ProcessingRestrictions.CardData(
                applicationVersion: database.cardValue(.applicationVersionNumber),
                effectiveDate: try database.read(
                    .applicationEffectiveDate,
                    TransactionDate.init(bytes:)
                ),
                expirationDate: try database.read(
                    .applicationExpirationDate,
                    TransactionDate.init(bytes:)
                ),
                usage: try database.read(
                    .applicationUsageControl,
                    ApplicationUsageControl.init(bytes:)
                ),
                issuerCountry: database.cardValue(.issuerCountryCode)
            ),
            to: &results
        )
    }

    /// Chooses the cardholder verification method (EMV Book C-2, 7.5).
    /// - Returns: CVM Results (9F34).
    private mutating func verifyCardholder() throws(CardFault) -> CVMResults {
        cvm = .noCVM
        // CVM.1 to CVM.4
        if usesOnDeviceCVM {
            guard amount.minorUnits > configuration.cvmRequiredLimit else {
                return CVMResults(.notPerformed, .always, .successful)
            }
            cvm = .confirmationCodeVerified
            return CVMResults(.plaintextOfflinePIN, .always, .successful)
        }
        // CVM.5 and CVM.6
        guard profile.supportsCardholderVerification else { return .notPerformed }
        // CVM.7 and CVM.8
        guard let bytes = database.cardValue(.cvmList) else {
            results.iccDataMissing = true
            return .notPerformed
        }
        guard let list = try? CVMList(parsing: bytes) else { throw .wrong(.cvmList) }
        guard !list.rules.isEmpty else { return .notPerformed }

        let currency = try database.read(.applicationCurrencyCode, Currency.init(bytes:))
        let choice = CardholderVerification(
            capabilities: capabilities,
            amount: amount,
            type: activation.transaction.type,
            isUnattended: configuration.terminalType?.isUnattended ?? false,
            applicationCurrency: currency
        ).choose(from: list)

        cvm = choice.cvm
        if choice.hasUnrecognisedCVM { results.unrecognisedCVM = true }
        if choice.isFailed { results.cardholderVerificationFailed = true }
        if choice.cvm == .onlinePIN { results.onlineCVMCaptured = true }
        if choice.cvm == .obtainSignature { isReceiptNeeded = true }
        return choice.results
    }

    /// Compares TVR and action codes (EMV Book C-2, 7.8).
    private func analyseActionCodes() throws(CardFault) -> CryptogramKind {
        func code(_ tag: Tag, absent: UInt64) -> UInt64 {
            guard let value = database.cardValue(tag) else { return absent }
            return value.prefix(5).reduce(0) { $0 << 8 | UInt64($1) }
        }
        let allOnes: UInt64 = 0xFF_FFFF_FFFF
        return TerminalActionAnalysis(
            issuer: TerminalActionAnalysis.ActionCodes(
                denial: code(.issuerActionCodeDenial, absent: 0),
                online: code(.issuerActionCodeOnline, absent: allOnes),
                default: code(.issuerActionCodeDefault, absent: allOnes)
            ),
            terminal: configuration.actionCodes,
            terminalType: configuration.terminalType ?? .attendedMerchant
        ).cryptogram(for: results)
    }

    /// Builds GENERATE AC (EMV Book C-2, 7.6).
    private mutating func cryptogramCommand(
        for wanted: CryptogramKind
    ) throws(CardFault) -> (CommandAPDU, Kernel2.CryptogramRequest) {
        var kind = wanted
        var isCombined = false
        if !isCombinedAuthenticationDue || results.cdaFailed {
            // GAC.22: what the device says about its own CVM counts only when it is signed.
            if usesOnDeviceCVM { kind = .aac }
        } else {
            let signsAll = try cardCapabilities()?.supportsCDAForAllCryptograms ?? false
            isCombined = kind != .aac || signsAll
        }
        let values = try filled(.cardRiskManagementList1)
        guard
            let command = CommandAPDU.generateApplicationCryptogram(
                kind,
                combined: isCombined,
                values: values
            )
        else { throw .wrong(.cardRiskManagementList1) }
        let request = Kernel2.CryptogramRequest(
            kind: kind,
            isCombined: isCombined,
            cdolValues: values
        )
        return (command, request)
    }
}
