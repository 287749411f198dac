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
