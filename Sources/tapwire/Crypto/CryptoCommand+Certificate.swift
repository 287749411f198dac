import CommandLineKit
import EMVCrypto
import EMVData
import Octets
import Profiles

extension CryptoCommand {
    // MARK: certificate

    static let certificate = CryptoOperation(
        name: "certificate",
        summary:
            "Recovers an issuer's or a card's certificate and explains it (EMV Book 2, 5 and 6).",
        discussion: [
            "For an issuer's certificate (90) give the authority's key: --ca-modulus and --ca-exponent, or --rid and --ca-index of a key in --ca-keys FILE (without it, of the test keys built in). For a card's (9F46) give the issuer's: --issuer-modulus and --issuer-exponent, and the static data that were signed.",
            "An elliptic curve certificate of kernel 8 begins with 12 or 14: give --ca-x or --issuer-x.",
            "--pan and --date check what else the books have a terminal check. A check that fails ends with exit code 1 and says which.",
        ],
        examples: [
            "tapwire crypto certificate --certificate 120054133390FF1020301231123456A000000004E0CD7400578B1164FEA954658C763C5A94FB3514FA89DB5B3B447AE8F4D5DF870A739061ADBC6FC71C8864EA9D3D6BAB5C9501C058D895FE0F69D92E22412953DC1ACCCBBE60809C5694C739CA54CC3FF4CF0964E1B946C3ED00C4E572A5021988 --rid A000000004 --ca-index E0 --ca-x F60DAECD42B48FCCA547D942204D6098F1A353A5CD25CBDF2EC1ABFD0170E0FC"
        ],
        groups: [
            CommandOption.Group(
                "Certificate",
                [
                    .hex("certificate", "The certificate (90 or 9F46)."),
                    .hex("remainder", "What did not fit of the key (92 or 9F48); none without."),
                    .hex("exponent", "The certified key's exponent (9F32 or 9F47); 03 without."),
                    .hex("static-data", "A card's static data to be authenticated; none without."),
                ]
            ),
            CommandOption.Group(
                "Key that signed it",
                [
                    .hex("rid", "Registered application provider, five bytes."),
                    .hex("ca-index", "Index of the authority's key (8F)."),
                    .value("ca-keys", "FILE", "Keys of authorities, as tap takes them."),
                    .hex("ca-modulus", "The authority's modulus."),
                    .hex("ca-exponent", "The authority's exponent; 03 without."),
                    .hex("issuer-modulus", "The issuer's modulus."),
                    .hex("issuer-exponent", "The issuer's exponent; 03 without."),
                    .hex("ca-x", "The authority's elliptic curve key."),
                    .hex("issuer-x", "The issuer's elliptic curve key."),
                ]
            ),
            CommandOption.Group(
                "Checks",
                [
                    .digits("pan", "PAN the certificate shall be for."),
                    .value("date", "DATE", "Day it shall be good on, such as 2026-11-30."),
                ]
            ),
        ],
        run: { input throws(CommandFailure) in
            let bytes = try input.bytes("certificate", 1...400, "a certificate")
            var result = CryptoResult()
            try result.attempt { (result) throws(CommandFailure) in
                if input.has("ca-x") {
                    try ellipticCurveIssuerCertificate(bytes, input, &result)
                } else if input.has("issuer-x") {
                    try ellipticCurveCardCertificate(bytes, input, &result)
                } else if input.has("issuer-modulus") {
                    try cardCertificate(bytes, input, &result)
                } else {
                    try issuerCertificate(bytes, input, &result)
                }
            }
            return result
        }
    )

    private static func issuerCertificate(
        _ bytes: [UInt8],
        _ input: CryptoInput,
        _ result: inout CryptoResult
    ) throws(CommandFailure) {
        let caKey = try authorityKey(input)
        let (remainder, exponent) = try keyParts(input)
        addRecovered(bytes, caKey.key, &result)
        let certificate = try checked { () throws(CertificateError) in
            try IssuerCertificate.recover(
                certificate: bytes,
                remainder: remainder,
                exponent: exponent,
                caKey: caKey
            )
        }
        add(certificate, to: &result)
        if let pan = try input.optionalDigits("pan", 8...19, "a PAN") {
            try checked { () throws(CertificateError) in
                try certificate.checkIssuer(ofPAN: pan)
            }
        }
        if let date = try date(input) {
            try checked { () throws(CertificateError) in try certificate.checkExpiry(on: date) }
        }
    }

    private static func cardCertificate(
        _ bytes: [UInt8],
        _ input: CryptoInput,
        _ result: inout CryptoResult
    ) throws(CommandFailure) {
        let issuerKey = try publicKey("issuer", input)
        let (remainder, exponent) = try keyParts(input)
        let staticData = try input.optionalBytes("static-data", 0...4096, "static data") ?? []
        addRecovered(bytes, issuerKey, &result)
        let certificate = try checked { () throws(CertificateError) in
            try ICCCertificate.recover(
                certificate: bytes,
                remainder: remainder,
                exponent: exponent,
                issuerKey: issuerKey,
                staticData: staticData
            )
        }
        add(certificate, pan: certificate.pan.text, to: &result)
        if let pan = try input.optionalDigits("pan", 8...19, "a PAN") {
            try checked { () throws(CertificateError) in try certificate.checkPAN(pan) }
        }
        if let date = try date(input) {
            try checked { () throws(CertificateError) in try certificate.checkExpiry(on: date) }
        }
    }

    /// Adds what an issuer's certificate says.
    static func add(_ certificate: IssuerCertificate, to result: inout CryptoResult) {
        result.add("kind", "Certificate of", "an issuer")
        result.add("issuerIdentifier", "Issuer identifier", certificate.issuerIdentifier.text)
        result.add("expiry", "Good until", certificate.expiry.text)
        result.add("serialNumber", "Serial number", certificate.serialNumber.hex)
        result.add("modulus", "Modulus", certificate.key.modulus.hex)
        result.add("exponent", "Exponent", certificate.key.exponent.hex)
    }

    /// Adds what a card's certificate says.
    static func add(
        _ certificate: ICCCertificate,
        pan: String,
        to result: inout CryptoResult
    ) {
        result.add("kind", "Certificate of", "a card")
        result.add("pan", "PAN", pan)
        result.add("expiry", "Good until", certificate.expiry.text)
        result.add("serialNumber", "Serial number", certificate.serialNumber.hex)
        result.add("modulus", "Modulus", certificate.key.modulus.hex)
        result.add("exponent", "Exponent", certificate.key.exponent.hex)
    }

    private static func ellipticCurveIssuerCertificate(
        _ bytes: [UInt8],
        _ input: CryptoInput,
        _ result: inout CryptoResult
    ) throws(CommandFailure) {
        let authority = ECAuthorityKey(
            rid: try input.bytes("rid", 5...5, "a RID"),
            index: UInt8(try input.number("ca-index", 1, "an index")),
            key: try ellipticCurveKey("ca-x", input)
        )
        result.stepSignature(bytes, authority.key)
        let certificate = try checked { () throws(CertificateError) in
            try ECIssuerCertificate.verify(bytes, authority: authority)
        }
        result.add("kind", "Certificate of", "an issuer, elliptic curve")
        result.add("issuerIdentifier", "Issuer identifier", certificate.issuerIdentifier.text)
        result.add("expiry", "Good until", certificate.expiry.text)
        result.add("serialNumber", "Serial number", certificate.serialNumber.hex)
        result.add("x", "Key", certificate.key.x.hex)
        if let pan = try input.optionalDigits("pan", 8...19, "a PAN") {
            try checked { () throws(CertificateError) in
                try certificate.checkIssuer(ofPAN: pan)
            }
        }
        if let date = try date(input) {
            try checked { () throws(CertificateError) in try certificate.checkExpiry(on: date) }
        }
    }

    private static func ellipticCurveCardCertificate(
        _ bytes: [UInt8],
        _ input: CryptoInput,
        _ result: inout CryptoResult
    ) throws(CommandFailure) {
        let key = try ellipticCurveKey("issuer-x", input)
        result.stepSignature(bytes, key)
        let certificate = try checked { () throws(CertificateError) in
            try ECCardCertificate.verify(bytes, issuerKey: key)
        }
        result.add("kind", "Certificate of", "a card, elliptic curve")
        result.add("expiry", "Good until", certificate.expiry.text)
        result.add("serialNumber", "Serial number", certificate.serialNumber.hex)
        result.add("staticDataHash", "Hash of static data", certificate.staticDataHash.hex)
        result.add("x", "Key", certificate.key.x.hex)
        if let date = try date(input) {
            try checked { () throws(CertificateError) in try certificate.checkExpiry(on: date) }
        }
    }

    /// An elliptic curve key, whose length tells the curve.
    private static func ellipticCurveKey(
        _ name: String,
        _ input: CryptoInput
    ) throws(CommandFailure) -> ECPublicKey {
        let x = try input.bytes(name, 32...66, "a coordinate")
        do throws(CertificateError) {
            return try ECPublicKey(suite: x.count == 32 ? .p256 : .p521, x: x)
        } catch {
            throw CommandFailure(.usage, "--\(name): \(error.sentence)")
        }
    }

    private static func authorityKey(_ input: CryptoInput) throws(CommandFailure) -> CAPublicKey {
        if input.has("ca-modulus") {
            let key = try publicKey("ca", input)
            let rid = try input.optionalBytes("rid", 5...5, "a RID")
            let index = try input.optionalNumber("ca-index", 1, "an index")
            return try checked { () throws(CertificateError) in
                try CAPublicKey(
                    rid: rid ?? [0, 0, 0, 0, 0],
                    index: UInt8(index ?? 0),
                    modulus: key.modulus,
                    exponent: key.exponent
                )
            }
        }
        guard input.has("rid"), input.has("ca-index") else {
            throw CommandFailure(
                .usage,
                "the key that signed is missing: give --ca-modulus, --rid and --ca-index, or --issuer-modulus"
            )
        }
        let rid = try input.bytes("rid", 5...5, "a RID")
        let index = UInt8(try input.number("ca-index", 1, "an index"))
        let keys = try authorityKeys(input)
        guard let key = keys.first(where: { $0.rid == rid && $0.index == index }) else {
            throw CommandFailure(
                .usage,
                "no key \(index.hex) of \(rid.hex) is known; give --ca-modulus, or a file with --ca-keys"
            )
        }
        return key
    }

    private static func authorityKeys(
        _ input: CryptoInput
    ) throws(CommandFailure) -> [CAPublicKey] {
        guard let path = input["ca-keys"] else { return CAPublicKey.testKeys }
        do {
            return try InputFile.json(path, .authorityKeys) { (text) throws(ProfilesError) in
                try CAPublicKey.keys(json: text)
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.badFile, "key file \(path.quoted) cannot be read")
        }
    }

    /// The key of `--NAME-modulus` and `--NAME-exponent`.
    static func publicKey(
        _ name: String,
        _ input: CryptoInput
    ) throws(CommandFailure) -> RSAPublicKey {
        let modulus = try input.bytes("\(name)-modulus", 64...248, "a modulus")
        let exponent = try input.optionalBytes("\(name)-exponent", 1...3, "an exponent") ?? [3]
        do throws(CertificateError) {
            return try RSAPublicKey(modulus: modulus, exponent: exponent)
        } catch {
            throw CommandFailure(.usage, "--\(name)-modulus, --\(name)-exponent: \(error.sentence)")
        }
    }

    private static func keyParts(
        _ input: CryptoInput
    ) throws(CommandFailure) -> (remainder: [UInt8], exponent: [UInt8]) {
        (
            try input.optionalBytes("remainder", 0...248, "a remainder") ?? [],
            try input.optionalBytes("exponent", 1...3, "an exponent") ?? [3]
        )
    }

    private static func date(_ input: CryptoInput) throws(CommandFailure) -> TransactionDate? {
        guard let text = input["date"] else { return nil }
        guard let date = TransactionDate(text: text) else {
            throw CommandFailure(
                .usage,
                "--date needs a day of 1950 to 2049 such as 2026-11-30, not \(text.quoted)"
            )
        }
        return date
    }

    /// Shows the block that comes out of a signature, right or wrong.
    static func addRecovered(
        _ signature: [UInt8],
        _ key: RSAPublicKey,
        _ result: inout CryptoResult
    ) {
        if let block = key.recover(signature) {
            result.step("recovered", "Recovered", block.hex)
        }
    }

    /// Makes a sentence of the check that fails.
    static func checked<Value>(
        _ name: String = "certificate",
        _ body: () throws(CertificateError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(CertificateError) { return try body() } catch {
            throw CommandFailure(.failure, "--\(name): \(error.sentence)")
        }
    }

    // MARK: sdad

    static let signedDynamicData = CryptoOperation(
        name: "sdad",
        summary: "Recovers what a card signed in a transaction, for DDA, CDA or fast DDA.",
        discussion: [
            "What the terminal added: --terminal-data has the values of the DDOL for DDA, the unpredictable number alone for CDA. For fast DDA give --un, --amount, --currency and --card-data (9F69) instead.",
            "For CDA give what was sent and answered as well, to check the hash over the transaction. A check that fails ends with exit code 1 and says which.",
        ],
        examples: [
            "tapwire crypto sdad --signature 762F1D0A5B81419A5481ECD0391DE135B95C99931B05C68FD1B6B7720CBCE92AA1B5B90441A3E91E3B20DFEE7A25385DD101B63779050598388CEA5E10E953A70F655BCB6308D396B8B4DA51F5DD6DCD6321E2783E3F8363ED657961F18E759C --icc-modulus 900000000000000000000000001200000000000000000000000000000000480000000000000000000000000000000010800000000000000000000000019800000000000000000000000000000006600000000000000000000000000000000055 --icc-exponent 03 --terminal-data ABABABAB"
        ],
        groups: [
            CommandOption.Group(
                "Signature",
                [
                    .hex("signature", "Signed dynamic application data (9F4B)."),
                    .hex("icc-modulus", "The card's modulus, from its certificate."),
                    .hex("icc-exponent", "The card's exponent; 03 without."),
                ]
            ),
            CommandOption.Group(
                "What the terminal added",
                [
                    .hex("terminal-data", "The values of the DDOL, or for CDA 9F37; or:"),
                    .hex("un", "Fast DDA: unpredictable number (9F37)."),
                    .hex("amount", "Fast DDA: amount (9F02)."),
                    .hex("currency", "Fast DDA: currency (5F2A)."),
                    .hex("card-data", "Fast DDA: card authentication related data (9F69)."),
                ]
            ),
            CommandOption.Group(
                "What CDA covers",
                [
                    .hex("pdol-data", "Values of the PDOL as they were sent; none without."),
                    .hex("cdol1-data", "Values of CDOL1."),
                    .hex("cdol2-data", "Values of CDOL2, for the second GENERATE AC."),
                    .hex("response", "Objects of the answer without 77 and without 9F4B."),
                ]
            ),
        ],
        run: { input throws(CommandFailure) in
            var result = CryptoResult()
            try result.attempt { (result) throws(CommandFailure) in
                try signedDynamicData(input, &result)
            }
            return result
        }
    )

    private static func signedDynamicData(
        _ input: CryptoInput,
        _ result: inout CryptoResult
    ) throws(CommandFailure) {
        let signature = try input.bytes("signature", 1...248, "a signature")
        let key = try publicKey("icc", input)
        let terminalData = try terminalData(input)
        addRecovered(signature, key, &result)
        result.step("terminalData", "Terminal's data", terminalData.hex)
        let signed = try checked("signature") { () throws(CertificateError) in
            try SignedDynamicData.recover(signature, iccKey: key, terminalData: terminalData)
        }
        result.add("format", "Format", signed.format.rawValue.hex)
        result.add("iccDynamicNumber", "ICC dynamic number", signed.iccDynamicNumber.hex)
        guard signed.format == .dynamicData, let combined = try? signed.combined() else {
            guard !input.has("response") else {
                throw CommandFailure(
                    .failure,
                    "--signature: no cryptogram was signed, so there is nothing to compare --response with"
                )
            }
            return
        }
        let kind = combined.cryptogramInformationData
        result.add("cryptogramInformationData", "9F27", kind.hex)
        result.add("applicationCryptogram", "9F26", combined.applicationCryptogram.hex)
        result.add("transactionDataHash", "Hash", combined.transactionDataHash.hex)
        if !combined.rest.isEmpty { result.add("rest", "Behind it", combined.rest.hex) }
        guard let response = try input.optionalBytes("response", 0...4096, "data objects") else {
            return
        }
        let hash = SignedDynamicData.transactionDataHash(
            processingOptionsData: try input.optionalBytes("pdol-data", 0...255, "data") ?? [],
            firstCryptogramData: try input.bytes("cdol1-data", 0...255, "data"),
            secondCryptogramData: try input.optionalBytes("cdol2-data", 0...255, "data") ?? [],
            response: response
        )
        result.step("computedHash", "Hash of the transaction", hash.hex)
        result.check(
            "isTransaction",
            "Of this transaction",
            hash == combined.transactionDataHash
        )
    }

    private static func terminalData(_ input: CryptoInput) throws(CommandFailure) -> [UInt8] {
        if let bytes = try input.optionalBytes("terminal-data", 0...255, "data") { return bytes }
        guard input.has("un") else {
            throw CommandFailure(
                .usage,
                "the terminal's data are missing: give --terminal-data, or --un for fast DDA"
            )
        }
        let number = try input.bytes("un", 4...4, "an unpredictable number")
        let related = try input.optionalBytes("card-data", 0...16, "related data") ?? []
        // A card of version 00 does not sign them, but whoever has them may give them.
        let isBound = related.first == 1
        let amount =
            isBound
            ? try input.bytes("amount", 6...6, "an amount")
            : try input.optionalBytes("amount", 6...6, "an amount") ?? []
        let currency =
            isBound
            ? try input.bytes("currency", 2...2, "a currency")
            : try input.optionalBytes("currency", 2...2, "a currency") ?? []
        do throws(CertificateError) {
            return try SignedDynamicData.fastTerminalData(
                unpredictableNumber: number,
                amount: amount,
                currency: currency,
                relatedData: related
            )
        } catch {
            throw CommandFailure(.usage, "--card-data begins with a version other than 00 and 01")
        }
    }
}

extension CryptoResult {
    /// Shows how the signature at the end of an elliptic curve certificate is checked.
    fileprivate mutating func stepSignature(_ certificate: [UInt8], _ key: ECPublicKey) {
        guard let count = key.suite.signatureByteCount, certificate.count > count else { return }
        let message = [UInt8](certificate.dropLast(count))
        step("point", "Point of the key", key.point.hex)
        step("message", "Signed", message.hex)
        guard let check = key.check([UInt8](certificate.suffix(count)), of: message) else { return }
        step("hash", "Signature: hash", check.hash.hex)
        step("response", "Signature: response", check.response.hex)
        step("commitment", "Commitment", check.commitment.hex)
        step("computedHash", "Hash computed", check.computedHash.hex)
    }
}

extension [UInt8] {
    /// Digits as text.
    fileprivate var text: String { map(String.init).joined() }
}

extension CertificateExpiry {
    /// The last month, as people write it.
    fileprivate var text: String { month < 10 ? "\(year)-0\(month)" : "\(year)-\(month)" }
}

extension ECCertificateExpiry {
    /// The last minute, as people write it.
    fileprivate var text: String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(padded(month))-\(padded(day))T\(padded(hour)):\(padded(minute))"
    }
}

extension CertificateError {
    /// What is wrong, and where it lies.
    var sentence: String {
        switch self {
        case .unsupportedModulus(let count):
            "a modulus of \(count) bytes: it must be odd, without zeros before it, 64 to 248 bytes long"
        case .unsupportedExponent: "an exponent must be 03 or 010001"
        case .inconsistentPrivateKey: "the numbers of a private key do not belong together"
        case .wrongLength(let expected, let found):
            "it has \(found) bytes and should have \(expected), as many as its key demands"
        case .notBelowModulus: "it is a larger number than the modulus: the key is another"
        case .wrongTrailer(let byte):
            "what comes out ends with \(byte.hex), not BC: the key is another, or a byte is wrong"
        case .wrongHeader(let byte):
            "what comes out begins with \(byte.hex), not 6A: the key is another, or a byte is wrong"
        case .wrongFormat(let format):
            "what comes out is of format \(format.rawValue.hex): another kind of certificate or signature"
        case .unknownHashAlgorithm(let byte): "hash algorithm \(byte.hex) is not known"
        case .unknownKeyAlgorithm(let byte): "key algorithm \(byte.hex) is not known"
        case .wrongHash:
            "the hash does not match: exponent, remainder, static or terminal data are others"
        case .wrongKeyLength(let byte): "a key of \(byte) bytes cannot be certified"
        case .wrongRemainderLength(let expected, let found):
            "--remainder has \(found) bytes and should have \(expected)"
        case .wrongExponentLength(let byte):
            "--exponent should have \(byte) bytes, as the certificate says"
        case .malformedIssuerIdentifier: "the issuer identifier is not 3 to 8 digits and F"
        case .malformedPAN: "the certified PAN is not 12 to 19 digits and F"
        case .malformedExpiry: "the expiry is no date"
        case .wrongIssuer: "the issuer identifier is not the beginning of --pan"
        case .wrongPAN: "the certificate is for another PAN than --pan"
        case .expired: "the certificate has expired on --date"
        case .malformedDynamicData: "the dynamic data do not hold what they should"
        case .signingFailed: "libcrypto failed to sign"
        case .revoked: "the certificate was called back"
        case .wrongAuthority: "the certificate names another --rid or --ca-index"
        case .unknownEncoding(let byte): "encoding \(byte.hex) is not known"
        case .wrongSignature: "the signature is not that of the key"
        case .notOnCurve: "the number is not the coordinate of a point of the curve"
        }
    }
}
