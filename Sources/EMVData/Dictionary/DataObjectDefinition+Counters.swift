#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// What the card counts.
    static let counters = table(
        """
        9F13 | b | 2 | card | 3, Annex A | Last Online Application Transaction Counter (ATC) Register
        9F17 | b | 1 | card | 3, Annex A | Personal Identification Number (PIN) Try Counter
        9F36 | b | 2 | card | 3, Annex A | Application Transaction Counter (ATC)
        """
    )
}

#endif
