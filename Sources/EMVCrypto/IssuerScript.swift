#if !hasFeature(Embedded)
internal import CLibcrypto
import Octets

/// The secure messaging of issuer scripts (EMV Book 2, 9): commands that only the issuer can make.
public enum IssuerScript {
    /// What stands before the data in the input of a command's MAC.
    public enum MACInput: Hashable, Sendable, CaseIterable {
        /// The command header alone: Interac, and EMV Book 2, 9.2.1.1, for a command that stands alone.
        case header
        /// The header, the transaction counter and the cryptogram: Visa and Mastercard.
        case headerCounterAndCryptogram
    }

    /// Puts together what the MAC of a command is computed over.
    /// - Parameters:
    ///   - header: Class, instruction, both parameters and the length of data and MAC together, five bytes.
    ///   - counter: Application Transaction Counter (9F36) of the transaction.
    ///   - cryptogram: Application Cryptogram (9F26) of the request.
    ///   - data: The data as they are sent, enciphered where they are.
    ///   - form: What stands before the data.
    /// - Returns: The input of the MAC.
    public static func macInput(
        header: [UInt8],
        counter: UInt16,
        cryptogram: UInt64,
        data: [UInt8],
        form: MACInput = .headerCounterAndCryptogram
    ) -> [UInt8] {
        switch form {
        case .header: header + data
        case .headerCounterAndCryptogram:
            header + counter.bigEndianBytes + cryptogram.bigEndianBytes + data
        }
    }

    /// Computes the MAC of a command, four to eight bytes (EMV Book 2, A1.2.1; padding is marked).
    /// - Parameters:
    ///   - input: What `macInput` put together, at most 504 bytes.
    ///   - sessionKey: The session key for script integrity.
    ///   - byteCount: How many bytes of the MAC the card expects.
    /// - Returns: The first bytes of the MAC.
    public static func mac(
        over input: [UInt8],
        sessionKey: borrowing DoubleLengthKey,
        byteCount: Int = 8
    ) -> [UInt8] {
        precondition(4...8 ~= byteCount)
        var mac = RetailMAC(key: sessionKey)
        return [UInt8](
            mac.mac(of: input.span, padding: .marked).bigEndianBytes.prefix(byteCount)
        )
    }

    /// How data are filled up to whole blocks and chained before they are enciphered.
    public enum Encipherment: Hashable, Sendable, CaseIterable {
        /// 80 and zeros behind the data unless they are whole blocks; chained (Mastercard).
        case mastercard
        /// 80 and zeros always; chained (EMV Book 2, 9.3, and common core cards).
        case commonCore
        /// Their length in front, 80 and zeros behind; each block on its own (Visa).
        case visa

        /// Fills data up to whole blocks.
        public func padded(_ data: [UInt8]) -> [UInt8] {
            switch self {
            case .mastercard: data.count % 8 == 0 ? data : RetailMAC.Padding.marked.padded(data)
            case .commonCore: RetailMAC.Padding.marked.padded(data)
            case .visa:
                RetailMAC.Padding.marked.padded([UInt8(truncatingIfNeeded: data.count)] + data)
            }
        }
    }

    /// Enciphers the data of a command, a PIN block for instance; at most 255 bytes.
    /// - Parameters:
    ///   - data: The data in the clear.
    ///   - encipherment: How they are filled up and chained.
    ///   - sessionKey: The session key for script confidentiality.
    /// - Returns: Whole blocks.
    public static func encipher(
        _ data: [UInt8],
        as encipherment: Encipherment,
        sessionKey: borrowing DoubleLengthKey
    ) -> [UInt8] {
        precondition(data.count <= 255)
        return run(encipherment, isEncrypting: true, encipherment.padded(data), key: sessionKey)
    }

    /// Deciphers the data of a command as a card does; nil when what is found is not filled up as it should be.
    ///
    /// Mastercard's whole blocks without filling cannot be told from others, so they come back as they are.
    public static func decipher(
        _ data: [UInt8],
        as encipherment: Encipherment,
        sessionKey: borrowing DoubleLengthKey
    ) -> [UInt8]? {
        let blocks = decipheredBlocks(data, as: encipherment, sessionKey: sessionKey)
        guard let clear = blocks else { return nil }
        switch encipherment {
        case .mastercard:
            return clear
        case .commonCore:
            guard let mark = clear.lastIndex(where: { $0 != 0 }), clear[mark] == 0x80,
                mark >= clear.count - 8
            else { return nil }
            return [UInt8](clear[..<mark])
        case .visa:
            let content = [UInt8](clear.dropFirst().prefix(Int(clear[0])))
            return encipherment.padded(content) == clear ? content : nil
        }
    }

    /// Deciphers the data of a command and leaves them filled up; nil when they are no whole blocks.
    public static func decipheredBlocks(
        _ data: [UInt8],
        as encipherment: Encipherment,
        sessionKey: borrowing DoubleLengthKey
    ) -> [UInt8]? {
        guard data.count % 8 == 0, !data.isEmpty else { return nil }
        return run(encipherment, isEncrypting: false, data, key: sessionKey)
    }

    /// Puts a whole command together: header with the right length, enciphered data and MAC.
    /// - Parameters:
    ///   - header: Class, instruction and both parameters, four bytes: `84240002` changes a PIN.
    ///   - data: The data as they are sent, enciphered where they are.
    ///   - counter: Application Transaction Counter (9F36) of the transaction.
    ///   - cryptogram: Application Cryptogram (9F26) of the request.
    ///   - sessionKey: The session key for script integrity.
    ///   - form: What stands before the data in the MAC's input.
    ///   - macByteCount: How many bytes of MAC the card expects.
    /// - Returns: Header, data and MAC.
    public static func command(
        header: [UInt8],
        data: [UInt8],
        counter: UInt16,
        cryptogram: UInt64,
        sessionKey: borrowing DoubleLengthKey,
        form: MACInput = .headerCounterAndCryptogram,
        macByteCount: Int = 8
    ) -> [UInt8] {
        precondition(header.count == 4 && data.count + macByteCount <= 255)
        let whole = header + [UInt8(data.count + macByteCount)]
        let input = macInput(
            header: whole,
            counter: counter,
            cryptogram: cryptogram,
            data: data,
            form: form
        )
        return whole + data + mac(over: input, sessionKey: sessionKey, byteCount: macByteCount)
    }

    private static func run(
        _ encipherment: Encipherment,
        isEncrypting: Bool,
        _ blocks: [UInt8],
        key: borrowing DoubleLengthKey
    ) -> [UInt8] {
        let isChained = encipherment != .visa
        return unsafe CipherRun.run(
            isChained ? EVP_des_ede_cbc() : EVP_des_ede(),
            key: key.whole,
            initializationVector: [UInt8](repeating: 0, count: 8),
            isEncrypting: isEncrypting,
            blocks
        )
    }
}

#endif
