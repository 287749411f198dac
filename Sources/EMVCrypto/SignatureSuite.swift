#if !hasFeature(Embedded)
internal import CLibcrypto

/// The algorithm suite by which an elliptic curve signature is made (Book E, 8.4, Table 8.3).
public struct SignatureSuite: RawRepresentable, Hashable, Sendable {
    /// The algorithm suite indicator.
    public var rawValue: UInt8
    /// Wraps any indicator, known or not.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Curve P-256 with SHA-256 (10).
    public static var p256: Self { Self(rawValue: 0x10) }
    /// Curve P-521 with SHA-512 (11).
    public static var p521: Self { Self(rawValue: 0x11) }

    /// The bytes of a coordinate, or of a number below the curve's order (Nfield); nil for a suite not known here.
    public var fieldByteCount: Int? { parameters?.fieldByteCount }

    /// The bytes of a signature; nil for a suite not known here.
    public var signatureByteCount: Int? {
        parameters.map { $0.hashByteCount + $0.fieldByteCount }
    }

    struct Parameters {
        var curve: Int32
        var fieldByteCount: Int
        var hashByteCount: Int
    }

    var parameters: Parameters? {
        switch self {
        case .p256: Parameters(curve: NID_X9_62_prime256v1, fieldByteCount: 32, hashByteCount: 32)
        case .p521: Parameters(curve: NID_secp521r1, fieldByteCount: 66, hashByteCount: 64)
        default: nil
        }
    }
}

/// SHA-2 of messages given in parts.
enum SHA2 {
    /// Returns the SHA-256 or SHA-512 of all parts one after another, with `EVP_Digest`.
    static func digest(byteCount: Int, of parts: [UInt8]...) -> [UInt8] {
        let message = parts.flatMap { $0 }
        var digest = [UInt8](repeating: 0, count: byteCount)
        let isDone = unsafe message.withUnsafeBufferPointer { input in
            unsafe digest.withUnsafeMutableBufferPointer { output in
                unsafe EVP_Digest(
                    input.baseAddress,
                    input.count,
                    output.baseAddress,
                    nil,
                    byteCount == 32 ? EVP_sha256() : EVP_sha512(),
                    nil
                )
            }
        }
        precondition(isDone == 1, "libcrypto lacks SHA-2")
        return digest
    }
}

#endif
