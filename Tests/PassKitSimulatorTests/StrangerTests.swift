import Foundation
import TestSupport
import Testing

@testable import PassKitSimulator

/// Where tools/test makes the environment of tools/requirements.txt.
private let python = RepositoryFile.root.appending(path: ".venv/bin/python").path

/// What we make is read by Python's cryptography package.
@Suite(
    "Pass data, read by strangers",
    .enabled(if: FileManager.default.isExecutableFile(atPath: python)),
    .timeLimit(.minutes(5))
)
struct StrangerTests {
    /// Reads what the test hands over as JSON with Base64, and says what it found.
    private static let script = #"""
        import base64, hashlib, json, sys
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec, padding
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.kdf.concatkdf import ConcatKDFHash

        given = {k: base64.b64decode(v) for k, v in json.load(open(sys.argv[1])).items()}
        context = b"Tapwire simulated pass data"
        root = x509.load_der_x509_certificate(given["root"])
        root.verify_directly_issued_by(root)
        leaf = x509.load_der_x509_certificate(given["leaf"])
        leaf.verify_directly_issued_by(root)
        assert root.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
        assert not leaf.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
        leaf.public_key().verify(
            given["signature"], given["signed"], ec.ECDSA(hashes.SHA256())
        )
        rsa_leaf = x509.load_der_x509_certificate(given["rsaLeaf"])
        rsa_leaf.verify_directly_issued_by(root)
        assert rsa_leaf.public_key().key_size == 2048

        key = serialization.load_der_private_key(given["leafKey"], None)
        point = key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        other = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), given["ephemeral"])
        info = b"\x0did-aes256-GCM" + b"Apple" + hashlib.sha256(point).digest()
        secret = ConcatKDFHash(hashes.SHA256(), 32, info).derive(key.exchange(ec.ECDH(), other))
        print(AESGCM(secret).decrypt(bytes(12), given["sealed"], context).decode())

        rsa_key = serialization.load_der_private_key(given["rsaKey"], None)
        oaep = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None)
        session = rsa_key.decrypt(given["wrapped"], oaep)
        print(AESGCM(session).decrypt(bytes(12), given["rsaSealed"], context).decode())
        """#

    @Test("Certificates, signature and both encryptions")
    func everything() throws {
        let identity = ApplePayIdentity(now: 1_796_025_600)
        let signed = Array("a nonce".utf8)
        let leafKey = try #require(AsymmetricKey(privateDER: PassVectors.leafKey))
        let rsaKey = try #require(AsymmetricKey(privateDER: PassVectors.rsaKey))
        let sealed = try #require(PassDataCipher.seal(Array("first message".utf8), for: leafKey))
        let wrapped = try #require(PassDataCipher.seal(Array("second message".utf8), for: rsaKey))
        let given = [
            "root": identity.rootCertificate,
            "leaf": identity.chain(.ECC_V2)[0],
            "rsaLeaf": identity.chain(.RSA_V2)[0],
            "signed": signed,
            "signature": identity.key(.ECC_V2).sign(signed),
            "leafKey": PassVectors.leafKey,
            "ephemeral": sealed.ephemeralPublicKey ?? [],
            "sealed": sealed.encryptedPassData,
            "rsaKey": PassVectors.rsaKey,
            "wrapped": wrapped.wrappedKey ?? [],
            "rsaSealed": wrapped.encryptedPassData,
        ].mapValues { Data($0) }
        let file = URL.temporaryDirectory.appending(path: "tapwire-\(UUID().uuidString).json")
        try JSONEncoder().encode(given).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = ["-c", Self.script, file.path]
        let output = Pipe()
        let diagnostics = Pipe()
        process.standardOutput = output
        process.standardError = diagnostics
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        let problem = String(
            decoding: diagnostics.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(problem)")
        #expect(text == "first message\nsecond message\n")
    }
}
