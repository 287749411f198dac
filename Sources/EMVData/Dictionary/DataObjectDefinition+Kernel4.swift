#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// Kernel 4: reader objects of American Express contactless (EMV Book C-4).
    static let kernel4 = table(
        of: .kernel4,
        """
        9F6D | b | 1    | terminal | C-4, 4.3 | Contactless Reader Capabilities
        9F6E | b | 4    | terminal | C-4, 4.3 | Enhanced Contactless Reader Capabilities
        9F67 | b | var. | card     | C-4, 4.3 | Form Factor
        9F71 | b | 3    | card     | C-4, 4.3 | Mobile CVM Results
        """
    )
}

#endif
