public import BERTLV

// Kernel 4: reader objects of American Express contactless (EMV Book C-4).
extension Tag {
    /// Contactless Reader Capabilities (9F6D), EMV Book C-4, 4.3.
    public static var contactlessReaderCapabilities: Tag { Tag(rawValue: 0x9F6D) }
    /// Enhanced Contactless Reader Capabilities (9F6E), EMV Book C-4, 4.3.
    public static var enhancedContactlessReaderCapabilities: Tag { Tag(rawValue: 0x9F6E) }
    /// Form Factor (9F67), EMV Book C-4, 4.3.
    public static var formFactor: Tag { Tag(rawValue: 0x9F67) }
    /// Mobile CVM Results (9F71), EMV Book C-4, 4.3.
    public static var mobileCVMResults: Tag { Tag(rawValue: 0x9F71) }
}
