import Octets

#if !hasFeature(Embedded)

/// Signed Dynamic Application Data (9F4B), made anew by the card in each transaction (EMV Book 2, 6.5 and 6.6).
public struct SignedDynamicData: Hashable, Sendable {
    /// Which of the formats the card signed in.
    public let format: SignedDataFormat
    /// ICC dynamic data: the length of the ICC dynamic number, the number, and what else was signed.
    public let dynamicData: [UInt8]
    /// ICC Dynamic Number (9F4C), 2 to 8 bytes.
    public let iccDynamicNumber: [UInt8]

    /// Recovers a signature and checks that it is over `terminalData`.
    ///
    /// Both EMV's format 05 and the 95 of fast DDA are accepted; `format` says which it was.
    /// - Parameters:
    ///   - signature: Signed Dynamic Application Data (9F4B).
    ///   - iccKey: The card's recovered public key.
    ///   - terminalData: What the terminal knows and the card also hashed: the values of the DDOL for
    ///     DDA, of 9F37, 9F02, 5F2A and 9F69 for fast DDA, of 9F37 alone for CDA.
    /// - Returns: What the card signed.
    /// - Throws: The first check that fails, in the order of EMV Book 2, 6.5.2.
    public static func recover(
        _ signature: [UInt8],
        iccKey: RSAPublicKey,
        terminalData: [UInt8]
    ) throws(CertificateError) -> SignedDynamicData {
        let formats = [SignedDataFormat.dynamicData, .fastDynamicData]
        let block = try RecoveredBlock(signature, key: iccKey, formats: formats)
        try block.checkHash(algorithmOffset: 1, appendix: terminalData)
        let length = Int(block.contents[2])
        guard length <= block.contents.count - 3 else { throw .malformedDynamicData }
        let dynamicData = [UInt8](block.contents[3..<3 + length])
        guard let numberCount = dynamicData.first, 2...8 ~= numberCount,
            dynamicData.count > Int(numberCount)
        else { throw .malformedDynamicData }
        return SignedDynamicData(
            format: SignedDataFormat(rawValue: block.contents[0]),
            dynamicData: dynamicData,
            iccDynamicNumber: [UInt8](dynamicData[1...Int(numberCount)])
        )
    }

    /// What a card adds to its dynamic data when it signs the cryptogram as well (EMV Book 2, Table 19).
    public struct Combined: Hashable, Sendable {
        /// Cryptogram Information Data (9F27).
        public let cryptogramInformationData: UInt8
        /// Application Cryptogram (9F26).
        public let applicationCryptogram: UInt64
        /// SHA-1 over everything exchanged in the transaction, 20 bytes.
        public let transactionDataHash: [UInt8]
        /// What follows: data storage summaries, the figures of relay resistance.
        public let rest: [UInt8]
    }

    /// Reads the dynamic data as those of CDA.
    /// - Throws: `CertificateError.wrongFormat` unless 05; `.malformedDynamicData` when too short.
    public func combined() throws(CertificateError) -> Combined {
        guard format == .dynamicData else { throw .wrongFormat(format) }
        let start = 1 + iccDynamicNumber.count
        guard dynamicData.count >= start + 29 else { throw .malformedDynamicData }
        return Combined(
            cryptogramInformationData: dynamicData[start],
            applicationCryptogram: UInt64(bigEndian: dynamicData.span, at: start + 1),
            transactionDataHash: [UInt8](dynamicData[(start + 9)..<start + 29]),
            rest: [UInt8](dynamicData[(start + 29)...])
        )
    }
}

#endif
