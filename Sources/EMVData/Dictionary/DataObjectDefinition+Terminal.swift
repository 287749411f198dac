#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// The terminal, its merchant and its acquirer.
    static let terminal = table(
        """
        9F01 | n   | 6    | terminal | 3, Annex A  | Acquirer Identifier
        9F09 | b   | 2    | terminal | 3, 10.4.1   | Application Version Number - Terminal
        9F15 | n   | 2    | terminal | 3, Annex A  | Merchant Category Code
        9F16 | ans | 15   | terminal | 3, Annex A  | Merchant Identifier
        9F1A | n   | 2    | terminal | 3, Annex A  | Terminal Country Code
        9F1B | b   | 4    | terminal | 3, 10.6.1   | Terminal Floor Limit
        9F1C | an  | 8    | terminal | 3, Annex A  | Terminal Identification
        9F1D | b   | 1-8  | terminal | 3, Annex A  | Terminal Risk Management Data
        9F1E | an  | 8    | terminal | 3, Annex A  | Interface Device (IFD) Serial Number
        9F33 | b   | 3    | terminal | 4, Annex A2 | Terminal Capabilities
        9F35 | n   | 1    | terminal | 4, Annex A1 | Terminal Type
        9F40 | b   | 5    | terminal | 4, Annex A3 | Additional Terminal Capabilities
        9F4E | ans | var. | terminal | 3, Annex A  | Merchant Name and Location
        """
    )
}

#endif
