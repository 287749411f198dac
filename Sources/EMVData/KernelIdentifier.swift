/// Which contactless kernel serves an application (9F2A).
///
/// One byte for the international kernels; three for a domestic one, the last two being a country or currency
/// code or a registered number. EMV Book B, 3.3.2.
public struct KernelIdentifier: RawRepresentable, Hashable, Sendable {
    /// The identifier's one or three bytes as a number.
    public var rawValue: UInt32
    /// Wraps any identifier, known or not.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// No kernel in particular: any the reader has for the application (00).
    public static var any: Self { Self(rawValue: 0) }
    /// Kernel 1 (01).
    public static var kernel1: Self { Self(rawValue: 1) }
    /// Kernel 2, Mastercard (02).
    public static var kernel2: Self { Self(rawValue: 2) }
    /// Kernel 3, Visa (03).
    public static var kernel3: Self { Self(rawValue: 3) }
    /// Kernel 4, American Express (04).
    public static var kernel4: Self { Self(rawValue: 4) }
    /// Kernel 5, JCB (05).
    public static var kernel5: Self { Self(rawValue: 5) }
    /// Kernel 6, Discover (06).
    public static var kernel6: Self { Self(rawValue: 6) }
    /// Kernel 7, UnionPay (07).
    public static var kernel7: Self { Self(rawValue: 7) }
    /// Kernel 8, EMVCo (08).
    public static var kernel8: Self { Self(rawValue: 8) }
}

#if !hasFeature(Embedded)
extension KernelIdentifier {
    /// Finds which kernel a directory entry asks for; nil when the entry is to be ignored.
    ///
    /// EMV Book B, 3.3.2.5 step C.
    /// - Parameters:
    ///   - value: The entry's Kernel Identifier (9F2A); nil when it has none.
    ///   - application: The entry's ADF name, which decides when it has none.
    public init?(requestedBy value: [UInt8]?, of application: ApplicationIdentifier) {
        guard let value, let first = value.first else {
            self = .default(forRID: application.rid)
            return
        }
        let isDomestic = first & 0x80 != 0
        guard isDomestic else {
            self.init(rawValue: UInt32(first))
            return
        }
        guard first & 0x3F != 0, value.count >= 3 else { return nil }
        self.init(rawValue: value[..<3].reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// The kernel of a provider whose directory entries name none (EMV Book B, Table 3-6).
    public static func `default`(forRID rid: [UInt8]) -> KernelIdentifier {
        guard rid.count == 5, rid[..<3] == [0xA0, 0x00, 0x00] else { return .any }
        return switch UInt16(rid[3]) << 8 | UInt16(rid[4]) {
        case 0x0003: .kernel3
        case 0x0004: .kernel2
        case 0x0025: .kernel4
        case 0x0065: .kernel5
        case 0x0152, 0x0324: .kernel6
        case 0x0333: .kernel7
        default: .any
        }
    }

    /// The identifier's bytes: one, or three for a domestic kernel.
    public var bytes: [UInt8] {
        guard rawValue > 0xFF else { return [UInt8(rawValue)] }
        return ([16, 8, 0] as [UInt32]).map { UInt8(rawValue >> $0 & 0xFF) }
    }
}
#endif
