import BERTLV
import EMVCrypto
import EMVData
import Octets

extension Kernel2.Context {
    /// Reads the answer to GENERATE AC, of either format (S9.18 to S9.25).
    mutating func readCryptogram(
        _ body: [UInt8],
        _ request: Kernel2.CryptogramRequest
    ) throws(CardFault) {
        let template = try CardResponse.template(body, .responseTemplate2, .responseTemplate1)
        try store(CardResponse.cryptogram(template))
        _ = try database.require(.applicationTransactionCounter)
        guard let kind = try cryptogramKind() else { throw .missing(.cryptogramInformationData) }
        guard kind.isAtMost(request.kind) else { throw .wrong(.cryptogramInformationData) }
        if database.cardValue(.signedDynamicApplicationData) == nil {
            try checkUnsigned(kind, request)
        }
    }

    /// What the card gave (bits 8 and 7 of 9F27); nil when it did not say.
    func cryptogramKind() throws(CardFault) -> CryptogramKind? {
        try database.read(
            .cryptogramInformationData,
            CryptogramInformationData.init(bytes:)
        )?.kind
    }

    /// An answer without signature must have a cryptogram, and lack the signature with reason (S910.30 to S910.38).
    private func checkUnsigned(
        _ kind: CryptogramKind,
        _ request: Kernel2.CryptogramRequest
    ) throws(CardFault) {
        _ = try database.require(.applicationCryptogram)
        let isSignatureMissing = request.isCombined && (kind != .aac || request.kind == .aac)
        guard !isSignatureMissing else { throw .wrong(.signedDynamicApplicationData) }
    }

    /// Verifies the signed cryptogram (S910.1 to S910.7).
    mutating func verifyCombinedAuthentication(
        _ body: [UInt8],
        _ request: Kernel2.CryptogramRequest,
        _ environment: some KernelEnvironment
    ) {
        guard !environment.waivesOfflineDataAuthentication else {
            authentication = .waived(.combined)
            return
        }
        do throws(OfflineDataAuthentication.Failure) {
            let combined = try combinedData(body, request, environment)
            database.replace(.applicationCryptogram, combined.applicationCryptogram.bigEndianBytes)
            authentication = .successful(.combined)
        } catch {
            authentication = .failed(.combined, error)
            results.cdaFailed = true
            publish()
        }
    }

    private mutating func combinedData(
        _ body: [UInt8],
        _ request: Kernel2.CryptogramRequest,
        _ environment: some KernelEnvironment
    ) throws(OfflineDataAuthentication.Failure) -> SignedDynamicData.Combined {
        guard let accountNumber = database.accountNumber else { throw .missing(.applicationPAN) }
        let chain = CertificateChain(
            database: database,
            rid: rid,
            accountNumber: accountNumber,
            date: activation.transaction.date
        )
        let staticData = try chain.staticData(records: recordStaticData)
        let key = try chain.iccKey(staticData: staticData, environment)
        guard let signature = database.cardValue(.signedDynamicApplicationData) else {
            throw .missing(.signedDynamicApplicationData)
        }
        let signed: SignedDynamicData
        let combined: SignedDynamicData.Combined
        do throws(CertificateError) {
            signed = try SignedDynamicData.recover(
                signature,
                iccKey: key,
                terminalData: database.terminal[.unpredictableNumber] ?? []
            )
            combined = try signed.combined()
        } catch {
            throw .signature(error)
        }
        guard [combined.cryptogramInformationData] == database.cardValue(.cryptogramInformationData)
        else { throw .differentCryptogramInformation }
        // EMV Book 2, 6.6.2: what was exchanged, the signature itself left out.
        let exchanged =
            CardResponse.encodedObjects(body, without: .signedDynamicApplicationData)
        let hash = SHA1.digest(of: pdolValues, request.cdolValues, exchanged)
        guard hash == combined.transactionDataHash else { throw .differentTransactionData }
        database.replace(.iccDynamicNumber, signed.iccDynamicNumber)
        return combined
    }
}

extension CryptogramKind {
    /// Whether a card may answer with this kind when `requested` was asked for (S9.23).
    func isAtMost(_ requested: CryptogramKind) -> Bool {
        switch self {
        case .aac: true
        case .arqc: requested == .arqc || requested == .tc
        case .tc: requested == .tc
        default: false
        }
    }
}

extension KernelDatabase {
    /// The card's account number (5A); nil when it is not there or none.
    var accountNumber: PrimaryAccountNumber? {
        guard let bytes = cardValue(.applicationPAN) else { return nil }
        return try? PrimaryAccountNumber(parsing: bytes)
    }
}
