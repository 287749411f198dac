#if !hasFeature(Embedded)
import Octets

extension SignedDynamicData {
    /// Puts together what fast DDA signs beside the card's data (EMV Book C-3, Annex C).
    ///
    /// Version 01 of Card Authentication Related Data binds amount and currency; version 00, of older cards,
    /// binds the unpredictable number alone.
    /// - Parameters:
    ///   - unpredictableNumber: Unpredictable Number (9F37), four bytes.
    ///   - amount: Amount, Authorised (9F02), six bytes.
    ///   - currency: Transaction Currency Code (5F2A), two bytes.
    ///   - relatedData: Card Authentication Related Data (9F69); empty for a card of version 00 without.
    /// - Returns: The bytes to hash behind the recovered block.
    /// - Throws: `CertificateError.malformedDynamicData` for a version not known here.
    public static func fastTerminalData(
        unpredictableNumber: [UInt8],
        amount: [UInt8],
        currency: [UInt8],
        relatedData: [UInt8]
    ) throws(CertificateError) -> [UInt8] {
        switch relatedData.first {
        case nil, 0x00: return unpredictableNumber
        case 0x01: return unpredictableNumber + amount + currency + relatedData
        default: throw .malformedDynamicData
        }
    }

    /// Computes the hash that CDA puts over a transaction, 20 bytes (EMV Book 2, 6.6.2).
    /// - Parameters:
    ///   - processingOptionsData: The values of the PDOL, as they were sent.
    ///   - firstCryptogramData: The values of CDOL1.
    ///   - secondCryptogramData: The values of CDOL2; empty for the first GENERATE AC.
    ///   - response: The data objects of the answer to GENERATE AC in their order, without 77 and without 9F4B.
    /// - Returns: The hash.
    public static func transactionDataHash(
        processingOptionsData: [UInt8],
        firstCryptogramData: [UInt8],
        secondCryptogramData: [UInt8] = [],
        response: [UInt8]
    ) -> [UInt8] {
        SHA1.digest(
            of: processingOptionsData,
            firstCryptogramData,
            secondCryptogramData,
            response
        )
    }
}

/// A certificate that a scheme has called back (EMV Book 2, 5.1; EMV Book 4, 11).
public struct RevokedCertificate: Hashable, Sendable {
    /// Registered application provider identifier, five bytes.
    public var rid: [UInt8]
    /// Certification authority public key index.
    public var index: UInt8
    /// Certificate serial number, three bytes.
    public var serialNumber: [UInt8]

    /// Collects the parts.
    public init(rid: [UInt8], index: UInt8, serialNumber: [UInt8]) {
        self.rid = rid
        self.index = index
        self.serialNumber = serialNumber
    }
}

extension IssuerCertificate {
    /// Checks that the certificate was not called back.
    /// - Throws: `CertificateError.revoked`.
    public func checkRevocation(
        _ revoked: Set<RevokedCertificate>,
        caKey: CAPublicKey
    ) throws(CertificateError) {
        let entry = RevokedCertificate(
            rid: caKey.rid,
            index: caKey.index,
            serialNumber: serialNumber
        )
        guard !revoked.contains(entry) else { throw .revoked }
    }
}

#endif
