#if !hasFeature(Embedded)

extension DataObjectDefinition {
    /// The transaction as the terminal describes it.
    static let transaction = table(
        """
        81   | b | 4    | terminal | 3, Annex A  | Amount, Authorised (Binary)
        9F02 | n | 6    | terminal | 3, Annex A  | Amount, Authorised (Numeric)
        9F03 | n | 6    | terminal | 3, Annex A  | Amount, Other (Numeric)
        9F04 | b | 4    | terminal | 3, Annex A  | Amount, Other (Binary)
        9F3A | b | 4    | terminal | 3, Annex A  | Amount, Reference Currency
        5F2A | n | 2    | terminal | 3, Annex A  | Transaction Currency Code
        5F36 | n | 1    | terminal | 3, Annex A  | Transaction Currency Exponent
        9F3C | n | 2    | terminal | 3, Annex A  | Transaction Reference Currency Code
        9F3D | n | 1    | terminal | 3, Annex A  | Transaction Reference Currency Exponent
        95   | b | 5    | terminal | 3, Annex C5 | Terminal Verification Results (TVR)
        99   | b | var. | terminal | 3, Annex A  | Transaction Personal Identification Number (PIN) Data
        9A   | n | 3    | terminal | 3, Annex A  | Transaction Date
        9B   | b | 2    | terminal | 3, Annex C6 | Transaction Status Information (TSI)
        9C   | n | 1    | terminal | 3, Annex A  | Transaction Type
        9F21 | n | 3    | terminal | 3, Annex A  | Transaction Time
        9F34 | b | 3    | terminal | 4, Annex A4 | Cardholder Verification Method (CVM) Results
        9F37 | b | 4    | terminal | 3, Annex A  | Unpredictable Number
        9F39 | n | 1    | terminal | 3, Annex A  | Point-of-Service (POS) Entry Mode
        9F41 | n | 2-4  | terminal | 3, Annex A  | Transaction Sequence Counter
        """
    )
}

#endif
