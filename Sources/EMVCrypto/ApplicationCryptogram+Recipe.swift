#if !hasFeature(Embedded)
import Octets

extension ApplicationCryptogram {
    /// What a version of the cryptogram is made of.
    struct Recipe {
        /// Where the key of a transaction comes from.
        enum SessionKey {
            case card, common, mastercard, pboc, limitedUse
        }

        /// Which part of Issuer Application Data is signed.
        enum SignedPart {
            case whole
            case bytes([Range<Int>])
        }

        /// Which ARPC the issuer answers with.
        enum Response {
            case method1, method1WithCardKey, method2
        }

        var sessionKey: SessionKey
        var signedPart: SignedPart
        var padding: RetailMAC.Padding
        var response: Response
        /// Whether only amount, unpredictable number and counter stand before the signed part.
        var isShort = false
        /// The lengths of Issuer Application Data (9F10) that hold what is signed.
        var issuerDataCounts = 7...32
    }

    /// The parts by version: EMV Book 2, 8.1, Visa's and Mastercard's published examples, and what `evidence` says.
    var recipe: Recipe {
        let verificationResults = Recipe.SignedPart.bytes([3..<7])
        let mchipResults = Recipe.SignedPart.bytes([2..<8])
        let mchipResultsAndCounters = Recipe.SignedPart.bytes([2..<8, 10..<18])
        func mchip(_ key: Recipe.SessionKey, _ part: Recipe.SignedPart) -> Recipe {
            Recipe(
                sessionKey: key,
                signedPart: part,
                padding: .marked,
                response: key == .mastercard ? .method1WithCardKey : .method1,
                issuerDataCounts: 18...32
            )
        }
        func cloud() -> Recipe {
            Recipe(
                sessionKey: .limitedUse,
                signedPart: .whole,
                padding: .marked,
                response: .method2,
                issuerDataCounts: 16...32
            )
        }
        return switch self {
        case .visaCVN10, .jcbCVN01:
            Recipe(
                sessionKey: .card,
                signedPart: verificationResults,
                padding: .zeros,
                response: .method1
            )
        case .visaCVN17:
            Recipe(
                sessionKey: .card,
                signedPart: .bytes([4..<5]),
                padding: .zeros,
                response: .method1,
                isShort: true
            )
        case .visaCVN18, .visaCVN22, .commonCore, .jcbCVN02:
            Recipe(
                sessionKey: .common,
                signedPart: .whole,
                padding: .marked,
                response: .method2
            )
        case .visaCVN43, .visaCVN4A: cloud()
        case .mchipCVN10: mchip(.mastercard, mchipResults)
        case .mchipCVN11: mchip(.mastercard, mchipResultsAndCounters)
        case .mchipCVN14: mchip(.common, mchipResults)
        case .mchipCVN15: mchip(.common, mchipResultsAndCounters)
        case .interacCVN133:
            Recipe(
                sessionKey: .mastercard,
                signedPart: .whole,
                padding: .marked,
                response: .method1
            )
        case .discoverCVN06:
            Recipe(
                sessionKey: .common,
                signedPart: mchipResults,
                padding: .marked,
                response: .method1,
                issuerDataCounts: 8...32
            )
        case .amexCVN01:
            Recipe(
                sessionKey: .card,
                signedPart: verificationResults,
                padding: .marked,
                response: .method1
            )
        case .amexCVN02:
            Recipe(
                sessionKey: .common,
                signedPart: verificationResults,
                padding: .marked,
                response: .method1
            )
        case .unionPayCVN01:
            Recipe(
                sessionKey: .pboc,
                signedPart: verificationResults,
                padding: .marked,
                response: .method1
            )
        case .unionPayCVN17:
            Recipe(
                sessionKey: .pboc,
                signedPart: .bytes([4..<5]),
                padding: .marked,
                response: .method1,
                isShort: true
            )
        }
    }
}

#endif
