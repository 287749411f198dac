#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// Biometric verification.
    static let biometrics = table(
        """
        7F60 | var. | var. | card     | 3, Annex A | Biometric Information Template (BIT)
        9F30 | b    | 3    | terminal | 3, Annex A | Biometric Terminal Capabilities
        9F31 | b    | var. | card     | 3, Annex A | Card BIT Group Template
        A1   | var. | var. | card     | 3, Annex A | Biometric Header Template (BHT)
        BF4A | var. | var. | card     | 3, Annex A | Offline BIT Group Template
        BF4B | var. | var. | card     | 3, Annex A | Online BIT Group Template
        BF4C | var. | var. | card     | 3, Annex A | Biometric Try Counters Template
        BF4D | var. | var. | card     | 3, Annex A | Preferred Attempts Template
        BF4E | var. | var. | terminal | 3, Annex A | Biometric Verification Data Template
        DF50 | b    | 1    | card     | 3, Annex A | Facial Try Counter
        DF51 | b    | 1    | card     | 3, Annex A | Finger Try Counter
        DF52 | b    | 1    | card     | 3, Annex A | Iris Try Counter
        DF53 | b    | 1    | card     | 3, Annex A | Palm Try Counter
        DF54 | b    | 1    | card     | 3, Annex A | Voice Try Counter
        """
    )
}

#endif
