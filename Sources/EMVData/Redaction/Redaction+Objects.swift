#if !hasFeature(Embedded)
public import BERTLV

extension Redaction {
    /// Masks the objects of a tree.
    public mutating func mask(_ objects: [TLV]) -> [TLV] {
        guard extent == .cardholderData else { return objects }
        // Twice, since an object may hide what a later one tells.
        _ = maskOnce(objects)
        return maskOnce(objects)
    }

    /// Masks encoded objects in place, so that lengths and padding stay as they were written.
    ///
    /// Bytes that are not objects to the last one are blanked.
    public mutating func mask(encoded bytes: [UInt8]) -> [UInt8] {
        guard extent == .cardholderData else { return bytes }
        guard (try? TLV.parse(bytes)) != nil else { return Self.zeros(bytes) }
        _ = maskOnce(encoded: bytes)
        return maskOnce(encoded: bytes)
    }

    private mutating func maskOnce(_ objects: [TLV]) -> [TLV] {
        var masked: [TLV] = []
        for object in objects {
            switch object.contents {
            case .primitive(let value):
                masked.append(TLV(object.tag, mask(value, of: object.tag)))
            case .constructed(let inner):
                masked.append(TLV(object.tag, maskOnce(inner)))
            }
        }
        return masked
    }

    private mutating func maskOnce(encoded bytes: [UInt8]) -> [UInt8] {
        var masked = bytes
        var position = 0
        while position < bytes.count {
            var reader = TLVReader(bytes.span.extracting(position...), base: position)
            guard let element = try? reader.next() else { break }
            let start = element.valueOffset
            if element.tag.isConstructed {
                // The objects inside come next, and the template was already read to its end.
                position = start
            } else {
                position = reader.offset
                let value = Array(bytes[start..<position])
                masked.replaceSubrange(start..<position, with: mask(value, of: element.tag))
            }
        }
        return masked
    }
}

#endif
