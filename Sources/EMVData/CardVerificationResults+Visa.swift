#if !hasFeature(Embedded)

extension CardVerificationResults {
    /// Three bytes of a Visa card, as its formats 0, 1 and 3 have them behind a length byte (VIS; VCPS, Appendix M).
    public struct Visa: BitField {
        /// The three bytes, the first most significant.
        public var rawValue: UInt32
        /// Wraps any value.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// How many bytes the object has.
        public static var byteCount: Int { 3 }

        /// What the bits mean.
        public static var meanings: [BitMeaning] {
            CardVerificationResults.cryptograms(1, first: "First GENERATE AC or GPO") + [
                BitMeaning(1, 4, "Issuer authentication performed and failed"),
                BitMeaning(1, 3, "Offline PIN verification performed"),
                BitMeaning(1, 2, "Offline PIN verification failed"),
                BitMeaning(1, 1, "Unable to go online"),
            ] + history(2)
        }

        /// The two bytes about earlier transactions, which cards and devices share.
        static func history(_ byte: Int) -> [BitMeaning] {
            [
                BitMeaning(byte, 8, "Last online transaction not completed"),
                BitMeaning(byte, 7, "PIN try limit exceeded"),
                BitMeaning(byte, 6, "Velocity counters exceeded"),
                BitMeaning(byte, 5, "New card"),
                BitMeaning(byte, 4, "Issuer authentication failed on the last online transaction"),
                BitMeaning(byte, 3, "Issuer authentication not performed after going online"),
                BitMeaning(byte, 2, "Application blocked because the PIN try limit is exceeded"),
                BitMeaning(byte, 1, "SDA failed on the last transaction"),
            ]
                + CardVerificationResults.count(
                    byte + 1,
                    mask: 0xF0,
                    from: 1,
                    "Issuer script commands on the last transaction"
                ) + [
                    BitMeaning(byte + 1, 4, "Issuer script processing failed"),
                    BitMeaning(byte + 1, 3, "DDA failed on the last transaction"),
                    BitMeaning(byte + 1, 2, "DDA performed"),
                    BitMeaning(byte + 1, 1, "PIN verification not received though expected"),
                ]
        }
    }

    /// Five bytes of a phone or another device with a Visa application, formats 2 and 4.
    ///
    /// Byte 1 tells who verified the cardholder and how, byte 5 how far the device is to be trusted. These two come
    /// from public sources without a book.
    public struct VisaDevice: BitField {
        /// The five bytes, the first most significant.
        public var rawValue: UInt64
        /// Wraps any value.
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        /// How many bytes the object has.
        public static var byteCount: Int { 5 }

        private static let verifiers = [
            "nobody", "the payment application", "MG", "another application of the secure element",
            "the trusted execution environment", "the mobile application", "the terminal",
            "the cloud", "the device's operating system",
        ]

        private static let methods: [(value: UInt8, name: String)] = [
            (0x0, "none"), (0x1, "passcode"), (0x2, "finger"), (0x3, "pattern"), (0x4, "face"),
            (0x5, "iris"), (0x6, "voice"), (0x7, "palm"), (0xD, "signature"), (0xE, "online PIN"),
        ]

        /// What the bits mean.
        public static var meanings: [BitMeaning] {
            verifiers.enumerated().map { value, name in
                BitMeaning(
                    1,
                    mask: 0xF0,
                    value: UInt8(value) << 4,
                    "Cardholder verified by \(name)"
                )
            }
                + methods.map { value, name in
                    BitMeaning(1, mask: 0x0F, value: value, "Verification method: \(name)")
                } + CardVerificationResults.cryptograms(2, first: "First GENERATE AC or GPO") + [
                    BitMeaning(2, 4, "Issuer authentication performed and failed"),
                    BitMeaning(2, 3, "Verification on the device successful"),
                    BitMeaning(2, 1, "Unable to go online"),
                ] + Visa.history(3) + [
                    BitMeaning(5, 8, "Device is not in debug mode"),
                    BitMeaning(5, 7, "Device is not rooted"),
                    BitMeaning(5, 6, "Mobile application is not hooked"),
                    BitMeaning(5, 5, "Mobile application is intact"),
                    BitMeaning(5, 4, "Device has a data connection"),
                    BitMeaning(5, 3, "Device is genuine"),
                    BitMeaning(5, 2, "Verification on the device performed"),
                    BitMeaning(5, 1, "Secure messaging uses EMV session keys"),
                ]
        }
    }
}

#endif
