#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// The account and its holder.
    static let account = table(
        """
        56   | ans | <=76  | card     | C-2, A.1   | Track 1 Data
        57   | b   | <=19  | card     | 3, Annex A | Track 2 Equivalent Data
        5A   | cn  | <=10  | card     | 3, Annex A | Application Primary Account Number (PAN)
        5F20 | ans | 2-26  | card     | 3, Annex A | Cardholder Name
        5F24 | n   | 3     | card     | 3, Annex A | Application Expiration Date
        5F25 | n   | 3     | card     | 3, Annex A | Application Effective Date
        5F28 | n   | 2     | card     | 3, Annex A | Issuer Country Code
        5F30 | n   | 2     | card     | 3, Annex A | Service Code
        5F34 | n   | 1     | card     | 3, Annex A | Application Primary Account Number (PAN) Sequence Number
        5F53 | b   | <=34  | card     | 3, Annex A | International Bank Account Number (IBAN)
        5F54 | b   | 8,11  | card     | 3, Annex A | Bank Identifier Code (BIC)
        5F57 | n   | 1     | terminal | 3, Annex A | Account Type
        9F0B | ans | 27-45 | card     | 3, Annex A | Cardholder Name Extended
        9F0C | n   | 3-4   | card     | 3, Annex A | Issuer Identification Number Extended (IINE)
        9F1F | ans | var.  | card     | 3, Annex A | Track 1 Discretionary Data
        9F20 | cn  | var.  | card     | 3, Annex A | Track 2 Discretionary Data
        9F24 | an  | 29    | card     | 3, Annex A | Payment Account Reference (PAR)
        9F25 | n   | 2     | card     | 3, Annex A | Last 4 Digits of PAN
        9F19 | n   | 6     | card     | 3, Annex A | Token Requestor ID
        """
    )
}

#endif
