#if !hasFeature(Embedded)

/// What the card tells its issuer about a cryptogram (9F10), taken apart.
///
/// EMV leaves the coding to the schemes; what is read here and where it is described:
///
/// | format | layout in bytes | described in |
/// |---|---|---|
/// | Visa 0, 1, 3 | 06, key index, version, results 4; issuer's data | VCPS 2.2, Appendix M |
/// | Visa 2, 4 | 1F, version, key index, results 5, one unknown, wallet 4, derivation data 4, issuer's data 15 | public samples |
/// | M/Chip | key index, version, results 6, dynamic number 2, counters 8 or 16, last online counter 0 or 2 | M/Chip Requirements, Appendix B |
/// | CCD | 0F, format and version, key index, results 5, counters 8, 0F, issuer's data 15 | EMV Book 3, Annex C9 |
/// | length first | length, key index, version, length of results, results; issuer's data | public samples of JCB, UnionPay, American Express |
public struct IssuerApplicationData: Hashable, Sendable {
    /// Which scheme's coding the value has.
    public enum Format: Hashable, Sendable {
        /// Visa's for cards, by the number of its format: 0, 1 or 3.
        case visa(Int)
        /// Visa's for devices, by the number of its format: 2 or 4.
        case visaDevice(Int)
        /// Mastercard's: M/Chip 4 and M/Chip Advance.
        case mchip
        /// Common Core Definitions.
        case commonCore
        /// Visa's layout with lengths of its own, as JCB, UnionPay and American Express use it.
        case lengthFirst
    }

    /// The whole value.
    public let bytes: [UInt8]
    /// Its coding.
    public let format: Format
    /// Where the results are.
    let resultsRange: Range<Int>

    /// Takes a value apart; nil when it has none of the forms known for the application.
    /// - Parameters:
    ///   - bytes: The value of 9F10.
    ///   - kernel: Whose application gave it; nil lets the form of the value decide.
    public init?(bytes: [UInt8], of kernel: KernelIdentifier? = nil) {
        guard let (format, results) = Self.form(of: bytes, kernel),
            results.upperBound <= bytes.count
        else { return nil }
        self.bytes = bytes
        self.format = format
        resultsRange = results
    }

    /// The Card Verification Results, without the byte that tells their length.
    public var cardVerificationResults: [UInt8] { Array(bytes[resultsRange]) }

    /// Which of the issuer's keys made the card's.
    public var derivationKeyIndex: UInt8 {
        switch format {
        case .mchip: bytes[0]
        case .visa, .lengthFirst: bytes[1]
        case .visaDevice, .commonCore: bytes[2]
        }
    }

    /// The byte that tells how the cryptogram is made.
    public var cryptogramVersion: UInt8 {
        switch format {
        case .visaDevice, .commonCore, .mchip: bytes[1]
        case .visa, .lengthFirst: bytes[2]
        }
    }

    private static func form(
        of bytes: [UInt8],
        _ kernel: KernelIdentifier?
    ) -> (Format, results: Range<Int>)? {
        func allows(_ owner: KernelIdentifier) -> Bool {
            kernel == nil || kernel == .any || kernel == owner
        }
        if bytes.count == 32, bytes[0] == 0x0F, bytes[16] == 0x0F { return (.commonCore, 3..<8) }
        if allows(.kernel3), bytes.count == 32, bytes[0] == 0x1F {
            return (.visaDevice(Int(bytes[1] >> 4)), 3..<8)
        }
        if allows(.kernel3), bytes.count >= 7, bytes[0] == 6, bytes[3] == 3 {
            return (.visa(Int(bytes[2] >> 4)), 4..<7)
        }
        if allows(.kernel2), [18, 20, 26, 28].contains(bytes.count), bytes[1] & 0xF0 == 0x10 {
            return (.mchip, 2..<8)
        }
        guard kernel != .kernel2, kernel != .kernel3, bytes.count >= 5,
            3...8 ~= bytes[3], bytes[0] >= bytes[3] + 3, bytes.count > Int(bytes[0])
        else { return nil }
        return (.lengthFirst, 4..<4 + Int(bytes[3]))
    }
}

#endif
