/// Which form the records of a store have, and how older forms become it.
public struct StoreSchema: Sendable {
    /// Makes the records of the next form of a record of an older one.
    ///
    /// It is given the record's name and bytes, and hands out as many records as become of it.
    public typealias Step =
        @Sendable (RecordID, Span<UInt8>, _ emit: (RecordID, Span<UInt8>) -> Void) -> Void

    /// The number of the present form, from 1.
    public var version: Int
    /// The step from each form to the next, that from form 1 first.
    public var steps: [Step]

    /// Collects the steps; there is one less than there are forms.
    public init(steps: [Step] = []) {
        version = steps.count + 1
        self.steps = steps
    }
}
