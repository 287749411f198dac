import Octets

#if !hasFeature(Embedded)

/// What comes out of a certificate or signature: header, contents, hash and trailer (EMV Book 2, 5.1).
struct RecoveredBlock {
    /// Everything between the header and the hash, the format byte first.
    let contents: [UInt8]
    /// The hash, 20 bytes.
    let hash: [UInt8]

    /// Recovers a block and checks length, trailer, header and format.
    init(
        _ signature: [UInt8],
        key: RSAPublicKey,
        formats: [SignedDataFormat]
    ) throws(CertificateError) {
        let block = try key.recovered(signature)
        guard block[block.count - 1] == 0xBC else { throw .wrongTrailer(block[block.count - 1]) }
        guard block[0] == 0x6A else { throw .wrongHeader(block[0]) }
        let format = SignedDataFormat(rawValue: block[1])
        guard formats.contains(format) else { throw .wrongFormat(format) }
        contents = [UInt8](block[1..<block.count - 21])
        hash = [UInt8](block[(block.count - 21)..<block.count - 1])
    }

    /// Checks the hash algorithm at `offset` of the contents, then the hash over them and `appendix`.
    func checkHash(
        algorithmOffset offset: Int,
        appendix: [UInt8]...
    ) throws(CertificateError) {
        guard contents[offset] == 0x01 else { throw .unknownHashAlgorithm(contents[offset]) }
        var sha1 = SHA1()
        sha1.update(contents.span)
        for part in appendix { sha1.update(part.span) }
        let digest = sha1.finish()
        guard digest.span.hasSameBytes(as: hash.span) else { throw .wrongHash }
    }

    /// Signs `contents`, the hash over them and `appendix` between header and trailer.
    static func sign(
        _ contents: [UInt8],
        appendix: [UInt8]...,
        key: inout RSAPrivateKey
    ) throws(CertificateError) -> [UInt8] {
        var sha1 = SHA1()
        sha1.update(contents.span)
        for part in appendix { sha1.update(part.span) }
        let digest = sha1.finish()
        let block = [0x6A] + contents + [UInt8](digest.span) + [0xBC]
        var isSigned = false
        let signature = [UInt8](capacity: block.count) { (output: inout OutputSpan<UInt8>) in
            isSigned = key.sign(block.span, into: &output)
        }
        guard isSigned else { throw .signingFailed }
        return signature
    }
}

#endif
