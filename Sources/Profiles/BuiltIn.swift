extension CardProfile {
    /// The built-in test card of a scheme: a phone's card with a published test number.
    public static func builtIn(_ scheme: Scheme) -> CardProfile {
        switch scheme {
        case .visa: builtInVisa
        case .mastercard: builtInMastercard
        }
    }

    private static let builtInVisa = readBuiltIn(.visa)
    private static let builtInMastercard = readBuiltIn(.mastercard)

    private static func readBuiltIn(_ scheme: Scheme) -> CardProfile {
        do {
            return try CardProfile(json: builtInFile(scheme))
        } catch {
            preconditionFailure("Resources/\(scheme.rawValue).json: \(error)")
        }
    }

    /// The JSON text of the built-in test card of a scheme, to start one's own profile from.
    public static func builtInJSON(_ scheme: Scheme) -> String {
        String(decoding: builtInFile(scheme), as: UTF8.self)
    }

    private static func builtInFile(_ scheme: Scheme) -> [UInt8] {
        switch scheme {
        case .visa: PackageResources.visa_json
        case .mastercard: PackageResources.mastercard_json
        }
    }
}

extension IssuerProfile {
    /// The issuers of the built-in test cards.
    public static let builtIn: [IssuerProfile] = {
        do {
            return try issuers(json: PackageResources.issuers_json)
        } catch {
            preconditionFailure("Resources/issuers.json: \(error)")
        }
    }()
}

extension TerminalConfiguration {
    /// The built-in terminal: attended, online capable, for every application our kernels can handle.
    public static let builtIn: TerminalConfiguration = {
        do {
            return try TerminalConfiguration(json: PackageResources.terminal_json)
        } catch {
            preconditionFailure("Resources/terminal.json: \(error)")
        }
    }()

    /// The JSON text of the built-in terminal, to start one's own configuration from.
    public static var builtInJSON: String {
        String(decoding: PackageResources.terminal_json, as: UTF8.self)
    }
}
