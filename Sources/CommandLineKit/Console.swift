import Foundation
import Glibc
import Synchronization

/// Where a program's text goes.
public struct Console: Sendable {
    /// How a piece of text looks on a terminal.
    public enum Style: Int, Hashable, Sendable {
        /// Heavier.
        case bold = 1
        /// Fainter.
        case dim = 2
        /// For what went wrong.
        case red = 31
        /// For what went well.
        case green = 32
        /// For what needs attention.
        case yellow = 33
        /// For what goes to the card.
        case cyan = 36
    }

    /// What was asked for.
    public static let output = Console(descriptor: 1)
    /// Errors and hints.
    public static let diagnostics = Console(descriptor: 2)

    private let descriptor: Int32
    /// Whether text may be styled: on a terminal, unless `NO_COLOR` is set or the terminal is dumb.
    public let isStyled: Bool

    private init(descriptor: Int32) {
        self.descriptor = descriptor
        let environment = ProcessInfo.processInfo.environment
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isStyled = isatty(descriptor) == 1 && !isRefused && environment["TERM"] != "dumb"
    }

    /// Writes text as it is; that it could not be written is kept for the end of the program.
    public func write(_ text: String) {
        do {
            try FileHandle(fileDescriptor: descriptor).write(contentsOf: Data(text.utf8))
        } catch {
            if descriptor == Self.output.descriptor { Self.isOutputLost.withLock { $0 = true } }
        }
    }

    /// Keeps the numbers of standard streams that the caller closed from whatever is opened next.
    ///
    /// Text would go into it. To read and to write fails as on a closed stream. Call it before anything is opened.
    public static func holdStandardStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is taken, which is this one.
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Whether something that was asked for could not be written: nobody sees what goes on any more.
    public static var hasLostOutput: Bool { isOutputLost.withLock { $0 } }

    private static let isOutputLost = Mutex(false)

    /// Adds a style where text may be styled.
    public func styled(_ text: String, _ style: Style) -> String {
        isStyled ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
