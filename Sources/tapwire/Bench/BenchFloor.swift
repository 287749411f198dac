import CLibcrypto
import Profiles

/// What a measured command cannot be faster than, done with as little around it as possible.
enum BenchFloor: Hashable {
    /// The response's bytes copied one by one: for commands without cryptography.
    case copy(byteCount: Int)
    /// What libcrypto has to do, on key schedules that are ready.
    case cryptography(CryptoWork)
    /// The same command, answered with 6A82 by a card that knows nothing.
    case nullCard
    /// A SELECT the card refuses.
    case refusal

    /// What it is, for people.
    var name: String {
        switch self {
        case .copy: "copy of the response"
        case .cryptography: "libcrypto alone"
        case .nullCard: "null card"
        case .refusal: "6A82 from the same card"
        }
    }
}

/// The operations of libcrypto that a command or a tap needs.
struct CryptoWork: Hashable {
    /// How many bytes go through retail MACs, each made of whole blocks.
    var macByteCounts: [Int] = []
    /// How many bytes are hashed with SHA-1.
    var hashByteCounts: [Int] = []
    /// How many signatures the card makes.
    var signatureCount = 0
    /// How often the terminal recovers issuer certificate, card certificate and signature.
    var chainCount = 0

    /// All of both.
    static func + (left: Self, right: Self) -> Self {
        Self(
            macByteCounts: left.macByteCounts + right.macByteCounts,
            hashByteCounts: left.hashByteCounts + right.hashByteCounts,
            signatureCount: left.signatureCount + right.signatureCount,
            chainCount: left.chainCount + right.chainCount
        )
    }
}

/// libcrypto without anything of ours around it, by its oldest and shortest ways.
@safe
final class CryptoFloor {
    private let left: UnsafeMutablePointer<DES_key_schedule>
    private let right: UnsafeMutablePointer<DES_key_schedule>
    private let card: FloorKey
    private let issuer: FloorKey
    private let authority: FloorKey
    private var message = [UInt8](repeating: 0x5A, count: 512)
    private var output = [UInt8](repeating: 0, count: 512)

    /// Prepares the schedules, makes a key as long as our test cards', and takes moduli as long as their issuers'.
    init(_ scheme: Scheme) {
        unsafe left = .allocate(capacity: 1)
        unsafe right = .allocate(capacity: 1)
        var key = DES_cblock(1, 2, 4, 7, 8, 11, 13, 14)
        unsafe DES_set_key_unchecked(&key, left)
        key.0 = 16
        unsafe DES_set_key_unchecked(&key, right)
        let exponent: UInt = scheme == .visa ? 3 : 65537
        card = FloorKey(byteCount: 128, exponent: exponent)
        issuer = FloorKey(publicByteCount: scheme == .visa ? 176 : 144, exponent: exponent)
        authority = FloorKey(publicByteCount: scheme == .visa ? 248 : 176, exponent: exponent)
        message[0] = 0
    }

    deinit {
        unsafe left.deallocate()
        unsafe right.deallocate()
    }

    /// Does the work.
    func run(_ work: CryptoWork) {
        for count in work.macByteCounts { authenticate(count) }
        for count in work.hashByteCounts { unsafe _ = SHA1(message, count, &output) }
        for _ in 0..<work.signatureCount { card.sign(message, &output) }
        for _ in 0..<work.chainCount {
            for key in [authority, issuer, card] { key.recover(message, &output) }
        }
    }

    /// ISO 9797-1 algorithm 3: single DES down to the last block, which gets two more.
    private func authenticate(_ byteCount: Int) {
        var vector = DES_cblock(0, 0, 0, 0, 0, 0, 0, 0)
        unsafe DES_ncbc_encrypt(message, &output, byteCount, left, &vector, DES_ENCRYPT)
        var block = DES_cblock(0, 0, 0, 0, 0, 0, 0, 0)
        unsafe DES_ecb_encrypt(&vector, &block, right, DES_DECRYPT)
        unsafe DES_ecb_encrypt(&block, &vector, left, DES_ENCRYPT)
    }
}

/// An RSA key of libcrypto's, made for the occasion.
@safe
private final class FloorKey {
    private let key: OpaquePointer
    private let byteCount: Int32

    init(byteCount: Int, exponent: UInt) {
        guard let key = unsafe RSA_new(), let number = unsafe BN_new() else {
            fatalError("out of memory")
        }
        defer { unsafe BN_free(number) }
        unsafe self.key = key
        self.byteCount = Int32(byteCount)
        let isMade =
            unsafe BN_set_word(number, exponent) == 1
            && RSA_generate_key_ex(key, Int32(byteCount * 8), number, nil) == 1
        precondition(isMade, "libcrypto makes no RSA keys")
    }

    /// A key that only recovers: any odd modulus takes as long as a product of primes, which take long to find.
    init(publicByteCount byteCount: Int, exponent: UInt) {
        let modulus = [UInt8](repeating: 0xA5, count: byteCount)
        guard let key = unsafe RSA_new(),
            let number = unsafe BN_bin2bn(modulus, Int32(byteCount), nil),
            let power = unsafe BN_new()
        else { fatalError("out of memory") }
        unsafe self.key = key
        self.byteCount = Int32(byteCount)
        let isMade =
            unsafe BN_set_word(power, exponent) == 1 && RSA_set0_key(key, number, power, nil) == 1
        precondition(isMade, "libcrypto takes no RSA keys")
    }

    deinit { unsafe RSA_free(key) }

    /// A private operation.
    func sign(_ input: [UInt8], _ output: inout [UInt8]) {
        unsafe _ = RSA_private_encrypt(byteCount, input, &output, key, RSA_NO_PADDING)
    }

    /// A public operation.
    func recover(_ input: [UInt8], _ output: inout [UInt8]) {
        unsafe _ = RSA_public_decrypt(byteCount, input, &output, key, RSA_NO_PADDING)
    }
}
