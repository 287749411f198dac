#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// Templates of cards and responses.
    static let templates = table(
        """
        61   | var. | <=252 | card     | 1, 12.2.3  | Application Template
        62   | var. | <=252 | card     | ISO 7816-4, 7.4 | File Control Parameters (FCP) Template
        6F   | var. | <=252 | card     | 1, 11.3.4  | File Control Information (FCI) Template
        70   | var. | <=252 | card     | 3, 6.5.11  | READ RECORD Response Message Template
        71   | b    | var.  | issuer   | 3, 10.10   | Issuer Script Template 1
        72   | b    | var.  | issuer   | 3, 10.10   | Issuer Script Template 2
        73   | var. | <=252 | card     | 1, 12.2.3  | Directory Discretionary Template
        77   | var. | var.  | card     | 3, 6.5.5.4 | Response Message Template Format 2
        80   | var. | var.  | card     | 3, 6.5.5.4 | Response Message Template Format 1
        83   | b    | var.  | terminal | 3, 6.5.8   | Command Template
        A5   | var. | var.  | card     | 1, 11.3.4  | File Control Information (FCI) Proprietary Template
        BF0C | var. | <=222 | card     | 1, 11.3.4  | File Control Information (FCI) Issuer Discretionary Data
        """
    )
}

#endif
