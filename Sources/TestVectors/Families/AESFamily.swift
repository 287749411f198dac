import EMVCrypto
import Octets
import Profiles

/// `aes`: the block cipher and its CMAC.
enum AESFamily: VectorFamily {
    case block(key: [UInt8], block: [UInt8])
    case mac(key: [UInt8], message: [UInt8])

    static let name = "aes"

    private enum Kind: String, CaseIterable { case block, mac }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        let kind = try parameters.choice("of", of: Kind.self)
        let key = try input.hex("key")
        switch kind {
        case .block: self = .block(key: key, block: try input.hex("block", 16...16))
        case .mac: self = .mac(key: key, message: try input.hex("message"))
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .block(let key, let block):
            return ["block": .bytes(try AESKey(orRefused: key).encrypt(block))]
        case .mac(let key, let message):
            return ["mac": .bytes(try AESKey(orRefused: key).cmac(of: message))]
        }
    }
}

/// `aes-keys`: AES card keys, session keys and cryptograms (EMV Book 2, A1.3, A1.4.3 and 8.1.2).
enum AESKeyFamily: VectorFamily {
    case cardKey(issuerKey: [UInt8], pan: [UInt8], sequenceNumber: UInt8)
    case sessionKey(cardKey: [UInt8], counter: UInt16)
    case cryptogram(key: [UInt8], message: [UInt8])

    static let name = "aes-keys"

    private enum Kind: String, CaseIterable { case cardKey, sessionKey, cryptogram }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        switch try parameters.choice("of", of: Kind.self) {
        case .cardKey:
            self = .cardKey(
                issuerKey: try input.hex("issuerKey"),
                pan: try input.accountNumber("pan"),
                sequenceNumber: try input.number("sequenceNumber")
            )
        case .sessionKey:
            self = .sessionKey(
                cardKey: try input.hex("cardKey"),
                counter: try input.number("counter")
            )
        case .cryptogram:
            self = .cryptogram(key: try input.hex("key"), message: try input.hex("message"))
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .cardKey(let issuerKey, let pan, let sequenceNumber):
            let key = try AESKey(orRefused: issuerKey).cardKey(
                pan: pan,
                sequenceNumber: sequenceNumber
            )
            return ["key": .bytes(key.exportedBytes)]
        case .sessionKey(let cardKey, let counter):
            let key = try AESKey(orRefused: cardKey).sessionKey(counter: counter)
            return ["key": .bytes(key.exportedBytes)]
        case .cryptogram(let key, let message):
            let key = try AESKey(orRefused: key)
            return ["cryptogram": .bytes(key.applicationCryptogram(over: message))]
        }
    }
}

extension AESKey {
    /// Reads a key.
    /// - Throws: `VectorRefusal` named `wrongKeyLength` unless it has 16, 24 or 32 bytes.
    init(orRefused bytes: [UInt8]) throws(VectorRefusal) {
        guard let key = AESKey(bytes.span) else { throw VectorRefusal("wrongKeyLength") }
        self = key
    }
}
