import EMVCrypto
import Octets
import Profiles

/// `issuer-scripts`: MACs, encipherment and whole commands (EMV Book 2, 9).
enum IssuerScriptFamily: VectorFamily {
    case mac(MACCase)
    case encipherment(EnciphermentCase)
    case command(CommandCase)

    static let name = "issuer-scripts"

    private enum Kind: String, CaseIterable { case mac, encipherment, command }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        switch try parameters.choice("of", of: Kind.self) {
        case .mac: self = .mac(try MACCase(&input))
        case .encipherment: self = .encipherment(try EnciphermentCase(&input))
        case .command: self = .command(try CommandCase(&input))
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .mac(let input): try input.output()
        case .encipherment(let input): try input.output()
        case .command(let input): try input.output()
        }
    }

    /// The MAC of a command.
    struct MACCase: Sendable {
        var key: [UInt8]
        var header: [UInt8]
        var counter: UInt16
        var cryptogram: UInt64
        var data: [UInt8]
        var form: IssuerScript.MACInput

        init(_ input: inout JSONObject) throws(ProfilesError) {
            key = try input.desKey("key")
            header = try input.hex("header", 5...5)
            counter = try input.number("counter")
            cryptogram = try input.number("cryptogram")
            data = try input.hex("data", 0...255)
            form = try input.named("form", among: IssuerScript.MACInput.allCases)
        }

        func output() throws -> VectorOutput {
            let input = IssuerScript.macInput(
                header: header,
                counter: counter,
                cryptogram: cryptogram,
                data: data,
                form: form
            )
            let mac = IssuerScript.mac(over: input, sessionKey: DoubleLengthKey(key))
            return ["input": .bytes(input), "mac": .beginning(mac, atLeast: 4)]
        }
    }

    /// The encipherment of a command's data.
    struct EnciphermentCase: Sendable {
        var key: [UInt8]
        var encipherment: IssuerScript.Encipherment
        var data: [UInt8]
        /// The PIN that is in the data.
        var pin: NewPIN?
        /// Header and key of a MAC over what was enciphered.
        var authentication: (header: [UInt8], key: [UInt8])?

        init(_ input: inout JSONObject) throws(ProfilesError) {
            key = try input.desKey("key")
            encipherment = try input.named(
                "encipherment",
                among: IssuerScript.Encipherment.allCases
            )
            data = try input.hex("data", 0...255)
            pin = input.has("pin") ? try NewPIN(&input) : nil
            if input.has("integrityKey") {
                authentication = (try input.hex("header", 0...64), try input.desKey("integrityKey"))
            }
        }

        func output() throws -> VectorOutput {
            let enciphered = IssuerScript.encipher(
                data,
                as: encipherment,
                sessionKey: DoubleLengthKey(key)
            )
            var output: VectorOutput = ["enciphered": .bytes(enciphered)]
            if let pin { output["pinBlock"] = .bytes(try pin.block()) }
            if let authentication {
                output["mac"] = .bytes(
                    IssuerScript.mac(
                        over: authentication.header + enciphered,
                        sessionKey: DoubleLengthKey(authentication.key)
                    )
                )
            }
            return output
        }
    }

    /// A whole PIN CHANGE command.
    struct CommandCase: Sendable {
        var integrityKey: CardKeyInput
        var confidentialityKey: CardKeyInput
        /// The card whose key Visa's PIN block takes a part of.
        var cryptogramKey: CardKeyInput?
        var usesVisaKeys: Bool
        var counter: UInt16
        var cryptogram: UInt64
        var header: [UInt8]
        var pin: NewPIN
        var isVisaBlock: Bool
        var encipherment: IssuerScript.Encipherment

        private enum Method: String, CaseIterable { case visa, common }
        private enum BlockFormat: String, CaseIterable {
            case visa
            case format2 = "2"
        }

        init(_ input: inout JSONObject) throws(ProfilesError) {
            integrityKey = try CardKeyInput(&input, key: "integrityIssuerKey")
            confidentialityKey = try CardKeyInput(&input, key: "confidentialityIssuerKey")
            cryptogramKey =
                input.has("cryptogramIssuerKey")
                ? try CardKeyInput(&input, key: "cryptogramIssuerKey") : nil
            usesVisaKeys = try input.choice("sessionKeyMethod", of: Method.self) == .visa
            counter = try input.number("counter")
            cryptogram = try input.number("cryptogram")
            header = try input.hex("header", 4...4)
            isVisaBlock = try input.choice("pinBlockFormat", of: BlockFormat.self) == .visa
            pin = try NewPIN(&input)
            encipherment = try input.named(
                "encipherment",
                among: IssuerScript.Encipherment.allCases
            )
            guard !isVisaBlock || cryptogramKey != nil else {
                throw ProfilesError(
                    input.path(to: "cryptogramIssuerKey"),
                    "is missing, and Visa's PIN block takes a part of the card's key"
                )
            }
        }

        func output() throws -> VectorOutput {
            let integrityKey = sessionKey(of: integrityKey)
            let confidentialityKey = sessionKey(of: confidentialityKey)
            var pin = pin
            if isVisaBlock { pin.cardKey = cryptogramKey?.cardKey().exportedBytes }
            let block = try pin.block()
            let enciphered = IssuerScript.encipher(
                block,
                as: encipherment,
                sessionKey: confidentialityKey
            )
            let command = IssuerScript.command(
                header: header,
                data: enciphered,
                counter: counter,
                cryptogram: cryptogram,
                sessionKey: integrityKey
            )
            return [
                "integrityKey": .bytes(integrityKey.exportedBytes),
                "confidentialityKey": .bytes(confidentialityKey.exportedBytes),
                "pinBlock": .bytes(block), "enciphered": .bytes(enciphered),
                "command": .bytes(command),
            ]
        }

        private func sessionKey(of input: CardKeyInput) -> DoubleLengthKey {
            let cardKey = input.cardKey()
            guard !usesVisaKeys else { return cardKey.visaSecureMessagingKey(counter: counter) }
            var cipher = TripleDES(key: cardKey)
            return cipher.commonSessionKey(diversifier: cryptogram)
        }
    }
}

/// A PIN that a script gives to a card.
struct NewPIN: Sendable {
    var pin: [UInt8]
    var currentPIN: [UInt8]?
    /// The card's key for cryptograms, of which Visa's block takes a part; format 2 without.
    var cardKey: [UInt8]?

    init(_ input: inout JSONObject) throws(ProfilesError) {
        pin = try input.digits("pin", 0...16)
        currentPIN = input.has("currentPIN") ? try input.digits("currentPIN", 0...16) : nil
        cardKey = try input.optionalHex("cardKey", 16...16)
    }

    /// Makes the block.
    func block() throws(PINBlockError) -> [UInt8] {
        guard let cardKey else { return try PINBlock.format2(pin: pin) }
        return try PINBlock.visa(
            pin: pin,
            currentPIN: currentPIN,
            cardKey: DoubleLengthKey(cardKey)
        )
    }
}
