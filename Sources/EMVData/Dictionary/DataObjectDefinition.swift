#if !hasFeature(Embedded)
public import BERTLV

/// What the books say about a data object: its name, how its value is written, how long it is, and who gives it.
///
/// Some tags mean one thing to one kernel and another to the next: 9F66 is a mag-stripe bit map to kernel 2 and the
/// Terminal Transaction Qualifiers to kernels 3, 6 and 7. Such an object has a definition for each kernel.
public struct DataObjectDefinition: Hashable, Sendable {
    /// Who gives the object its value.
    public enum Source: String, Sendable {
        /// The card.
        case card
        /// The terminal, its reader or kernel.
        case terminal
        /// The issuer.
        case issuer
    }

    /// The tag.
    public let tag: Tag
    /// The object's name in the book.
    public let name: String
    /// How the value is written.
    public let format: DataFormat
    /// How long the value may be.
    public let length: DataLength
    /// Who gives the value.
    public let source: Source
    /// Where it is defined: book and section.
    public let reference: String
    /// The kernel to which the tag means this; nil where it means the same to all.
    public let kernel: KernelIdentifier?
}

#endif
