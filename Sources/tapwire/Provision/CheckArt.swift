import CardArtCheck
import CommandLineKit

/// `tapwire provision check-art`: looks at the picture of a card.
enum CheckArt {
    /// Files with more bytes are not read.
    private static let maximumByteCount = 64 << 20

    static func run(_ arguments: Arguments) throws -> ExitCode {
        let path = arguments.positionals.first ?? ""
        let bytes = try InputFile.bytes(path, "picture", limit: maximumByteCount, takesPipes: false)
        let findings = CardArtRules.findings(in: bytes)
        if arguments.has("json") {
            Console.output.write(
                JSONValue.object([
                    .init("accepted", .bool(findings.isAccepted)),
                    .init(
                        "findings",
                        .array(
                            findings.map {
                                [
                                    "weight": .string($0.weight.rawValue),
                                    "sentence": .string($0.sentence),
                                ]
                            }
                        )
                    ),
                ]).text
            )
        } else {
            for finding in findings {
                let word =
                    switch finding.weight {
                    case .error: Console.output.styled("error   ", .red)
                    case .warning: Console.output.styled("warning ", .yellow)
                    case .note: "ok      "
                    }
                Console.output.write("\(word)\(finding.sentence)\n")
            }
        }
        return findings.isAccepted ? .success : .failure
    }
}
