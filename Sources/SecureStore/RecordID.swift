/// Names one record of a store; the names are not sealed, so they hold nothing secret.
public struct RecordID: Hashable, Sendable {
    /// What kind of record it is.
    public var kind: String
    /// What it belongs to; empty where that needs no name.
    public var owner: String
    /// Tells records of one kind and owner apart, and orders them.
    public var number: Int64

    /// Collects the parts.
    public init(_ kind: String, owner: String = "", number: Int64 = 0) {
        self.kind = kind
        self.owner = owner
        self.number = number
    }
}

extension RecordID: CustomStringConvertible {
    /// The name with slashes between its parts.
    public var description: String { "\(kind)/\(owner)/\(number)" }
}
