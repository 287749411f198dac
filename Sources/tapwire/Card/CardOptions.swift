import CommandLineKit
import Profiles

/// What the command line says about a card of ours.
struct CardOptions {
    /// The words for the built-in cards.
    static let schemes = ["visa", "mastercard"]

    /// The card.
    let personalization: CardPersonalization

    /// Reads the options; nil when none of them is there.
    /// - Throws: `CommandFailure` with `ExitCode.usage` or `ExitCode.badFile`.
    init?(_ arguments: Arguments) throws {
        if let path = arguments["profile"] {
            guard !arguments.has("scheme") else {
                throw CommandFailure(
                    .usage,
                    "--scheme chooses a built-in card; leave it out with --profile"
                )
            }
            try self.init(path: path)
        } else if let scheme = arguments["scheme"].flatMap(Scheme.init(rawValue:)) {
            try self.init(scheme)
        } else {
            return nil
        }
    }

    /// Reads a profile file.
    init(path: String) throws {
        let profile = try InputFile.json(path, .profile) {
            (text: [UInt8]) throws(ProfilesError) in try CardProfile(json: text)
        }
        try self.init(profile, path)
    }

    /// Takes a built-in card.
    init(_ scheme: Scheme) throws { try self.init(.builtIn(scheme), "built-in") }

    private init(_ profile: CardProfile, _ path: String) throws {
        do throws(ProfilesError) {
            personalization = try CardPersonalization(profile)
        } catch {
            throw JSONFileKind.profile.failure(error, in: path)
        }
    }
}
