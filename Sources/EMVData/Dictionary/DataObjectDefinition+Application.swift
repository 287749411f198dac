#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// What the application allows and how it wants to be asked.
    static let application = table(
        """
        82   | b | 2      | card | 3, Annex C1 | Application Interchange Profile (AIP)
        8C   | b | <=252  | card | 3, 9.2.1    | Card Risk Management Data Object List 1 (CDOL1)
        8D   | b | <=252  | card | 3, 9.2.1    | Card Risk Management Data Object List 2 (CDOL2)
        8E   | b | 10-252 | card | 3, 10.5     | Cardholder Verification Method (CVM) List
        94   | b | <=252  | card | 3, 10.2     | Application File Locator (AFL)
        97   | b | <=252  | card | 3, 9.2.2    | Transaction Certificate Data Object List (TDOL)
        9F05 | b | 1-32   | card | 3, Annex A  | Application Discretionary Data
        9F07 | b | 2      | card | 3, Annex C2 | Application Usage Control (AUC)
        9F08 | b | 2      | card | 3, 10.4.1   | Application Version Number - Card
        9F0D | b | 5      | card | 3, 10.7     | Issuer Action Code - Default
        9F0E | b | 5      | card | 3, 10.7     | Issuer Action Code - Denial
        9F0F | b | 5      | card | 3, 10.7     | Issuer Action Code - Online
        9F14 | b | 1      | card | 3, 10.6.3   | Lower Consecutive Offline Limit
        9F23 | b | 1      | card | 3, 10.6.3   | Upper Consecutive Offline Limit
        9F3B | n | 2-8    | card | 3, Annex A  | Application Reference Currency
        9F42 | n | 2      | card | 3, Annex A  | Application Currency Code
        9F43 | n | 1-4    | card | 3, Annex A  | Application Reference Currency Exponent
        9F44 | n | 1      | card | 3, Annex A  | Application Currency Exponent
        9F49 | b | <=252  | card | 2, 6.5      | Dynamic Data Authentication Data Object List (DDOL)
        9F4A | b | var.   | card | 3, 10.3     | Static Data Authentication Tag List
        9F4F | b | var.   | card | 3, Annex D  | Log Format
        """
    )
}

#endif
