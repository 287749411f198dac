/// The kind of an Application Cryptogram, as bits 8 and 7 of a byte code it.
///
/// The same two bits stand in the Cryptogram Information Data and in GENERATE AC's P1. EMV Book 3, Tables 12 and 15.
public struct CryptogramKind: RawRepresentable, Hashable, Sendable {
    /// The byte with all other bits clear.
    public var rawValue: UInt8
    /// Wraps the two high bits of `rawValue`.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0xC0 }

    /// Application Authentication Cryptogram: declined (00).
    public static var aac: Self { Self(rawValue: 0x00) }
    /// Transaction Certificate: approved offline (40).
    public static var tc: Self { Self(rawValue: 0x40) }
    /// Authorisation Request Cryptogram: the issuer is asked (80).
    public static var arqc: Self { Self(rawValue: 0x80) }
    /// Reserved (C0).
    public static var reserved: Self { Self(rawValue: 0xC0) }
}

#if !hasFeature(Embedded)
extension CryptogramKind: CustomStringConvertible {
    /// The book's abbreviation.
    public var description: String {
        switch self {
        case .aac: "AAC"
        case .tc: "TC"
        case .arqc: "ARQC"
        default: "reserved"
        }
    }
}
#endif
