#if !hasFeature(Embedded)

extension CommandCode {
    /// INTERNAL AUTHENTICATE (00 88), EMV Book 3, 6.5.9.
    public static var internalAuthenticate: Self { Self(rawValue: 0x0088) }
    /// EXTERNAL AUTHENTICATE (00 82), EMV Book 3, 6.5.4.
    public static var externalAuthenticate: Self { Self(rawValue: 0x0082) }
    /// VERIFY (00 20), EMV Book 3, 6.5.12.
    public static var verify: Self { Self(rawValue: 0x0020) }
    /// GET CHALLENGE (00 84), EMV Book 3, 6.5.6.
    public static var getChallenge: Self { Self(rawValue: 0x0084) }
    /// COMPUTE CRYPTOGRAPHIC CHECKSUM (80 2A), EMV Book C-2, 5.
    public static var computeCryptographicChecksum: Self { Self(rawValue: 0x802A) }
    /// EXCHANGE RELAY RESISTANCE DATA (80 EA), EMV Book C-2, 5.
    public static var exchangeRelayResistanceData: Self { Self(rawValue: 0x80EA) }
    /// RECOVER AC of kernel 2 and GET MAGSTRIPE DATA of kernel 5 (80 D0), EMV Books C-2 and C-5.
    public static var recoverAC: Self { Self(rawValue: 0x80D0) }
    /// PUT DATA of kernel 2 (80 DA), EMV Book C-2, 5.
    public static var putData: Self { Self(rawValue: 0x80DA) }
    /// READ DATA of kernel 8 (84 32), EMV Book C-8.
    public static var readData: Self { Self(rawValue: 0x8432) }
    /// WRITE DATA of kernel 8 (84 34), EMV Book C-8.
    public static var writeData: Self { Self(rawValue: 0x8434) }

    /// Whether the command comes from an issuer's script, authenticated in EMV's own form (class 84 or 8C) or in
    /// ISO's (04 or 0C); EMV Book 3, 6.5 and Book 2, 9.2.
    public var isIssuerScript: Bool {
        let leading = rawValue >> 8
        return [0x04, 0x0C, 0x84, 0x8C].contains(leading)
            && Self.scriptNames[rawValue & 0xFF] != nil
    }

    /// What the books call the command; nil for one that EMV, PC/SC and ISO 7816-4's basic commands do not have.
    public var name: String? {
        if let name = Self.names[rawValue] { return name }
        return isIssuerScript ? Self.scriptNames[rawValue & 0xFF] : nil
    }

    private static let names: [UInt16: String] = [
        0x00A4: "SELECT", 0x00B2: "READ RECORD", 0x80A8: "GET PROCESSING OPTIONS",
        0x80CA: "GET DATA", 0x00CA: "GET DATA", 0x80AE: "GENERATE AC", 0x00C0: "GET RESPONSE",
        0x0088: "INTERNAL AUTHENTICATE", 0x0082: "EXTERNAL AUTHENTICATE", 0x0020: "VERIFY",
        0x0084: "GET CHALLENGE", 0x802A: "COMPUTE CRYPTOGRAPHIC CHECKSUM",
        0x80EA: "EXCHANGE RELAY RESISTANCE DATA", 0x80D0: "RECOVER AC or GET MAGSTRIPE DATA",
        0x80DA: "PUT DATA", 0x8432: "READ DATA", 0x8434: "WRITE DATA",
        0x00B0: "READ BINARY", 0x00D6: "UPDATE BINARY", 0x00DC: "UPDATE RECORD",
        0xFFCA: "GET DATA of the reader",
    ]

    private static let scriptNames: [UInt16: String] = [
        0x1E: "APPLICATION BLOCK", 0x18: "APPLICATION UNBLOCK", 0x16: "CARD BLOCK",
        0x24: "PIN CHANGE/UNBLOCK", 0xDA: "PUT DATA", 0xDC: "UPDATE RECORD",
    ]
}

#endif
