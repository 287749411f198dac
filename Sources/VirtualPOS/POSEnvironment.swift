public import EMVCrypto
public import TerminalKernels

/// What a point of sale's kernels get from outside: chance, keys and lists.
public struct POSEnvironment: KernelEnvironment {
    /// Unpredictable Numbers to give out before any is drawn, in order.
    public var unpredictableNumbers: [UInt32]
    /// The certification authorities' keys.
    public var caKeys: [CAPublicKey]
    /// Issuer certificates that count no more.
    public var revokedCertificates: Set<RevokedCertificate>
    /// Accounts that count no more, the digits of each.
    public var exceptionFile: Set<[UInt8]>
    /// Whether offline data authentication counts as successful unseen.
    public var waivesOfflineDataAuthentication = false
    private var generator: any RandomNumberGenerator

    /// An issuer certificate on the revocation list (EMV Book 2, 5.1.1.1).
    public struct RevokedCertificate: Hashable, Sendable {
        /// Registered application provider identifier, five bytes.
        public var rid: [UInt8]
        /// Certification Authority Public Key Index (8F).
        public var index: UInt8
        /// Serial number, three bytes.
        public var serialNumber: [UInt8]

        /// Collects the parts.
        public init(rid: [UInt8], index: UInt8, serialNumber: [UInt8]) {
            self.rid = rid
            self.index = index
            self.serialNumber = serialNumber
        }
    }

    /// Collects the parts.
    public init(
        caKeys: [CAPublicKey],
        unpredictableNumbers: [UInt32] = [],
        revokedCertificates: Set<RevokedCertificate> = [],
        exceptionFile: Set<[UInt8]> = [],
        generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) {
        self.caKeys = caKeys
        self.unpredictableNumbers = unpredictableNumbers
        self.revokedCertificates = revokedCertificates
        self.exceptionFile = exceptionFile
        self.generator = generator
    }

    /// Gives the next of `unpredictableNumbers`, or draws one.
    public mutating func unpredictableNumber() -> UInt32 {
        unpredictableNumbers.isEmpty
            ? UInt32.random(in: .min ... .max, using: &generator)
            : unpredictableNumbers.removeFirst()
    }

    /// Finds a certification authority's key; nil when there is none.
    public func certificationAuthorityKey(rid: [UInt8], index: UInt8) -> CAPublicKey? {
        caKeys.first { $0.rid == rid && $0.index == index }
    }

    /// Reports whether an issuer certificate is on the revocation list.
    public func isRevoked(rid: [UInt8], index: UInt8, serialNumber: [UInt8]) -> Bool {
        revokedCertificates.contains(
            RevokedCertificate(rid: rid, index: index, serialNumber: serialNumber)
        )
    }

    /// Reports whether an account is on the exception file, whatever its sequence number.
    public func isOnExceptionFile(pan: [UInt8], sequenceNumber: UInt8?) -> Bool {
        exceptionFile.contains(pan)
    }
}
