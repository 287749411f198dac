#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// Kernel 7: card objects of UnionPay contactless (EMV Book C-7).
    static let kernel7 = table(
        of: .kernel7,
        """
        9F51 | n  | 2  | card     | C-7, Annex A | Application Currency Code of electronic cash
        9F54 | n  | 6  | card     | C-7, Annex A | Cumulative Total Transaction Amount Limit
        9F58 | b  | 1  | card     | C-7, Annex A | Lower Consecutive Offline Limit
        9F59 | b  | 1  | card     | C-7, Annex A | Upper Consecutive Offline Limit
        9F63 | b  | 16 | card     | C-7, Annex A | Product Identification Information
        9F6D | n  | 6  | card     | C-7, Annex A | Electronic Cash Reset Threshold
        9F74 | an | 6  | card     | C-7, Annex A | Electronic Cash Issuer Authorisation Code
        9F77 | n  | 6  | card     | C-7, Annex A | Electronic Cash Balance Limit
        9F78 | n  | 6  | card     | C-7, Annex A | Electronic Cash Single Transaction Limit
        9F79 | n  | 6  | card     | C-7, Annex A | Electronic Cash Balance
        DF60 | b  | 1  | terminal | C-7, Annex A | Contactless Extended Application Indicator
        DF69 | b  | 1  | terminal | C-7, Annex A | Chinese Cryptography Support Indicator
        """
    )
}

#endif
