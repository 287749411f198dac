#if !hasFeature(Embedded)
public import BERTLV

extension DataObjectDefinition {
    /// Every definition: those of all kernels first, then each kernel's own.
    public static let all: [DataObjectDefinition] = [
        templates, selection, account, application, counters, cryptogram, certificates,
        transaction, terminal, biometrics,
        kernel3, kernel2, kernel4, kernel5, kernel6, kernel7, kernel8,
    ].flatMap { $0 }

    private static let byTag = Dictionary(grouping: all, by: \.tag)

    /// All meanings of a tag; none for an unknown one.
    public static func all(of tag: Tag) -> [DataObjectDefinition] { byTag[tag] ?? [] }

    /// What a tag means to a kernel; without one, or where that kernel does not define it, what it means first.
    ///
    /// The first meaning is the one of all kernels, or else kernel 3's, whose qualifiers kernels 6 and 7 share.
    public static subscript(
        tag: Tag,
        in kernel: KernelIdentifier? = nil
    ) -> DataObjectDefinition? {
        let meanings = all(of: tag)
        return meanings.first { $0.kernel != nil && $0.kernel == kernel } ?? meanings.first
    }
}

#endif
