#if !hasFeature(Embedded)

/// Signed Static Application Data (93), which a card repeats without understanding it (EMV Book 2, 5.4).
public struct SignedStaticData: Hashable, Sendable {
    /// Data Authentication Code (9F45), two bytes the issuer chose.
    public let dataAuthenticationCode: [UInt8]

    /// Recovers a signature and checks that it is over `staticData`.
    /// - Throws: The first check that fails, in the order of EMV Book 2, 5.4.
    public static func verify(
        _ signature: [UInt8],
        issuerKey: RSAPublicKey,
        staticData: [UInt8]
    ) throws(CertificateError) -> SignedStaticData {
        let block = try RecoveredBlock(signature, key: issuerKey, formats: [.staticData])
        try block.checkHash(algorithmOffset: 1, appendix: staticData)
        return SignedStaticData(dataAuthenticationCode: [UInt8](block.contents[2..<4]))
    }

    /// Signs `staticData` as an issuer does.
    /// - Throws: `CertificateError.signingFailed` when libcrypto fails.
    public static func sign(
        _ staticData: [UInt8],
        dataAuthenticationCode: [UInt8],
        issuerKey: inout RSAPrivateKey
    ) throws(CertificateError) -> [UInt8] {
        precondition(dataAuthenticationCode.count == 2)
        let padding = [UInt8](repeating: 0xBB, count: issuerKey.modulusLength - 26)
        return try RecoveredBlock.sign(
            [SignedDataFormat.staticData.rawValue, 0x01] + dataAuthenticationCode + padding,
            appendix: staticData,
            key: &issuerKey
        )
    }
}

#endif
