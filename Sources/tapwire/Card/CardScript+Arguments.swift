import CommandLineKit
import ISO7816
import Octets
import Transport

extension CardScript {
    /// The option that names a script.
    static let option = CommandOption.value(
        "script",
        "FILE",
        "Lets a script answer some commands instead of the card."
    )

    /// Reads the script that is named; nil without one.
    /// - Throws: `CommandFailure` with `ExitCode.badFile`.
    init?(_ arguments: Arguments) throws {
        guard let path = arguments["script"] else { return nil }
        let text = try InputFile.text(path, "card script")
        do throws(CardScriptError) {
            try self.init(parsing: text)
        } catch {
            throw CommandFailure(.badFile, "card script \(path.quoted), \(error)")
        }
    }
}

extension CardScriptPlayer.Step {
    /// What the script does with a command, for people.
    func text(to command: [UInt8]) -> String {
        let code = (try? CommandAPDU(parsing: command))?.code
        let name = code?.name ?? command.prefix(2).hex
        let what =
            switch answer.action {
            case .respond: "is answered"
            case .leave: "makes the card leave"
            case .staySilent: "is not answered"
            }
        let delay = answer.delay / .milliseconds(1)
        let time = delay > 0 ? " after \(Int(delay)) ms" : ""
        return "\(name) \(what)\(time), line \(line)"
    }
}
