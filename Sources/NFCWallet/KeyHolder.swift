/// Who has payment keys out: one store object of one program.
struct KeyHolder: Hashable, Sendable, Codable {
    /// The number of the mark it makes for as long as it is there; nil in records of older programs, which are gone.
    var mark: Int64?
}
