import EMVCrypto
import Octets
import Profiles

/// `signed-dynamic-data`: Signed Dynamic Application Data (9F4B) verified (EMV Book 2, 6.5 and 6.6).
struct SignedDynamicDataFamily: VectorFamily {
    var iccModulus: [UInt8]
    var iccExponent: [UInt8]
    var signature: [UInt8]
    var terminalData: [UInt8]
    /// Everything CDA puts its hash over; nil where a source has not all of it.
    var transactionData: [UInt8]?

    static let name = "signed-dynamic-data"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        iccModulus = try input.hex("iccModulus")
        iccExponent = try input.hex("iccExponent")
        signature = try input.hex("signature")
        terminalData = try input.hex("terminalData")
        transactionData = try input.optionalHex("transactionData")
    }

    func output() throws -> VectorOutput {
        let signed = try SignedDynamicData.recover(
            signature,
            iccKey: RSAPublicKey(modulus: iccModulus, exponent: iccExponent),
            terminalData: terminalData
        )
        var output: VectorOutput = [
            "format": .bytes(signed.format.rawValue),
            "iccDynamicNumber": .bytes(signed.iccDynamicNumber),
        ]
        // A source that has the transaction's data says that the signature is one of CDA.
        let combined = try transactionData == nil ? try? signed.combined() : signed.combined()
        guard let combined else { return output }
        output["cryptogramInformationData"] = .bytes(combined.cryptogramInformationData)
        output["applicationCryptogram"] = .bytes(combined.applicationCryptogram)
        output["transactionDataHash"] = .bytes(combined.transactionDataHash)
        output["rest"] = .bytes(combined.rest)
        if let transactionData {
            let hash = SHA1.digest(of: transactionData)
            guard hash == combined.transactionDataHash else {
                throw VectorRefusal("wrongTransactionDataHash")
            }
        }
        return output
    }
}

/// `dynamic-signatures`: Signed Dynamic Application Data (9F4B) made by a card.
struct DynamicSignatureFamily: VectorFamily {
    var key: RSAPrivateNumbers
    var format: UInt8
    var dynamicData: [UInt8]
    var terminalData: [UInt8]

    static let name = "dynamic-signatures"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        var numbers = try parameters.object("key")
        key = try RSAPrivateNumbers(&numbers)
        try numbers.finish()
        format = try input.number("format")
        // Header, format, algorithm, length, hash and trailer are 25 bytes of the block.
        dynamicData = try input.hex("dynamicData", 0...max(0, key.modulus.count - 25))
        terminalData = try input.hex("terminalData")
    }

    func output() throws -> VectorOutput {
        var signer = DynamicDataSigner(key: try RSAPrivateKey(key))
        let signature = try sign(with: &signer)
        // A signer keeps a hash state between signatures.
        guard try sign(with: &signer) == signature else { throw VectorRefusal("unstable") }
        return ["signature": .bytes(signature)]
    }

    private func sign(with signer: inout DynamicDataSigner) throws(VectorRefusal) -> [UInt8] {
        var isSigned = false
        let signature = [UInt8](capacity: key.modulus.count) {
            (output: inout OutputSpan<UInt8>) in
            isSigned = signer.sign(
                dynamicData.span,
                terminalData: terminalData.span,
                format: SignedDataFormat(rawValue: format),
                into: &output
            )
        }
        guard isSigned else { throw VectorRefusal("signingFailed") }
        return signature
    }
}
