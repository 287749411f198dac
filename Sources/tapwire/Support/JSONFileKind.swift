import CommandLineKit
import Profiles

/// A kind of JSON file that users write themselves.
struct JSONFileKind {
    /// What it is, for errors.
    let name: String
    /// What a right one looks like.
    private let model: String

    static let profile = JSONFileKind(
        name: "profile",
        model: "what “tapwire profile --scheme visa” prints"
    )
    static let terminalConfiguration = JSONFileKind(
        name: "terminal configuration",
        model: "what “tapwire profile --terminal” prints"
    )
    static let authorityKeys = JSONFileKind(
        name: "CA key file",
        model: "Vectors/ca-keys/schemes.json"
    )
    static let scenario = JSONFileKind(
        name: "scenario",
        model: "the README's, below “Provisioning”"
    )

    /// Says what is wrong in a file, where in it, and what a right one looks like.
    func failure(_ error: ProfilesError, in path: String) -> CommandFailure {
        let separator = error.path.isEmpty ? " " : ", "
        return CommandFailure(
            .badFile,
            "\(name) \(path.quoted)\(separator)\(error); compare it with \(model)"
        )
    }
}
