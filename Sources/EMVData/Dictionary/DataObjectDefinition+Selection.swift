#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// Directory entries and selection.
    static let selection = table(
        """
        42   | n   | 3     | card     | 3, Annex A   | Issuer Identification Number (IIN)
        4F   | b   | 5-16  | card     | 1, 12.2.3    | Application Dedicated File (ADF) Name
        50   | ans | 1-16  | card     | 1, 12.2.4    | Application Label
        84   | b   | 5-16  | card     | 1, 11.3.4    | Dedicated File (DF) Name
        87   | b   | 1     | card     | 1, 12.2.3    | Application Priority Indicator
        88   | b   | 1     | card     | 1, 12.2.3    | Short File Identifier (SFI)
        5F55 | a   | 2     | card     | 3, Annex A   | Issuer Country Code (alpha2 format)
        5F56 | a   | 3     | card     | 3, Annex A   | Issuer Country Code (alpha3 format)
        5F50 | ans | var.  | card     | 3, Annex A   | Issuer URL
        5F2D | an  | 2-8   | card     | 1, 11.3.4    | Language Preference
        9D   | b   | 5-16  | card     | 1, 12.2.3    | Directory Definition File (DDF) Name
        9F06 | b   | 5-16  | terminal | 1, 12.2.1    | Application Identifier (AID) - Terminal
        9F0A | b   | var.  | card     | 1, 12.5      | Application Selection Registered Proprietary Data (ASRPD)
        9F11 | n   | 1     | card     | 1, 12.2.4    | Issuer Code Table Index
        9F12 | ans | 1-16  | card     | 1, 12.2.4    | Application Preferred Name
        9F29 | b   | <=16  | card     | B, 3.3.2     | Extended Selection
        9F2A | b   | 1,3-8 | card     | B, 3.3.2     | Kernel Identifier
        9F38 | b   | <=252 | card     | 3, 10.1      | Processing Options Data Object List (PDOL)
        9F4D | b   | 2     | card     | 3, Annex D   | Log Entry
        96   | b   | 8     | terminal | B, Table 3-7 | Kernel Identifier - Terminal
        8B   | b   | 4-64  | terminal | B, Annex A   | POI Information
        9F3E | b   | >=2   | terminal | B, Annex A   | Terminal Categories Supported List
        """
    )
}

#endif
