public import Profiles

/// What is wrong with a file of test vectors, and where in it.
public struct VectorFileError: Error, Hashable, Sendable {
    /// The file as it was named by whoever read it.
    public var file: String
    /// The case; nil when it is not a case that is wrong, or one without a name.
    public var caseID: String?
    /// The place in the case or file, and what is wrong there.
    public var reason: ProfilesError

    /// Joins the parts.
    public init(file: String, caseID: String? = nil, reason: ProfilesError) {
        self.file = file
        self.caseID = caseID
        self.reason = reason
    }
}

extension VectorFileError: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        let place = caseID.map { "\(file): case \($0)" } ?? file
        return reason.path.isEmpty ? "\(place) \(reason.problem)" : "\(place): \(reason)"
    }
}
