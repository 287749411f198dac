#if !hasFeature(Embedded)

extension RetailMAC.Padding {
    /// Fills a message up to whole blocks; an empty one becomes a block either way.
    public func padded(_ message: [UInt8], blockByteCount: Int = 8) -> [UInt8] {
        precondition(blockByteCount > 0)
        let marked = self == .marked ? message + [0x80] : message
        let blockCount = max(1, (marked.count + blockByteCount - 1) / blockByteCount)
        return marked + [UInt8](repeating: 0, count: blockCount * blockByteCount - marked.count)
    }
}

#endif
