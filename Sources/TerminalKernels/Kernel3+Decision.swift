import BERTLV
import EMVCrypto
import EMVData

extension Kernel3.Context {
    /// Checks what the card gave and decides (5.4 to 5.8).
    mutating func conclude(_ environment: some KernelEnvironment) throws(CardFault) -> Outcome {
        try checkMandatoryData(environment)
        let card = try cardQualifiers()
        let kind = try cryptogramKind()
        apply(kind)

        if let outcome = try applyRestrictions(kind, card, environment) { return outcome }
        if let outcome = try authenticate(card, environment) { return outcome }

        var cvm: Outcome.CVM?
        if !isDeclineRequired { cvm = try verifyCardholder(kind, card) }
        if isDeclineRequired { return declined }
        return isOnlineRequired ? onlineRequest(cvm, card) : approved(cvm)
    }

    /// What must be there (5.4.2.1).
    private func checkMandatoryData(
        _ environment: some KernelEnvironment
    ) throws(CardFault) {
        var terminalTags: [Tag] = [
            .amountAuthorised, .transactionCurrencyCode, .transactionDate, .transactionType,
            .terminalCountryCode, .unpredictableNumber,
        ]
        if transaction.type == .cashback { terminalTags.append(.amountOther) }
        for tag in terminalTags where database.terminal[tag, default: []].isEmpty {
            throw CardFault(l2: .terminalDataError, tag: tag)
        }
        let cardTags: [Tag] = [
            .applicationInterchangeProfile, .applicationCryptogram,
            .applicationTransactionCounter, .issuerApplicationData, .track2EquivalentData,
        ]
        for tag in cardTags { _ = try database.require(tag) }
        if try isAuthenticationForOnlineDue() { try checkAuthenticationData(environment) }
    }

    /// Whether card and reader both want offline data authentication of online transactions.
    private func isAuthenticationForOnlineDue() throws(CardFault) -> Bool {
        guard options.authenticatesForOnline, qualifiers.supportsODAForOnlineAuthorisations else {
            return false
        }
        let profile = try database.read(
            .applicationInterchangeProfile,
            ApplicationInterchangeProfile.init(bytes:)
        )
        return profile.map { $0.supportsDDA || $0.supportsSDA } ?? false
    }

    private func checkAuthenticationData(
        _ environment: some KernelEnvironment
    ) throws(CardFault) {
        var tags: [Tag] = [
            .certificationAuthorityKeyIndex, .issuerPublicKeyCertificate, .issuerPublicKeyExponent,
            .applicationPAN,
        ]
        if database.cardValue(.signedDynamicApplicationData) != nil {
            tags += [
                .iccPublicKeyCertificate, .iccPublicKeyExponent, .cardAuthenticationRelatedData,
            ]
        } else {
            tags.append(.signedStaticApplicationData)
        }
        for tag in tags { _ = try database.require(tag) }
        let index = try database.require(.certificationAuthorityKeyIndex)
        guard environment.certificationAuthorityKey(rid: rid, index: index[0]) != nil else {
            throw .wrong(.certificationAuthorityKeyIndex)
        }
    }

    /// The RID of the selected application.
    var rid: [UInt8] { activation.applicationIdentifier.rid }

    /// What the card decided: in 9F27, or else in its verification results inside 9F10 (5.4.3.1).
    ///
    /// Bits 6 and 5 of the fifth byte of 9F10 hold it in every format of issuer application data.
    private mutating func cryptogramKind() throws(CardFault) -> CryptogramKind {
        if let information = try database.read(
            .cryptogramInformationData,
            CryptogramInformationData.init(bytes:)
        ) {
            return information.kind
        }
        let data = try database.require(.issuerApplicationData)
        let kind = data.count >= 5 ? CryptogramKind(rawValue: data[4] << 2) : .reserved
        database.replace(
            .cryptogramInformationData,
            CryptogramInformationData(kind).bytes
        )
        return kind
    }

    /// What the card's decision asks of the reader (5.4.3.2).
    private mutating func apply(_ kind: CryptogramKind) {
        switch kind {
        case .arqc: isOnlineRequired = true
        case .tc: isOnlineRequired = qualifiers.requiresOnlineCryptogram
        default: isDeclineRequired = true
        }
    }

    // MARK: Processing restrictions

    /// Expiry, exception file and usage (5.5.1).
    /// - Returns: An outcome when the kernel ends here.
    private mutating func applyRestrictions(
        _ kind: CryptogramKind,
        _ card: CardTransactionQualifiers?,
        _ environment: some KernelEnvironment
    ) throws(CardFault) -> Outcome? {
        let card = card ?? CardTransactionQualifiers()
        if kind == .tc {
            let expiration = try database.read(
                .applicationExpirationDate,
                TransactionDate.init(bytes:)
            )
            // 5.5.1.1: no date counts as expired.
            if expiration.map({ transaction.date > $0 }) ?? true {
                guard card.goesOnlineIfExpired else {
                    isDeclineRequired = true
                    return nil
                }
                isOnlineRequired = true
            }
            // 5.5.1.2
            if let track2 = try track2(),
                environment.isOnExceptionFile(
                    pan: track2.accountNumber.digits,
                    sequenceNumber: database.cardValue(.panSequenceNumber)?.first
                )
            {
                isDeclineRequired = true
                return nil
            }
        }
        // 5.5.1.3
        if transaction.type.isCash, options.checksUsageForCash,
            try !allowsUsage(ProcessingRestrictions.allowsCash)
        {
            if card.switchesInterfaceForCash { return insertOrSwipe }
            isDeclineRequired = true
        }
        // 5.5.1.4
        if transaction.type == .cashback, options.checksUsageForCashback,
            try !allowsUsage(ProcessingRestrictions.allowsCashback)
        {
            if card.switchesInterfaceForCashback { return insertOrSwipe }
            isDeclineRequired = true
        }
        if isATM, card.isNotValidForContactlessATM { isDeclineRequired = true }
        return nil
    }

    /// Whether usage control is there, names a country and allows the service.
    private func allowsUsage(
        _ allows: (ApplicationUsageControl, Bool) -> Bool
    ) throws(CardFault) -> Bool {
        guard
            let usage = try database.read(
                .applicationUsageControl,
                ApplicationUsageControl.init(bytes:)
            ), let issuerCountry = database.cardValue(.issuerCountryCode)
        else { return false }
        return allows(usage, issuerCountry == database.terminal[.terminalCountryCode])
    }

    private var isATM: Bool {
        guard let type = database.terminal[.terminalType]?.first,
            let capabilities = database.terminal[.additionalTerminalCapabilities]
                .flatMap(AdditionalTerminalCapabilities.init(bytes:))
        else { return false }
        return TerminalType(rawValue: type).isATM(capabilities)
    }

    // MARK: Offline data authentication

    /// Authenticates the card where that is due, and says what a failure leads to (5.6).
    /// - Returns: An outcome when the kernel ends here.
    private mutating func authenticate(
        _ card: CardTransactionQualifiers?,
        _ environment: some KernelEnvironment
    ) throws(CardFault) -> Outcome? {
        let isDueForOnline = try isAuthenticationForOnlineDue()
        guard !isDeclineRequired, !isOnlineRequired || isDueForOnline else { return nil }

        let isDynamic =
            database.cardValue(.signedDynamicApplicationData) != nil
            || database.cardValue(.signedStaticApplicationData) == nil
        let method: OfflineDataAuthentication.Method = isDynamic ? .fastDynamicData : .staticData
        guard !environment.waivesOfflineDataAuthentication else {
            authentication = .waived(method)
            return nil
        }
        do throws(OfflineDataAuthentication.Failure) {
            isDynamic
                ? try verifyDynamicData(environment)
                : try verifyStaticData(environment)
            authentication = .successful(method)
            return nil
        } catch {
            authentication = .failed(method, error)
        }
        let card = card ?? CardTransactionQualifiers()
        if isOnlineRequired {
            // A reader that authenticates for online transactions trusts no card that fails.
            isDeclineRequired = true
        } else if card.goesOnlineIfODAFails, !qualifiers.isOfflineOnly {
            isOnlineRequired = true
        } else if card.switchesInterfaceIfODAFails, qualifiers.supportsContactChip {
            return insertCard(ErrorIndication(l2: .camFailed))
        } else {
            isDeclineRequired = true
        }
        return nil
    }

    private func chain() throws(OfflineDataAuthentication.Failure) -> CertificateChain {
        guard let accountNumber = database.accountNumber ?? (try? track2())?.accountNumber else {
            throw .missing(.applicationPAN)
        }
        return CertificateChain(
            database: database,
            rid: rid,
            accountNumber: accountNumber,
            date: transaction.date
        )
    }

    /// Verifies the signature over this transaction (EMV Book C-3, Annex C).
    private mutating func verifyDynamicData(
        _ environment: some KernelEnvironment
    ) throws(OfflineDataAuthentication.Failure) {
        let terminalData = try dynamicTerminalData()
        let chain = try chain()
        let staticData = try chain.staticData(records: recordStaticData)
        let key = try chain.iccKey(staticData: staticData, environment)
        guard let signature = database.cardValue(.signedDynamicApplicationData) else {
            throw .missing(.signedDynamicApplicationData)
        }
        let signed: SignedDynamicData
        do throws(CertificateError) {
            signed = try SignedDynamicData.recover(
                signature,
                iccKey: key,
                terminalData: terminalData
            )
        } catch {
            throw .signature(error)
        }
        database.replace(.iccDynamicNumber, signed.iccDynamicNumber)
    }

    /// What the card hashed beside its own data: with version 01 of 9F69 the amount, the currency and 9F69 too.
    private func dynamicTerminalData() throws(OfflineDataAuthentication.Failure) -> [UInt8] {
        func terminal(_ tag: Tag) -> [UInt8] { database.terminal[tag] ?? [] }
        let unpredictableNumber = terminal(.unpredictableNumber)
        guard let related = database.cardValue(.cardAuthenticationRelatedData) else {
            guard options.acceptsLegacyDynamicData else {
                throw .missing(.cardAuthenticationRelatedData)
            }
            return unpredictableNumber
        }
        switch related.first {
        case 0x01:
            return unpredictableNumber + terminal(.amountAuthorised)
                + terminal(.transactionCurrencyCode) + related
        case 0x00 where options.acceptsLegacyDynamicData:
            return unpredictableNumber
        default:
            throw .unsupportedVersion(related.first ?? 0)
        }
    }

    private mutating func verifyStaticData(
        _ environment: some KernelEnvironment
    ) throws(OfflineDataAuthentication.Failure) {
        guard let signature = database.cardValue(.signedStaticApplicationData) else {
            throw .missing(.signedStaticApplicationData)
        }
        let chain = try chain()
        let key = try chain.issuerKey(environment)
        let staticData = try chain.staticData(records: recordStaticData)
        do throws(CertificateError) {
            _ = try SignedStaticData.verify(signature, issuerKey: key, staticData: staticData)
        } catch {
            throw .signature(error)
        }
    }

    // MARK: Cardholder verification

    /// Finds the method card and reader agree on (5.7.1).
    private mutating func verifyCardholder(
        _ kind: CryptogramKind,
        _ card: CardTransactionQualifiers?
    ) throws(CardFault) -> Outcome.CVM? {
        guard let card else { return verifyCardholderWithoutQualifiers() }
        // 5.7.1.2
        if card.requiresOnlinePIN, qualifiers.supportsOnlinePIN {
            isOnlineRequired = true
            return .onlinePIN
        }
        if card.consumerDeviceCVMPerformed {
            guard isDeviceVerificationGenuine(kind, card) else {
                isDeclineRequired = true
                return nil
            }
            return .confirmationCodeVerified
        }
        if card.requiresSignature, qualifiers.supportsSignature { return .obtainSignature }
        return noCVM
    }

    /// The reader's own choice for a card without qualifiers (5.7.1.1).
    private mutating func verifyCardholderWithoutQualifiers() -> Outcome.CVM? {
        guard qualifiers.requiresCVM else { return .noCVM }
        if qualifiers.supportsSignature { return .obtainSignature }
        guard qualifiers.supportsOnlinePIN else {
            isDeclineRequired = true
            return nil
        }
        isOnlineRequired = true
        return .onlinePIN
    }

    /// Whether the card's claim of a CVM on the device can be believed.
    ///
    /// 9F69 repeats the qualifiers under the signature; without it only the issuer can tell, from an ARQC.
    private func isDeviceVerificationGenuine(
        _ kind: CryptogramKind,
        _ card: CardTransactionQualifiers
    ) -> Bool {
        guard let related = database.cardValue(.cardAuthenticationRelatedData) else {
            return kind == .arqc
        }
        return related.count >= 7 && Array(related[5..<7]) == card.bytes
    }

    /// Nobody found a method, which only does where none is needed (5.7.1.3).
    private var noCVM: Outcome.CVM? {
        mutating get {
            guard qualifiers.requiresCVM else { return .noCVM }
            isDeclineRequired = true
            return nil
        }
    }
}
