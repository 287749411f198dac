#if !hasFeature(Embedded)

/// The results the card reports to its issuer inside 9F10: each scheme has its own bits.
public enum CardVerificationResults {
    /// Which cryptogram a command returned: two meanings that all schemes' tables share.
    static func cryptograms(_ byte: Int, first: String) -> [BitMeaning] {
        [
            BitMeaning(byte, mask: 0xC0, value: 0x00, "Second GENERATE AC returned AAC"),
            BitMeaning(byte, mask: 0xC0, value: 0x40, "Second GENERATE AC returned TC"),
            BitMeaning(byte, mask: 0xC0, value: 0x80, "Second GENERATE AC not requested"),
            BitMeaning(byte, mask: 0x30, value: 0x00, "\(first) returned AAC"),
            BitMeaning(byte, mask: 0x30, value: 0x10, "\(first) returned TC"),
            BitMeaning(byte, mask: 0x30, value: 0x20, "\(first) returned ARQC"),
        ]
    }

    /// A number in the high or low half of a byte; zero is only told where `least` is 0.
    static func count(_ byte: Int, mask: UInt8, from least: UInt8, _ text: String) -> [BitMeaning] {
        (least...15).map { number in
            let value = mask == 0xF0 ? number << 4 : number
            return BitMeaning(byte, mask: mask, value: value, "\(text): \(number)")
        }
    }
}

#endif
