#if !hasFeature(Embedded)

extension Array<UInt8> {
    /// Copies a span.
    public init(_ span: Span<UInt8>) {
        self.init(capacity: span.count) { (output: inout OutputSpan<UInt8>) in
            output.append(copying: span)
        }
    }
}

#endif
