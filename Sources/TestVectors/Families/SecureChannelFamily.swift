import EMVCrypto
import Octets
import Profiles

/// `secure-channel`: key agreement, MACs and enciphered data of kernel 8 (EMV Book E, 7 and 8).
enum SecureChannelFamily: VectorFamily {
    case keyAgreement(cardKey: [UInt8], kernelKey: [UInt8], blindingFactor: [UInt8])
    case mac(integrityKey: [UInt8], message: [UInt8], cryptogram: UInt64)
    case data(DataCase)

    static let name = "secure-channel"

    private enum Kind: String, CaseIterable { case keyAgreement, mac, data }

    /// A message that travels enciphered.
    struct DataCase: Sendable {
        var confidentialityKey: [UInt8]
        var integrityKey: [UInt8]
        var message: [UInt8]
        /// How many messages the card has sent before.
        var messagesBefore: Int
    }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        switch try parameters.choice("of", of: Kind.self) {
        case .keyAgreement:
            self = .keyAgreement(
                cardKey: try input.hex("cardKey"),
                kernelKey: try input.hex("kernelKey"),
                blindingFactor: try input.hex("blindingFactor")
            )
        case .mac:
            self = .mac(
                integrityKey: try input.hex("integrityKey"),
                message: try input.hex("message"),
                cryptogram: try input.number("cryptogram")
            )
        case .data:
            self = .data(
                DataCase(
                    confidentialityKey: try input.hex("confidentialityKey"),
                    integrityKey: try input.hex("integrityKey"),
                    message: try input.hex("message"),
                    messagesBefore: try input.count("messagesBefore", 0...0x8000)
                )
            )
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .keyAgreement(let cardKey, let kernelKey, let blindingFactor):
            return try Self.keyAgreement(cardKey, kernelKey, blindingFactor)
        case .mac(let integrityKey, let message, let cryptogram):
            return try Self.macs(integrityKey, message, cryptogram)
        case .data(let input): return try input.output()
        }
    }

    private static func keyAgreement(
        _ cardScalar: [UInt8],
        _ kernelScalar: [UInt8],
        _ factor: [UInt8]
    ) throws -> VectorOutput {
        let cardKey = try ECPrivateKey(suite: .p256, scalar: cardScalar)
        let kernelKey = try ECPrivateKey(suite: .p256, scalar: kernelScalar)
        let blinded = try BlindedDiffieHellman.blind(cardKey.point, factor: factor)
            .orRefused(as: "notOnCurve")
        let blindedX = [UInt8](blinded.prefix(32))
        let secret = try BlindedDiffieHellman.kernelSecret(
            kernelKey: kernelKey,
            blindedX: blindedX
        ).orRefused(as: "notOnCurve")
        let cardSecret = BlindedDiffieHellman.cardSecret(
            cardKey: cardKey,
            factor: factor,
            kernelPoint: kernelKey.point
        )
        guard cardSecret == secret else { throw VectorRefusal("cardAndKernelDisagree") }
        let keys = BlindedDiffieHellman.sessionKeys(secret: secret)
        var output: VectorOutput = [
            "kernelKeyData": .bytes(kernelKey.point), "cardX": .bytes(cardKey.publicX),
            "secret": .bytes(secret),
            "confidentialityKey": .bytes(keys.confidentiality.exportedBytes),
            "integrityKey": .bytes(keys.integrity.exportedBytes),
        ]
        var channel = SecureChannel(keys: keys)
        let enciphered = channel.crypt(factor, from: .card)
        output["cardKeyData"] = .bytes(try blindedX + enciphered.orRefused(as: "noMoreMessages"))
        return output
    }

    private static func macs(
        _ key: [UInt8],
        _ message: [UInt8],
        _ cryptogram: UInt64
    ) throws -> VectorOutput {
        let key = try AESKey(orRefused: key)
        let cmac = key.cmac(of: message)
        let cmacPlus = key.cmacPlus(of: message)
        let channel = SecureChannel(
            keys: SecureChannelKeys(
                confidentiality: try AESKey(orRefused: key.exportedBytes),
                integrity: key
            )
        )
        let enhanced = channel.enhancedDataAuthenticationMAC(
            cryptogram: cryptogram,
            issuerApplicationDataMAC: [UInt8](cmacPlus.prefix(SecureChannel.macByteCount))
        )
        return [
            "cmac": .bytes(cmac), "cmacPlus": .bytes(cmacPlus), "enhancedMAC": .bytes(enhanced),
        ]
    }
}

extension SecureChannelFamily.DataCase {
    fileprivate func output() throws -> VectorOutput {
        var sender = try channel()
        let sealed = sender.seal(message)
        var writer = try channel()
        let receipt = writer.receipt(for: message)
        return [
            "sealed": .bytes(try sealed.orRefused(as: "noMoreMessages")),
            "receipt": .bytes(try receipt.orRefused(as: "noMoreMessages")),
        ]
    }

    /// Opens a channel on which the card has already sent some messages.
    private func channel() throws(VectorRefusal) -> SecureChannel {
        var channel = SecureChannel(
            keys: SecureChannelKeys(
                confidentiality: try AESKey(orRefused: confidentialityKey),
                integrity: try AESKey(orRefused: integrityKey)
            )
        )
        for _ in 0..<messagesBefore { _ = channel.crypt([], from: .card) }
        return channel
    }
}
