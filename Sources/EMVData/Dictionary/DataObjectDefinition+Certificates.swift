#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// Certificates, keys and signed data.
    static let certificates = table(
        """
        8F   | b | 1     | card     | 2, 5      | Certification Authority Public Key Index
        90   | b | <=248 | card     | 2, 5.3    | Issuer Public Key Certificate
        92   | b | <=248 | card     | 2, 5.3    | Issuer Public Key Remainder
        93   | b | <=248 | card     | 2, 5.4    | Signed Static Application Data (SSAD)
        9F22 | b | 1     | terminal | 2, 11.2.2 | Certification Authority Public Key Index - Terminal
        9F2D | b | <=248 | card     | 2, 7.1    | Integrated Circuit Card (ICC) PIN Encipherment Public Key Certificate
        9F2E | b | 1,3   | card     | 2, 7.1    | Integrated Circuit Card (ICC) PIN Encipherment Public Key Exponent
        9F2F | b | <=248 | card     | 2, 7.1    | Integrated Circuit Card (ICC) PIN Encipherment Public Key Remainder
        9F32 | b | 1,3   | card     | 2, 5.1    | Issuer Public Key Exponent
        9F45 | b | 2     | card     | 2, 5.4    | Data Authentication Code
        9F46 | b | <=248 | card     | 2, 6.4    | Integrated Circuit Card (ICC) Public Key Certificate
        9F47 | b | 1,3   | card     | 2, 6.1    | Integrated Circuit Card (ICC) Public Key Exponent
        9F48 | b | <=248 | card     | 2, 6.4    | Integrated Circuit Card (ICC) Public Key Remainder
        9F4B | b | <=248 | card     | 2, 6.5    | Signed Dynamic Application Data (SDAD)
        9F4C | b | 2-8   | card     | 2, 6.5    | ICC Dynamic Number
        """
    )
}

#endif
