#if !hasFeature(Embedded)
public import BERTLV

extension DataObjectList {
    /// Brings a value to the length asked for (EMV Book 3, 5.4, step 2).
    ///
    /// | format | too long | too short |
    /// |---|---|---|
    /// | n | leftmost bytes go | zeros on the left |
    /// | cn | rightmost bytes go | FF on the right |
    /// | other | rightmost bytes go | zeros on the right |
    ///
    /// An empty value stands for an unknown object, which is zeros whatever its format.
    public static func fit(_ value: [UInt8], of tag: Tag, to length: Int) -> [UInt8] {
        let missing = max(0, length - value.count)
        if value.isEmpty { return [UInt8](repeating: 0, count: length) }
        return switch DataObjectDefinition[tag]?.format {
        case .numeric: [UInt8](repeating: 0, count: missing) + value.suffix(length)
        case .compressedNumeric: value.prefix(length) + [UInt8](repeating: 0xFF, count: missing)
        default: value.prefix(length) + [UInt8](repeating: 0, count: missing)
        }
    }
}

#endif
