import Profiles

/// A case of one family: what goes in, and the calculation that answers it.
///
/// A family is one small file in `Families/`: a type that reads its input and computes its output. It is
/// found through `VectorFamilies.all`.
protocol VectorFamily: Sendable {
    /// The family's name as files give it: words in lower case, joined by hyphens.
    static var name: String { get }

    /// Reads what goes in.
    ///
    /// Members of either object that were not asked for are refused afterwards.
    /// - Throws: `ProfilesError` for a member that is missing or has another shape: the file is broken.
    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError)

    /// Computes the members a case may expect; those that it does not name are not compared.
    /// - Throws: Any error of the code under test: the input is refused, as an invalid case must be.
    func output() throws -> VectorOutput
}
