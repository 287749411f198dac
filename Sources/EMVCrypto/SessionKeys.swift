#if !hasFeature(Embedded)
import Octets

extension DoubleLengthKey {
    /// The tree out of which EMV 2000 took session keys (EMV 2000 Book 2, A1.3; withdrawn in EMV 4.2).
    public enum SessionKeyTree: Hashable, Sendable, CaseIterable {
        /// Sixteen levels of two branches.
        case height16
        /// Eight levels of four branches.
        case height8

        var height: Int { self == .height16 ? 16 : 8 }
        var branchCount: UInt64 { self == .height16 ? 2 : 4 }
    }

    /// Derives an EMV 2000 session key from this card key.
    /// - Parameters:
    ///   - counter: Application Transaction Counter (9F36).
    ///   - tree: The shape of the tree, which the issuer chose.
    ///   - initialLeft: The left half of the initial vector.
    ///   - initialRight: The right half of the initial vector.
    ///   - visit: Is shown both halves of the key at each level of the way, from the root on.
    /// - Returns: The session key, with odd parity.
    public func emv2000SessionKey(
        counter: UInt16,
        tree: SessionKeyTree = .height16,
        initialLeft: UInt64 = 0,
        initialRight: UInt64 = 0,
        visit: (_ left: UInt64, _ right: UInt64) -> Void = { _, _ in }
    ) -> DoubleLengthKey {
        var grandparent = (left: initialLeft, right: initialRight)
        var parent = halves
        var key = parent
        // The digits of the counter to the base of the branches choose the way from the root.
        var divisor: UInt64 = 1
        for _ in 1..<tree.height { divisor *= tree.branchCount }
        for level in 1...tree.height {
            let branch = UInt64(counter) / divisor % tree.branchCount
            var cipher = TripleDES(key: DoubleLengthKey(left: parent.left, right: parent.right))
            let child = (
                left: cipher.encrypt(grandparent.left ^ branch),
                right: cipher.encrypt(grandparent.right ^ branch ^ 0xF0)
            )
            visit(child.left, child.right)
            if level == tree.height {
                key = (child.left ^ grandparent.left, child.right ^ grandparent.right)
            }
            grandparent = parent
            parent = child
            divisor /= tree.branchCount
        }
        return DoubleLengthKey(left: key.left, right: key.right).withOddParity()
    }

    /// Derives the secure messaging key of Visa CVN 10 and 17: the counter added to the halves bit by bit.
    ///
    /// Published examples give it with and without odd parity, and DES looks at neither.
    /// - Parameters:
    ///   - counter: Application Transaction Counter (9F36).
    ///   - adjustsParity: Whether each byte gets odd parity.
    /// - Returns: The key for script MACs or script data, whichever this card key is for.
    public func visaSecureMessagingKey(
        counter: UInt16,
        adjustsParity: Bool = true
    ) -> DoubleLengthKey {
        changingBits(
            left: UInt64(counter),
            right: UInt64(~counter),
            adjustsParity: adjustsParity
        )
    }

    /// The key as two numbers.
    var halves: (left: UInt64, right: UInt64) {
        let bytes = exportedBytes
        return (UInt64(bigEndian: bytes.span, at: 0), UInt64(bigEndian: bytes.span, at: 8))
    }
}

extension TripleDES {
    /// Derives the session key of PBOC cards from the loaded card key: the counter and its complement enciphered.
    ///
    /// Known from memory of PBOC 3.0 only; no published value was found. The parity is left as it comes.
    public mutating func pbocSessionKey(counter: UInt16) -> DoubleLengthKey {
        DoubleLengthKey(
            encrypting: UInt64(counter),
            UInt64(~counter),
            with: cipher,
            adjustsParity: false
        )
    }

    /// Derives the M/Chip secure messaging key of a script's command from the loaded card key.
    ///
    /// Each command has its own: the cryptogram of the request, counted up by one a command.
    /// - Parameters:
    ///   - cryptogram: Application Cryptogram (9F26) of the request.
    ///   - commandNumber: Zero for the first command of the script.
    ///   - adjustsParity: Whether each byte gets odd parity; published keys have it and have it not.
    /// - Returns: The key.
    public mutating func mastercardSecureMessagingKey(
        cryptogram: UInt64,
        commandNumber: UInt64 = 0,
        adjustsParity: Bool = true
    ) -> DoubleLengthKey {
        commonSessionKey(
            diversifier: cryptogram &+ commandNumber,
            adjustsParity: adjustsParity
        )
    }
}

#endif
