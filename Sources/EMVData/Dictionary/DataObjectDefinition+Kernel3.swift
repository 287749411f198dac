#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// Kernel 3: card and reader objects of Visa contactless (EMV Book C-3).
    static let kernel3 = table(
        of: .kernel3,
        """
        9F5D | n | 6    | card     | C-3, Annex A | Available Offline Spending Amount (AOSA)
        9F66 | b | 4    | terminal | C-3, Annex A | Terminal Transaction Qualifiers (TTQ)
        9F68 | b | 4    | card     | C-3, Annex A | Card Additional Processes (CAP)
        9F69 | b | 5-16 | card     | C-3, Annex A | Card Authentication Related Data
        9F6C | b | 2    | card     | C-3, Annex A | Card Transaction Qualifiers (CTQ)
        9F6E | b | 4    | card     | C-3, Annex A | Form Factor Indicator (FFI)
        9F7C | b | <=32 | card     | C-3, Annex A | Customer Exclusive Data (CED)
        9F5A | b | 1-16 | card     | C-3, Annex A | Application Program Identifier
        """
    )
}

#endif
