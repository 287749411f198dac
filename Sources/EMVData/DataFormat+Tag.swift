#if !hasFeature(Embedded)
public import BERTLV

extension DataFormat {
    /// The format of an object by its tag; binary for an unknown one.
    public init(of tag: Tag) {
        switch tag.rawValue {
        case 0x9F02, 0x9F03, 0x9A, 0x9C, 0x9F1A, 0x5F2A, 0x9F21, 0x9F15, 0x9F35, 0x9F39, 0x9F41,
            0x9F01, 0x5F24, 0x5F25, 0x5F28, 0x5F30, 0x5F34, 0x5F36, 0x9F42:
            self = .numeric
        case 0x5A, 0x9F20: self = .compressedNumeric
        default: self = .binary
        }
    }
}
#endif
