#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// Kernel 6: objects of Discover contactless (EMV Book C-6).
    static let kernel6 = table(
        of: .kernel6,
        """
        9F71 | b | 2 | card | C-6, Annex A | Card Processing Requirement
        """
    )
}

#endif
