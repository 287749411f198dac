#if !hasFeature(Embedded)
import Octets

/// The secure channel between a kernel 8 and a card: both ends of it are the same (Book C-8, 5; Book E, 8.6).
///
/// Each message counts one of two counters up: the kernel's from 0000, the card's from 8000. When one is used up
/// everything answers nil.
public struct SecureChannel: ~Copyable {
    private let keys: SecureChannelKeys
    private var counters: [Sender: UInt16] = [.kernel: 0x0000, .card: 0x8000]

    /// Who sends a message.
    public enum Sender: Hashable, Sendable {
        /// The reader.
        case kernel
        /// The card.
        case card
    }

    /// Opens a channel with fresh counters.
    public init(keys: consuming SecureChannelKeys) { self.keys = keys }

    /// How long a message's MAC is.
    public static var macByteCount: Int { 8 }

    /// Enciphers or deciphers a message without a MAC: the blinding factor, or a record (template DA).
    public mutating func crypt(_ message: [UInt8], from sender: Sender) -> [UInt8]? {
        next(sender).map { applyingKeyStream($0, to: message) }
    }

    /// Enciphers what a card answers to READ DATA, with a MAC behind it.
    public mutating func seal(_ message: [UInt8]) -> [UInt8]? {
        guard let counter = next(.card) else { return nil }
        let ciphertext = applyingKeyStream(counter, to: message)
        return ciphertext + mac(counter, ciphertext)
    }

    /// Checks and deciphers what a card answered to READ DATA; nil when the MAC is wrong.
    ///
    /// The counter goes on in either case.
    public mutating func open(_ sealed: [UInt8]) -> [UInt8]? {
        guard let counter = next(.card), sealed.count >= Self.macByteCount else { return nil }
        let ciphertext = [UInt8](sealed.dropLast(Self.macByteCount))
        guard Self.isEqual(mac(counter, ciphertext), sealed.suffix(Self.macByteCount)) else {
            return nil
        }
        return applyingKeyStream(counter, to: ciphertext)
    }

    /// Makes the card's receipt for data written with WRITE DATA: a MAC over their clear text.
    public mutating func receipt(for message: [UInt8]) -> [UInt8]? {
        next(.card).map { mac($0, message) }
    }

    /// Computes the IAD-MAC (9F8109), by which a reader knows that the cryptogram it passes on is the card's.
    /// - Parameters:
    ///   - processingOptionsData: The values of the PDOL.
    ///   - cryptogramData: The values of CDOL1.
    ///   - relayResistanceData: Entropy and answer of the relay resistance protocol, 14 bytes; empty without.
    ///   - response: The answer to GENERATE AC without 77, 9F26 and 9F8105.
    ///   - staticDataHash: The hash over the static data, 32 bytes.
    /// - Returns: Eight bytes.
    public func issuerApplicationDataMAC(
        processingOptionsData: [UInt8],
        cryptogramData: [UInt8],
        relayResistanceData: [UInt8],
        response: [UInt8],
        staticDataHash: [UInt8]
    ) -> [UInt8] {
        let input =
            [0, 0] + processingOptionsData + cryptogramData + relayResistanceData + response
            + staticDataHash
        return [UInt8](keys.integrity.cmacPlus(of: input).prefix(Self.macByteCount))
    }

    /// Computes the EDA-MAC (9F8105) over cryptogram and IAD-MAC.
    public func enhancedDataAuthenticationMAC(
        cryptogram: UInt64,
        issuerApplicationDataMAC: [UInt8]
    ) -> [UInt8] {
        let input = [0, 0] + cryptogram.bigEndianBytes + issuerApplicationDataMAC
        return [UInt8](keys.integrity.cmac(of: input).prefix(Self.macByteCount))
    }

    /// Copies an IAD-MAC into Issuer Application Data (9F10) for the issuer; nil when it does not fit there.
    public static func inserting(
        _ mac: [UInt8],
        into issuerApplicationData: [UInt8],
        at offset: Int
    ) -> [UInt8]? {
        guard offset >= 0, offset <= issuerApplicationData.count - mac.count else { return nil }
        var bytes = issuerApplicationData
        bytes.replaceSubrange(offset..<offset + mac.count, with: mac)
        return bytes
    }

    private func applyingKeyStream(_ counter: UInt16, to message: [UInt8]) -> [UInt8] {
        let initialBlock = counter.bigEndianBytes + [UInt8](repeating: 0, count: 14)
        return keys.confidentiality.applyingKeyStream(from: initialBlock, to: message)
    }

    private func mac(_ counter: UInt16, _ message: [UInt8]) -> [UInt8] {
        [UInt8](
            keys.integrity.cmac(of: counter.bigEndianBytes + message).prefix(Self.macByteCount)
        )
    }

    /// Takes a counter and counts it up; nil when the sender has none left.
    private mutating func next(_ sender: Sender) -> UInt16? {
        guard let counter = counters[sender] else { return nil }
        let isLast = counter == (sender == .kernel ? 0x7FFF : 0xFFFF)
        counters[sender] = isLast ? nil : counter + 1
        return counter
    }

    /// Compares in time that does not depend on where the bytes differ.
    private static func isEqual(_ left: [UInt8], _ right: ArraySlice<UInt8>) -> Bool {
        zip(left, right).reduce(UInt8(left.count == right.count ? 0 : 1)) { $0 | ($1.0 ^ $1.1) }
            == 0
    }
}

#endif
