#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// Kernel 5: card and reader objects of JCB contactless (EMV Book C-5).
    static let kernel5 = table(
        of: .kernel5,
        """
        9F50 | b | 1    | card     | C-5, Annex A | Cardholder Verification Status
        9F52 | b | 1    | terminal | C-5, Annex A | Terminal Compatibility Indicator
        9F53 | b | 3    | terminal | C-5, Annex A | Terminal Interchange Profile
        9F57 | n | 2    | card     | C-5, Annex A | Issuer Country Code
        9F5C | b | var. | card     | C-5, Annex A | Mag-stripe Data Object List (MDOL)
        9F5F | n | 6    | card     | C-5, Annex A | Offline Balance
        9F60 | b | 1    | card     | C-5, Annex A | Issuer Update Parameter
        """
    )
}

#endif
