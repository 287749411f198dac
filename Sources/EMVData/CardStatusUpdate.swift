/// What the issuer wants the card to do, inside method 2's Issuer Authentication Data (91).
///
/// EMV Book 3, Annex C10.
public struct CardStatusUpdate: BitField {
    /// The four bytes, the first most significant.
    public var rawValue: UInt32
    /// Wraps any value.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// How many bytes the object has.
    public static var byteCount: Int { 4 }
}

#if !hasFeature(Embedded)
extension CardStatusUpdate {
    /// What the bits mean.
    public static var meanings: [BitMeaning] {
        [
            BitMeaning(1, 8, "Proprietary authentication data included"),
            BitMeaning(2, 8, "Issuer approves the online transaction"),
            BitMeaning(2, 7, "Block the card"),
            BitMeaning(2, 6, "Block the application"),
            BitMeaning(2, 5, "Update the PIN try counter"),
            BitMeaning(2, 4, "Go online on the next transaction"),
            BitMeaning(2, 3, "Made by a proxy for the issuer"),
            BitMeaning(2, mask: 0x03, value: 0x00, "Leave the offline counters"),
            BitMeaning(
                2,
                mask: 0x03,
                value: 0x01,
                "Set the offline counters to their upper limits"
            ),
            BitMeaning(2, mask: 0x03, value: 0x02, "Reset the offline counters to zero"),
            BitMeaning(2, mask: 0x03, value: 0x03, "Add the transaction to the offline counters"),
        ]
    }
}

/// The issuer's answer to the card (91), taken apart.
///
/// Method 1 has a response cryptogram of 8 bytes and a response code of 2, method 2 one of 4 and a Card Status Update
/// of 4, with up to 8 bytes of the issuer's own behind. Nothing but its length tells which it is. EMV Book 2, 8.2.
public struct IssuerAuthenticationData: Hashable, Sendable {
    /// The response cryptogram, 8 or 4 bytes.
    public let cryptogram: [UInt8]
    /// The response code of method 1.
    public let responseCode: [UInt8]?
    /// The Card Status Update of method 2.
    public let cardStatusUpdate: CardStatusUpdate?
    /// The issuer's own data of method 2.
    public let proprietaryData: [UInt8]

    /// Takes a value apart; nil when it has not 8 to 16 bytes.
    public init?(bytes: [UInt8]) {
        guard 8...16 ~= bytes.count else { return nil }
        let isMethod1 = bytes.count == 10
        cryptogram = Array(bytes.prefix(isMethod1 ? 8 : 4))
        responseCode = isMethod1 ? Array(bytes[8...]) : nil
        cardStatusUpdate = isMethod1 ? nil : CardStatusUpdate(bytes: Array(bytes[4..<8]))
        proprietaryData = isMethod1 ? [] : Array(bytes[8...])
    }
}
#endif
