public import BERTLV
public import EMVCrypto
import EMVData

/// What offline data authentication came to.
public enum OfflineDataAuthentication: Hashable, Sendable {
    /// Nobody asked for it, or the kernel ended before.
    case notPerformed
    /// The card is genuine.
    case successful(Method)
    /// The card could not prove to be genuine.
    case failed(Method, Failure)
    /// Passed over, as the environment wants it.
    case waived(Method)

    /// How the card proves to be genuine.
    public enum Method: Hashable, Sendable {
        /// A signature over static data (SDA; EMV Book 2, 5).
        case staticData
        /// A signature in the answer to GET PROCESSING OPTIONS (fDDA; EMV Book C-3, 5.6).
        case fastDynamicData
        /// A signature over the cryptogram (CDA; EMV Book 2, 6.6).
        case combined
    }

    /// Why the card could not prove to be genuine.
    public enum Failure: Error, Hashable, Sendable {
        /// The card lacks a data object.
        case missing(Tag)
        /// The terminal does not have the certification authority's key, or its check sum is wrong.
        case unknownCAKey(index: UInt8)
        /// The issuer's certificate is revoked.
        case revokedIssuerCertificate
        /// The Static Data Authentication Tag List (9F4A) names something else than 82.
        case invalidTagList
        /// The static data are longer than 2048 bytes.
        case staticDataTooLong
        /// The issuer's certificate is not good.
        case issuerCertificate(CertificateError)
        /// The card's certificate is not good.
        case iccCertificate(CertificateError)
        /// The signature is not good.
        case signature(CertificateError)
        /// The signed cryptogram information is not the one that came in clear.
        case differentCryptogramInformation
        /// The signed transaction data hash is not the one of what was exchanged.
        case differentTransactionData
        /// The version of Card Authentication Related Data (9F69) is not one the kernel accepts.
        case unsupportedVersion(UInt8)
    }
}

/// The chain of certificates from a certification authority to a card.
struct CertificateChain {
    /// What the card gave.
    var database: KernelDatabase
    /// The RID of the selected application.
    var rid: [UInt8]
    /// The card's account number.
    var accountNumber: PrimaryAccountNumber
    /// The date of the transaction.
    var date: TransactionDate

    /// Recovers and checks the issuer's key (EMV Book 2, 5.3).
    func issuerKey(
        _ environment: some KernelEnvironment
    ) throws(OfflineDataAuthentication.Failure) -> RSAPublicKey {
        guard let index = try value(.certificationAuthorityKeyIndex).first,
            let caKey = environment.certificationAuthorityKey(rid: rid, index: index),
            caKey.isChecksumValid
        else {
            throw .unknownCAKey(
                index: database.cardValue(.certificationAuthorityKeyIndex)?.first ?? 0
            )
        }
        let certificate = try value(.issuerPublicKeyCertificate)
        let exponent = try value(.issuerPublicKeyExponent)
        let issuer: IssuerCertificate
        do throws(CertificateError) {
            issuer = try IssuerCertificate.recover(
                certificate: certificate,
                remainder: database.cardValue(.issuerPublicKeyRemainder) ?? [],
                exponent: exponent,
                caKey: caKey
            )
            try issuer.checkIssuer(ofPAN: accountNumber.digits)
            try issuer.checkExpiry(on: date)
        } catch {
            throw .issuerCertificate(error)
        }
        guard !environment.isRevoked(rid: rid, index: index, serialNumber: issuer.serialNumber)
        else { throw .revokedIssuerCertificate }
        return issuer.key
    }

    /// Recovers and checks the card's key (EMV Book 2, 6.4).
    func iccKey(
        staticData: [UInt8],
        _ environment: some KernelEnvironment
    ) throws(OfflineDataAuthentication.Failure) -> RSAPublicKey {
        let issuerKey = try issuerKey(environment)
        let certificate = try value(.iccPublicKeyCertificate)
        let exponent = try value(.iccPublicKeyExponent)
        do throws(CertificateError) {
            let icc = try ICCCertificate.recover(
                certificate: certificate,
                remainder: database.cardValue(.iccPublicKeyRemainder) ?? [],
                exponent: exponent,
                issuerKey: issuerKey,
                staticData: staticData
            )
            try icc.checkPAN(accountNumber.digits)
            try icc.checkExpiry(on: date)
            return icc.key
        } catch {
            throw .iccCertificate(error)
        }
    }

    /// The static data to be authenticated: the records', then the AIP when 9F4A names it (EMV Book 3, 10.3).
    func staticData(
        records: [UInt8]?
    ) throws(OfflineDataAuthentication.Failure) -> [UInt8] {
        guard let records else { throw .staticDataTooLong }
        guard let list = database.cardValue(.staticDataAuthenticationTagList) else {
            return records
        }
        guard list == Tag.applicationInterchangeProfile.bytes else { throw .invalidTagList }
        return try records + value(.applicationInterchangeProfile)
    }

    private func value(_ tag: Tag) throws(OfflineDataAuthentication.Failure) -> [UInt8] {
        guard let value = database.cardValue(tag) else { throw .missing(tag) }
        return value
    }
}
