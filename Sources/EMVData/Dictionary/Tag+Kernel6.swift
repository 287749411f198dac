public import BERTLV

// Kernel 6: objects of Discover contactless (EMV Book C-6).
extension Tag {
    /// Card Processing Requirement (9F71), EMV Book C-6, Annex A.
    public static var cardProcessingRequirement: Tag { Tag(rawValue: 0x9F71) }
}
