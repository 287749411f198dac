import CommandLineKit
import Foundation

/// The command line program.
@main
struct Tapwire {
    static let program = CommandLineProgram(
        name: "tapwire",
        summary: "Taps contactless payment cards on a virtual point of sale.",
        version: "0.1.0",
        commands: [
            TapCommand.command, CardCommand.command, WalletCommand.command,
            ProvisionCommand.command, POSCommand.command, ReadersCommand.command,
            ReadCommand.command, APDUCommand.command, ProfileCommand.command, CryptoCommand.command,
            DecodeCommand.command,
            TraceCommand.command, VectorsCommand.command, BenchCommand.command,
        ]
    )

    static func main() async {
        Console.holdStandardStreams()
        let code = await program.run(Array(CommandLine.arguments.dropFirst()))
        exit(code.rawValue)
    }
}
