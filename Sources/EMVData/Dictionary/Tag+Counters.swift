public import BERTLV

// What the card counts.
extension Tag {
    /// Last Online Application Transaction Counter (ATC) Register (9F13), EMV Book 3, Annex A.
    public static var lastOnlineATCRegister: Tag { Tag(rawValue: 0x9F13) }
    /// Personal Identification Number (PIN) Try Counter (9F17), EMV Book 3, Annex A.
    public static var pinTryCounter: Tag { Tag(rawValue: 0x9F17) }
    /// Application Transaction Counter (ATC) (9F36), EMV Book 3, Annex A.
    public static var applicationTransactionCounter: Tag { Tag(rawValue: 0x9F36) }
}
