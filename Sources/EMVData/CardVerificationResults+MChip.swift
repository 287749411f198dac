#if !hasFeature(Embedded)

extension CardVerificationResults {
    /// Six bytes of an M/Chip application (M/Chip Requirements, Appendix B).
    public struct MChip: BitField {
        /// The six bytes, the first most significant.
        public var rawValue: UInt64
        /// Wraps any value.
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        /// How many bytes the object has.
        public static var byteCount: Int { 6 }

        /// What the bits mean.
        public static var meanings: [BitMeaning] {
            CardVerificationResults.cryptograms(1, first: "First GENERATE AC") + [
                BitMeaning(1, 4, "Date check failed"),
                BitMeaning(1, 3, "Offline PIN verification performed"),
                BitMeaning(1, 2, "Offline PIN was enciphered"),
                BitMeaning(1, 1, "Offline PIN verification successful"),
                BitMeaning(2, 8, "DDA returned"),
                BitMeaning(2, 7, "CDA returned in the first GENERATE AC"),
                BitMeaning(2, 6, "CDA returned in the second GENERATE AC"),
                BitMeaning(2, 5, "Issuer authentication performed"),
                BitMeaning(2, 4, "Default action codes skipped at a CAT level 3"),
                BitMeaning(2, 3, "Offline PIN change successful"),
            ]
                + CardVerificationResults.count(3, mask: 0xF0, from: 1, "Issuer script counter")
                + CardVerificationResults.count(3, mask: 0x0F, from: 0, "PIN try counter")
                + [
                    BitMeaning(4, 8, "Last online transaction not completed"),
                    BitMeaning(4, 7, "Unable to go online"),
                    BitMeaning(4, 6, "Offline PIN verification not performed"),
                    BitMeaning(4, 5, "Offline PIN verification failed"),
                    BitMeaning(4, 4, "PIN try limit exceeded"),
                    BitMeaning(4, 3, "International transaction"),
                    BitMeaning(4, 2, "Domestic transaction"),
                    BitMeaning(4, 1, "Terminal wrongly considers the offline PIN correct"),
                    BitMeaning(5, 8, "Lower consecutive offline limit exceeded"),
                    BitMeaning(5, 7, "Upper consecutive offline limit exceeded"),
                    BitMeaning(5, 6, "Lower cumulative offline limit exceeded"),
                    BitMeaning(5, 5, "Upper cumulative offline limit exceeded"),
                    BitMeaning(5, 4, "Go online on the next transaction"),
                    BitMeaning(5, 3, "Issuer authentication failed"),
                    BitMeaning(5, 2, "Issuer script received"),
                    BitMeaning(5, 1, "Issuer script failed"),
                    BitMeaning(6, 8, "Lower limit of the second counter exceeded"),
                    BitMeaning(6, 7, "Upper limit of the second counter exceeded"),
                    BitMeaning(6, 6, "Lower limit of the second accumulator exceeded"),
                    BitMeaning(6, 5, "Upper limit of the second accumulator exceeded"),
                    BitMeaning(6, 4, "Maximum transaction amount exceeded"),
                    BitMeaning(6, 3, "Limit of days offline exceeded"),
                    BitMeaning(6, 2, "Match in the additional check table"),
                    BitMeaning(6, 1, "No match in the additional check table"),
                ]
        }
    }

    /// Five bytes of an application that follows the Common Core Definitions (EMV Book 3, Annex C9.3).
    public struct CommonCore: BitField {
        /// The five bytes, the first most significant.
        public var rawValue: UInt64
        /// Wraps any value.
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        /// How many bytes the object has.
        public static var byteCount: Int { 5 }

        /// What the bits mean.
        public static var meanings: [BitMeaning] {
            CardVerificationResults.cryptograms(1, first: "First GENERATE AC") + [
                BitMeaning(1, 4, "CDA performed"),
                BitMeaning(1, 3, "DDA performed"),
                BitMeaning(1, 2, "Issuer authentication not performed"),
                BitMeaning(1, 1, "Issuer authentication failed"),
            ]
                + CardVerificationResults.count(2, mask: 0xF0, from: 0, "PIN try counter")
                + [
                    BitMeaning(2, 4, "Offline PIN verification performed"),
                    BitMeaning(2, 3, "Offline PIN verification failed"),
                    BitMeaning(2, 2, "PIN try limit exceeded"),
                    BitMeaning(2, 1, "Last online transaction not completed"),
                    BitMeaning(3, 8, "Lower offline transaction count limit exceeded"),
                    BitMeaning(3, 7, "Upper offline transaction count limit exceeded"),
                    BitMeaning(3, 6, "Lower cumulative offline amount limit exceeded"),
                    BitMeaning(3, 5, "Upper cumulative offline amount limit exceeded"),
                    BitMeaning(3, 4, "Issuer's bit 1"),
                    BitMeaning(3, 3, "Issuer's bit 2"),
                    BitMeaning(3, 2, "Issuer's bit 3"),
                    BitMeaning(3, 1, "Issuer's bit 4"),
                ]
                + CardVerificationResults.count(
                    4,
                    mask: 0xF0,
                    from: 1,
                    "Issuer script commands processed"
                )
                + [
                    BitMeaning(4, 4, "Issuer script processing failed"),
                    BitMeaning(4, 3, "Offline data authentication failed on the last transaction"),
                    BitMeaning(4, 2, "Go online on the next transaction"),
                    BitMeaning(4, 1, "Unable to go online"),
                ]
        }
    }
}

#endif
