#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// The cryptogram and the issuer's answer to it.
    static let cryptogram = table(
        """
        89   | an | 6     | issuer   | 3, Annex A  | Authorisation Code
        8A   | an | 2     | terminal | 4, Annex A6 | Authorisation Response Code
        91   | b  | 8-16  | issuer   | 2, 8.2      | Issuer Authentication Data
        9F10 | b  | <=32  | card     | 3, Annex C7 | Issuer Application Data (IAD)
        9F18 | b  | 4     | issuer   | 3, 10.10    | Issuer Script Identifier
        9F26 | b  | 8     | card     | 2, 8.1      | Application Cryptogram (AC)
        9F27 | b  | 1     | card     | 3, 6.5.5.4  | Cryptogram Information Data (CID)
        9F5B | b  | <=20  | terminal | 4, Annex A5 | Issuer Script Results
        86   | b  | <=261 | issuer   | 3, 10.10    | Issuer Script Command
        98   | b  | 20    | terminal | 3, Annex A  | Transaction Certificate (TC) Hash Value
        """
    )
}

#endif
