import CommandLineKit
import EMVCrypto
import Octets

extension CryptoCommand {
    private static let macForms: [(word: String, value: IssuerScript.MACInput)] = [
        ("header-atc-cryptogram", .headerCounterAndCryptogram), ("header", .header),
    ]

    // MARK: script-mac

    static let scriptMAC = CryptoOperation(
        name: "script-mac",
        summary: "Computes the MAC of a script's command, and the whole command (EMV Book 2, 9.2).",
        discussion: [
            "The key is the session key for script integrity: for Visa CVN 10 and 17 of session-key --method visa-script, else of session-key --diversifier CRYPTOGRAM. The header's last byte is the length of data and MAC together."
        ],
        examples: [
            "tapwire crypto script-mac --key 94F867167C64EF23EAB0CB627A7ACB62 --header 8418000008 --atc 001C --cryptogram 7A788EA6B8A3E733"
        ],
        groups: [
            CommandOption.Group(
                "Options",
                [
                    .hex("key", "Session key for script integrity (SMI)."),
                    .hex("header", "CLA, INS, P1, P2 and Lc of the command."),
                    .hex("atc", "Application transaction counter (9F36)."),
                    .hex("cryptogram", "Application cryptogram (9F26) of the request."),
                    .hex("data", "The command's data as they are sent; none without."),
                    .choice(
                        "form",
                        macForms.map(\.word),
                        "What the MAC covers in front of the data; header-atc-cryptogram without."
                    ),
                    .value("length", "N", "Bytes of the MAC, 4 to 8; 8 without."),
                ]
            )
        ],
        run: { input throws(CommandFailure) in
            var result = CryptoResult()
            let key = try input.key("key")
            let header = try input.bytes("header", 5...5, "a command header")
            let form = try input.choice("form", macForms)
            let data = try input.optionalBytes("data", 0...247, "data") ?? []
            let length = try input.optionalInteger("length", 4...8) ?? 8
            guard Int(header[4]) == data.count + length else {
                throw CommandFailure(
                    .usage,
                    "--header ends with Lc \([header[4]].hex), and data and MAC together have \((data.count + length).byteText), which is \([UInt8(data.count + length)].hex)"
                )
            }
            let isBound = form == .headerCounterAndCryptogram
            let message = IssuerScript.macInput(
                header: header,
                counter: isBound
                    ? UInt16(try input.number("atc", 2, "a transaction counter")) : 0,
                cryptogram: isBound ? try input.number("cryptogram", 8, "a cryptogram") : 0,
                data: data,
                form: form
            )
            let mac = IssuerScript.mac(
                over: message,
                sessionKey: key,
                byteCount: length
            )
            result.step("input", "Input", message.hex)
            result.step("padded", "Filled up", RetailMAC.Padding.marked.padded(message).hex)
            result.add("mac", "MAC", mac.hex)
            result.add("command", "Command", (header + data + mac).hex)
            return result
        }
    )

    // MARK: script-encipher

    private static let encipherments: [(word: String, value: IssuerScript.Encipherment)] = [
        ("mastercard", .mastercard), ("ccd", .commonCore), ("visa", .visa),
    ]

    static let scriptEncipherment = CryptoOperation(
        name: "script-encipher",
        summary: "Enciphers or deciphers the data of a script's command (EMV Book 2, 9.3).",
        discussion: [
            "mastercard fills data up only if they are not whole blocks, ccd always, both chain them; visa puts the length in front and enciphers each block on its own."
        ],
        examples: [
            "tapwire crypto script-encipher --key 9EE6A89276B008516226F8CE75FD8C02 --scheme mastercard --data 249999FFFFFFFFFF",
            "tapwire crypto script-encipher --key 9EE6A89276B008516226F8CE75FD8C02 --decipher --data 28367E05DE3381C2",
        ],
        groups: [
            CommandOption.Group(
                "Options",
                [
                    .hex("key", "Session key for script confidentiality (SMC)."),
                    .hex("data", "The data, for instance a PIN block; see pin-block."),
                    .choice(
                        "scheme",
                        encipherments.map(\.word),
                        "How they are filled up and chained; mastercard without."
                    ),
                    .flag("decipher", "Deciphers instead, as the card does."),
                ]
            )
        ],
        run: { input throws(CommandFailure) in
            var result = CryptoResult()
            let key = try input.key("key")
            let data = try input.bytes("data", 0...247, "data")
            let encipherment = try input.choice("scheme", encipherments)
            if input.flag("decipher") {
                if let blocks = IssuerScript.decipheredBlocks(
                    data,
                    as: encipherment,
                    sessionKey: key
                ) {
                    result.step("blocks", "Deciphered blocks", blocks.hex)
                }
                guard
                    let clear = IssuerScript.decipher(data, as: encipherment, sessionKey: key)
                else {
                    throw CommandFailure(
                        .failure,
                        "--data do not decipher: they are no whole blocks, or not filled up as --scheme says"
                    )
                }
                result.add("data", "Data", clear.hex)
                return result
            }
            result.step("padded", "Filled up", encipherment.padded(data).hex)
            let enciphered = IssuerScript.encipher(data, as: encipherment, sessionKey: key)
            result.add("enciphered", "Enciphered", enciphered.hex)
            return result
        }
    )
}
