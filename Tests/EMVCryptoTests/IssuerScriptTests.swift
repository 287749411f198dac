import EMVCrypto
import Octets
import TestSupport
import Testing

private struct Parameters: Decodable { var of: String }

private struct Input: Decodable, Sendable {
    var key: HexBytes?
    var header: HexBytes?
    var counter: HexBytes?
    var cryptogram: HexBytes?
    var data: HexBytes?
    var form: String?
    var encipherment: String?
    var pin: String?
    var currentPIN: String?
    var cardKey: HexBytes?
    var integrityKey: HexBytes?
    var option: String?
    var pan: String?
    var sequenceNumber: HexBytes?
    var integrityIssuerKey: HexBytes?
    var confidentialityIssuerKey: HexBytes?
    var cryptogramIssuerKey: HexBytes?
    var sessionKeyMethod: String?
    var pinBlockFormat: String?
}

private struct Expected: Decodable, Sendable {
    var input: HexBytes?
    var mac: HexBytes?
    var enciphered: HexBytes?
    var integrityKey: HexBytes?
    var confidentialityKey: HexBytes?
    var pinBlock: HexBytes?
    var command: HexBytes?
}

private typealias Vector = VectorCase<Input, Expected>

private func cases(of kind: String) throws -> [Vector] {
    try VectorFile<Parameters, Input, Expected>.load("issuer-scripts").groups
        .filter { $0.parameters.of == kind }.flatMap(\.cases)
}

extension Vector {
    fileprivate var encipherment: IssuerScript.Encipherment {
        get throws {
            try #require(
                IssuerScript.Encipherment.allCases.first { "\($0)" == input.encipherment }
            )
        }
    }

    /// Derives a session key for secure messaging from an issuer key.
    fileprivate func sessionKey(_ issuerKey: HexBytes?) throws -> DoubleLengthKey {
        let cardKey = try cardKey(issuerKey)
        if input.sessionKeyMethod == "visa" {
            return try cardKey.visaSecureMessagingKey(
                counter: UInt16(#require(input.counter).number)
            )
        }
        var cipher = TripleDES(key: cardKey)
        return try cipher.commonSessionKey(diversifier: #require(input.cryptogram).number)
    }

    fileprivate func cardKey(_ issuerKey: HexBytes?) throws -> DoubleLengthKey {
        var cipher = try TripleDES(key: DoubleLengthKey(#require(issuerKey)))
        return try cipher.cardKey(
            pan: panDigits(input.pan),
            sequenceNumber: #require(input.sequenceNumber?.bytes.first),
            derivation: input.option == "A" ? .optionA : .optionB
        )
    }
}

@Suite("Issuer scripts (EMV Book 2, 9)")
struct IssuerScriptTests {
    @Test("A command has the MAC published", arguments: try cases(of: "mac"))
    fileprivate func mac(_ vector: Vector) throws {
        let form = IssuerScript.MACInput.allCases.first { "\($0)" == vector.input.form }
        let input = try IssuerScript.macInput(
            header: #require(vector.input.header).bytes,
            counter: UInt16(#require(vector.input.counter).number),
            cryptogram: #require(vector.input.cryptogram).number,
            data: #require(vector.input.data).bytes,
            form: #require(form)
        )
        #expect(input == vector.expected.input?.bytes)
        let expected = try #require(vector.expected.mac).bytes
        let key = try DoubleLengthKey(#require(vector.input.key))
        for byteCount in 4...8 {
            let mac = IssuerScript.mac(over: input, sessionKey: key, byteCount: byteCount)
            #expect(mac == [UInt8](expected.prefix(byteCount)))
        }
    }

    @Test("Data encipher as published, and back", arguments: try cases(of: "encipherment"))
    fileprivate func encipherment(_ vector: Vector) throws {
        let key = try DoubleLengthKey(#require(vector.input.key))
        let data = try #require(vector.input.data).bytes
        let enciphered = try IssuerScript.encipher(
            data,
            as: vector.encipherment,
            sessionKey: key
        )
        #expect(enciphered == vector.expected.enciphered?.bytes)
        let clear = try IssuerScript.decipher(
            enciphered,
            as: vector.encipherment,
            sessionKey: key
        )
        #expect(clear == data)
        guard let integrityKey = vector.input.integrityKey, let header = vector.input.header else {
            return
        }
        let mac = IssuerScript.mac(
            over: header.bytes + enciphered,
            sessionKey: DoubleLengthKey(integrityKey)
        )
        #expect(mac == vector.expected.mac?.bytes)
    }

    @Test("A PIN makes the block published", arguments: try cases(of: "encipherment"))
    fileprivate func pinBlock(_ vector: Vector) throws {
        guard let pin = vector.input.pin else { return }
        let block =
            if let cardKey = vector.input.cardKey {
                try PINBlock.visa(
                    pin: panDigits(pin),
                    currentPIN: vector.input.currentPIN.map(panDigits),
                    cardKey: DoubleLengthKey(cardKey)
                )
            } else {
                try PINBlock.format2(pin: panDigits(pin))
            }
        #expect(block == vector.input.data?.bytes)
    }

    @Test("A PIN change command is the one published", arguments: try cases(of: "command"))
    fileprivate func command(_ vector: Vector) throws {
        let integrityKey = try vector.sessionKey(vector.input.integrityIssuerKey)
        let confidentialityKey = try vector.sessionKey(vector.input.confidentialityIssuerKey)
        #expect(integrityKey.exportedBytes == vector.expected.integrityKey?.bytes)
        #expect(confidentialityKey.exportedBytes == vector.expected.confidentialityKey?.bytes)
        let block =
            if vector.input.pinBlockFormat == "visa" {
                try PINBlock.visa(
                    pin: panDigits(vector.input.pin),
                    currentPIN: vector.input.currentPIN.map(panDigits),
                    cardKey: vector.cardKey(vector.input.cryptogramIssuerKey)
                )
            } else {
                try PINBlock.format2(pin: panDigits(vector.input.pin))
            }
        #expect(block == vector.expected.pinBlock?.bytes)
        let data = try IssuerScript.encipher(
            block,
            as: vector.encipherment,
            sessionKey: confidentialityKey
        )
        #expect(data == vector.expected.enciphered?.bytes)
        let command = try IssuerScript.command(
            header: #require(vector.input.header).bytes,
            data: data,
            counter: UInt16(#require(vector.input.counter).number),
            cryptogram: #require(vector.input.cryptogram).number,
            sessionKey: integrityKey
        )
        #expect(command == vector.expected.command?.bytes)
    }

    @Test(
        "Every length comes back as it went in",
        arguments: IssuerScript.Encipherment.allCases
    )
    func lengths(encipherment: IssuerScript.Encipherment) {
        let key = DoubleLengthKey(left: 0x0123_4567_89AB_CDEF, right: 0xFEDC_BA98_7654_3210)
        for count in 0...32 {
            let data = (0..<count).map { UInt8($0 + 1) }
            let enciphered = IssuerScript.encipher(data, as: encipherment, sessionKey: key)
            #expect(enciphered.count % 8 == 0)
            guard !enciphered.isEmpty else { continue }
            let clear = IssuerScript.decipher(enciphered, as: encipherment, sessionKey: key)
            // Mastercard's filling cannot be told from data.
            let expected = encipherment == .mastercard ? encipherment.padded(data) : data
            #expect(clear == expected, "\(count) bytes")
        }
    }

    @Test("Data that are not filled up are refused")
    func malformed() {
        let key = DoubleLengthKey(left: 1, right: 2)
        for encipherment in IssuerScript.Encipherment.allCases {
            for count in 0...17 where count % 8 != 0 || count == 0 {
                let data = [UInt8](repeating: 0, count: count)
                #expect(
                    IssuerScript.decipher(data, as: encipherment, sessionKey: key) == nil
                )
            }
        }
        // Enciphered without filling: no 80 at the end, and no length in front.
        let wrong = [
            IssuerScript.Encipherment.commonCore: [UInt8](repeating: 0x11, count: 16),
            .visa: [0x09] + [UInt8](repeating: 0x11, count: 7),
        ]
        for (encipherment, clear) in wrong {
            let whole = IssuerScript.encipher(clear, as: .mastercard, sessionKey: key)
            let data =
                encipherment == .visa
                ? [UInt8](
                    IssuerScript.encipher([UInt8](clear.dropFirst()), as: .visa, sessionKey: key)
                        .suffix(8)
                )
                : whole
            #expect(IssuerScript.decipher(data, as: encipherment, sessionKey: key) == nil)
        }
    }
}
