import AirTime
import CommandLineKit

/// What the command line says about the radio that is worked out.
struct AirOptions {
    /// The options themselves.
    static let group = CommandOption.Group(
        "Radio",
        [
            .choice(
                "air",
                RadioLink.BitRate.allCases.map { "\($0.rawValue)" },
                "The bit rate in kbit/s for which times on the radio are worked out."
            ),
            .value(
                "fsd",
                "BYTES",
                "The longest frame the reader takes, and the card: 16, 24, 32, 40, 48, 64, 96, 128, 256 and so on.",
                default: "256"
            ),
        ]
    )

    /// How reader and card would speak.
    let link: RadioLink
    /// Whether the command line asks for it.
    let isAsked: Bool

    /// Reads the options.
    /// - Throws: `CommandFailure` with `ExitCode.usage`.
    init(_ arguments: Arguments) throws {
        let rate = arguments["air"].flatMap { Int($0) }.flatMap(RadioLink.BitRate.init(rawValue:))
        let counts = RadioLink.frameCounts
        let frameCount = try arguments.value(
            "fsd",
            expecting: "one of \(counts.map { "\($0)" }.joined(separator: ", "))"
        ) { text in Int(text).flatMap { counts.contains($0) ? $0 : nil } }
        isAsked = arguments.has("air") || arguments.has("fsd")
        link = RadioLink(
            bitRate: rate ?? .kbit106,
            readerFrameCount: frameCount ?? 256,
            cardFrameCount: frameCount ?? 256
        )
    }
}

extension RadioLink {
    /// Rate and frames in a few words.
    var text: String { "\(bitRate.rawValue) kbit/s, frames of \(readerFrameCount) bytes" }
}
