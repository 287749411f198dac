#if !hasFeature(Embedded)

extension ApplicationIdentifier {
    /// Who registered the first five bytes; nil for a provider that is none of the payment schemes known here.
    public var providerName: String? {
        guard rid.starts(with: [0xA0, 0x00, 0x00]) else { return nil }
        return Self.providers[UInt16(rid[3]) << 8 | UInt16(rid[4])]
    }

    /// Payment schemes by the last two bytes of their RID.
    private static let providers: [UInt16: String] = [
        0x0003: "Visa", 0x0004: "Mastercard", 0x0005: "Mastercard (Maestro UK)",
        0x0025: "American Express", 0x0042: "Cartes Bancaires", 0x0065: "JCB",
        0x0121: "Dankort", 0x0141: "PagoBANCOMAT", 0x0152: "Discover", 0x0228: "mada",
        0x0277: "Interac", 0x0324: "Discover", 0x0333: "UnionPay", 0x0359: "girocard",
        0x0371: "Verve", 0x0384: "eftpos Australia", 0x0524: "RuPay", 0x0620: "DNA (US debit)",
        0x0658: "Mir",
    ]
}

extension ApplicationIdentifier {
    /// Who an application's name belongs to, or the name itself where it is a directory's.
    public static func text(of value: [UInt8]) -> String? {
        if value.starts(with: "1PAY".utf8) || value.starts(with: "2PAY".utf8) {
            return value.quotedText
        }
        return ApplicationIdentifier(bytes: value)?.providerName
    }
}

extension [UInt8] {
    /// The characters in quotes; nil when one of them cannot be shown.
    public var quotedText: String? {
        guard allSatisfy({ 0x20..<0x7F ~= $0 }) else { return nil }
        return "“\(String(decoding: self, as: UTF8.self))”"
    }
}

#endif
