internal import CLibcrypto
import SecureStore

/// An X.509 certificate.
///
/// @unchecked: nothing changes a certificate once it is made or read.
@safe
final class Certificate: @unchecked Sendable {
    private let certificate: OpaquePointer

    /// No certificate is longer, in bytes.
    static let maximumByteCount = 4_096

    @unsafe private init(owning certificate: OpaquePointer) {
        unsafe self.certificate = certificate
    }

    deinit { unsafe X509_free(certificate) }

    @unsafe fileprivate var pointer: OpaquePointer { unsafe certificate }

    /// Reads a certificate in DER; nil for anything else, and where bytes follow.
    convenience init?(der bytes: [UInt8]) {
        guard bytes.count <= Self.maximumByteCount else { return nil }
        let read = unsafe bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            guard let start = buffer.baseAddress else { return nil }
            var next: UnsafePointer<UInt8>? = unsafe start
            guard let read = unsafe d2i_X509(nil, &next, buffer.count) else { return nil }
            guard unsafe next == start + buffer.count else {
                unsafe X509_free(read)
                return nil
            }
            return unsafe read
        }
        guard let read = unsafe read else { return nil }
        unsafe self.init(owning: read)
    }

    /// Certifies a key.
    /// - Parameters:
    ///   - name: The common name of its owner.
    ///   - key: The key.
    ///   - issuer: The certificate and key of who certifies; nil for a root, which certifies itself.
    ///   - period: From when to when it is good, in seconds since 1970.
    convenience init(
        of name: String,
        key: AsymmetricKey,
        by issuer: (certificate: Certificate, key: AsymmetricKey)?,
        good period: ClosedRange<Int64>
    ) {
        guard let made = unsafe X509_new() else { fatalError("out of memory") }
        unsafe self.init(owning: made)
        let serial = randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) } >> 1 | 1
        var isDone =
            unsafe X509_set_version(certificate, 2) == 1
            && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1
            && ASN1_TIME_set(X509_getm_notBefore(certificate), Int(period.lowerBound)) != nil
            && ASN1_TIME_set(X509_getm_notAfter(certificate), Int(period.upperBound)) != nil
            && X509_set_pubkey(certificate, key.pointer) == 1
        let subject = unsafe X509_get_subject_name(certificate)
        isDone =
            unsafe isDone
            && X509_NAME_add_entry_by_txt(subject, "O", MBSTRING_UTF8, "Tapwire test", -1, -1, 0)
                == 1
            && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0) == 1
        let issuerName = unsafe issuer.map { unsafe X509_get_subject_name($0.certificate.pointer) }
        isDone = unsafe isDone && X509_set_issuer_name(certificate, issuerName ?? subject) == 1
        let isAuthority = issuer == nil
        isDone =
            isDone
            && add(NID_basic_constraints, isAuthority ? "critical,CA:TRUE" : "critical,CA:FALSE")
            && add(
                NID_key_usage,
                isAuthority
                    ? "critical,keyCertSign"
                    : "critical,digitalSignature,keyAgreement,keyEncipherment"
            )
        isDone =
            unsafe isDone
            && X509_sign(certificate, (issuer?.key ?? key).pointer, EVP_sha256()) > 0
        precondition(isDone, "libcrypto cannot make a certificate")
    }

    private func add(_ extensionNumber: Int32, _ value: String) -> Bool {
        guard let made = unsafe X509V3_EXT_conf_nid(nil, nil, extensionNumber, value) else {
            return false
        }
        defer { unsafe X509_EXTENSION_free(made) }
        return unsafe X509_add_ext(certificate, made, -1) == 1
    }

    /// The certificate in DER.
    var der: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(unsafe i2d_X509(certificate, nil)))
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var next = buffer.baseAddress
            _ = unsafe i2d_X509(certificate, &next)
        }
        return bytes
    }

    /// The key that is certified; nil for kinds libcrypto cannot read.
    var key: AsymmetricKey? {
        guard let key = unsafe X509_get_pubkey(certificate) else { return nil }
        return unsafe AsymmetricKey(owning: key)
    }

    /// The common name of the owner.
    var commonName: String {
        var text = [CChar](repeating: 0, count: 128)
        let count = unsafe text.withUnsafeMutableBufferPointer {
            unsafe X509_NAME_get_text_by_NID(
                X509_get_subject_name(certificate),
                NID_commonName,
                $0.baseAddress,
                Int32($0.count)
            )
        }
        return String(
            decoding: text.prefix(max(0, Int(count))).map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }
}

/// A chain of certificates that came from outside, leaf first.
enum CertificateChain {
    /// No chain is longer.
    static let maximumCount = 4

    /// The key of the leaf, once the whole chain is found to lead to the root.
    /// - Parameters:
    ///   - chain: The certificates in DER, leaf first; the root may stand behind them.
    ///   - root: Whom to trust.
    ///   - now: The time, in seconds since 1970.
    /// - Returns: The key, of a kind that is strong enough.
    /// - Throws: `PassDataError`.
    static func key(
        of chain: [[UInt8]],
        trusting root: Certificate,
        at now: Int64
    ) throws(PassDataError) -> AsymmetricKey {
        guard 1...maximumCount ~= chain.count else { throw .malformedCertificate }
        let certificates = chain.compactMap { Certificate(der: $0) }
        guard certificates.count == chain.count, let leaf = certificates.first else {
            throw .malformedCertificate
        }
        let code = verify(leaf, through: certificates.dropFirst(), root, now)
        switch code {
        case X509_V_OK: break
        case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID:
            throw .expiredCertificate
        default: throw .untrustedChain
        }
        guard leaf.commonName == ApplePayIdentity.leafName, let key = leaf.key else {
            throw .untrustedChain
        }
        switch key.kind {
        case .p256: return key
        case .rsa(let bits) where bits >= 2_048: return key
        default: throw .untrustedChain
        }
    }

    /// libcrypto's verdict, an `X509_V_…`.
    private static func verify(
        _ leaf: Certificate,
        through others: ArraySlice<Certificate>,
        _ root: Certificate,
        _ now: Int64
    ) -> Int32 {
        guard let store = unsafe X509_STORE_new(), let context = unsafe X509_STORE_CTX_new(),
            let untrusted = unsafe OPENSSL_sk_new_null()
        else { fatalError("out of memory") }
        defer {
            unsafe X509_STORE_CTX_free(context)
            unsafe X509_STORE_free(store)
            unsafe OPENSSL_sk_free(untrusted)
        }
        for other in others {
            _ = unsafe OPENSSL_sk_push(untrusted, UnsafeRawPointer(other.pointer))
        }
        let isReady =
            unsafe X509_STORE_add_cert(store, root.pointer) == 1
            && X509_STORE_CTX_init(context, store, leaf.pointer, untrusted) == 1
        guard isReady else { return X509_V_ERR_UNSPECIFIED }
        unsafe X509_STORE_CTX_set_time(context, 0, Int(now))
        let isTrusted = withExtendedLifetime((leaf, Array(others), root)) {
            unsafe X509_verify_cert(context) == 1
        }
        if isTrusted { return X509_V_OK }
        let code = unsafe X509_STORE_CTX_get_error(context)
        return code == X509_V_OK ? X509_V_ERR_UNSPECIFIED : code
    }
}

/// Why a request to add a pass is refused.
public enum PassDataError: Error, Hashable, Sendable {
    /// A certificate is none, or there are too few or too many.
    case malformedCertificate
    /// The certificates do not lead to the root, or are those of somebody else.
    case untrustedChain
    /// A certificate is not good at this time.
    case expiredCertificate
    /// The certificate's key does not fit the encryption scheme.
    case wrongScheme
    /// The payload does not decrypt: it was changed, cut, or encrypted for somebody else.
    case undecipherable
    /// The payload holds something else than a pass's data.
    case malformedPassData
    /// The nonce's signature is not the server's, or belongs to another nonce or device.
    case wrongNonceSignature
    /// The server has not sent this nonce.
    case unknownNonce
    /// The nonce has been used.
    case replayedNonce
    /// The nonce came back too late.
    case expiredNonce
    /// The activation data is not the issuer's for this account.
    case wrongActivationData
    /// The request lacks a part.
    case incomplete
}
