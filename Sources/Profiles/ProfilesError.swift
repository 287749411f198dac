/// What is wrong with a profile, a configuration or a key file, and where in it.
public struct ProfilesError: Error, Hashable, Sendable {
    /// Where: the path of the JSON value, `applications[0].pdol`; empty for the whole file.
    public var path: String
    /// What is wrong with it and what would be right, a phrase that follows "path: ".
    public var problem: String

    /// Joins a place and what is wrong there.
    public init(_ path: String, _ problem: String) {
        self.path = path
        self.problem = problem
    }
}

extension ProfilesError: CustomStringConvertible {
    /// One sentence for people.
    public var description: String { path.isEmpty ? problem : "\(path): \(problem)" }
}
