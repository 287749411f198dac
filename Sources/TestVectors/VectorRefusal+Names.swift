import BERTLV
import Octets

extension VectorRefusal {
    /// Whether a family can refuse an input with such an error.
    static func isKnown(_ name: String) -> Bool {
        if names.contains(name) { return true }
        let digits = String(name.drop { $0.isLowercase })
        guard let bytes = try? [UInt8](hex: digits), digits.allSatisfy(\.isHexDigit) else {
            return false
        }
        // Reading a card names the object or the status word that is wrong: missing9F38, status6985.
        switch name.dropLast(digits.count) {
        case "status": return bytes.count == 2
        case "malformed", "missing", "wrong": return Tag(bytes: bytes) != nil
        default: return false
        }
    }

    /// The errors, as schemas/vectors.schema.json has them too.
    static let names: Set<String> = [
        "amountTooLarge", "cardAndKernelDisagree", "checkCharacter",
        "contradictoryAccountNumbers", "digitsDoNotFit", "duplicate", "duplicateName",
        "excessBytes", "expired", "filling", "inconsistentPrivateKey", "initialCharacter",
        "invalidAccountNumber", "invalidDate", "invalidFileIdentifier", "invalidRecordRange",
        "lengthMismatch", "malformed", "malformedAnswer", "malformedDynamicData",
        "malformedExpiry", "malformedIssuerIdentifier", "malformedList", "malformedPAN",
        "missing", "missingSeparator", "nestedTooDeeply", "noDate", "noMoreMessages", "noName",
        "nonceOutOfRange", "notADigit", "notAnAmount", "notATag", "notBelowModulus",
        "noTemplate", "noTime", "notOnCurve", "oddDigitCount", "otherIssuer", "pastTemplate",
        "positionsDoNotFit", "protocolViolation", "revoked", "signingFailed", "tagTooLong",
        "tooManyDecimals", "tooManyObjects", "tooShort", "truncated", "truncatedLength",
        "truncatedTag", "truncatedValue", "unknown", "unknownEncoding", "unknownHashAlgorithm",
        "unknownKeyAlgorithm", "unknownTag", "unplayed", "unstable", "unsupportedExponent",
        "unsupportedLength", "unsupportedModulus", "wrongAccountNumberLength", "wrongAuthority",
        "wrongCheckSum", "wrongDigitCount", "wrongExponentLength", "wrongFiller", "wrongFormat",
        "wrongHash", "wrongHeader", "wrongIssuer", "wrongKeyLength", "wrongLength", "wrongPAN",
        "wrongPINLength", "wrongRemainderLength", "wrongSignature", "wrongTrailer",
        "wrongTransactionDataHash",
    ]
}
