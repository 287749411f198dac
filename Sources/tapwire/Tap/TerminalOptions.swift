import CommandLineKit
import EMVCrypto
import Profiles
import VirtualPOS

/// What the command line says about the point of sale.
struct TerminalOptions {
    /// The options themselves, for every command that has a terminal.
    static let options: [CommandOption] = [
        .value("config", "FILE", "The terminal, instead of the built-in one."),
        .value(
            "ca-keys",
            "FILE",
            "Certification authorities' keys beside those of the terminal.",
            isRepeatable: true
        ),
    ]

    /// The terminal, with all keys it was given.
    let configuration: TerminalConfiguration
    private let path: String?

    /// Reads the files.
    /// - Throws: `CommandFailure` with `ExitCode.badFile`.
    init(_ arguments: Arguments) throws {
        var configuration = TerminalConfiguration.builtIn
        path = arguments["config"]
        if let path {
            configuration = try InputFile.json(path, .terminalConfiguration) {
                (text: [UInt8]) throws(ProfilesError) in try TerminalConfiguration(json: text)
            }
        }
        for path in arguments.values("ca-keys").reversed() {
            let keys = try InputFile.json(path, .authorityKeys) {
                (text: [UInt8]) throws(ProfilesError) in try CAPublicKey.keys(json: text)
            }
            // The first key of an index counts, so that a file can replace one.
            configuration.caKeys = keys + configuration.caKeys
        }
        self.configuration = configuration
    }

    /// The terminal, ready to tap.
    /// - Parameter adapted: The configuration to use instead of the one that was read.
    /// - Returns: The terminal.
    /// - Throws: `CommandFailure` with `ExitCode.badFile` for a value that fits no data object.
    func pointOfSale(_ adapted: TerminalConfiguration? = nil) throws -> POSTerminal {
        do throws(ProfilesError) {
            return try POSTerminal(adapted ?? configuration)
        } catch {
            throw JSONFileKind.terminalConfiguration.failure(error, in: path ?? "built-in")
        }
    }

    /// What the kernels get from outside.
    func environment(_ payment: PaymentOptions) -> POSEnvironment {
        let numbers = payment.unpredictableNumber.map { [$0] } ?? []
        guard let seed = payment.seed else {
            return POSEnvironment(caKeys: configuration.caKeys, unpredictableNumbers: numbers)
        }
        return POSEnvironment(
            caKeys: configuration.caKeys,
            unpredictableNumbers: numbers,
            generator: SeededGenerator(seed: seed)
        )
    }
}
