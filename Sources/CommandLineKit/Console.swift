import Dispatch
import Foundation
import Glibc
import Synchronization

/// Where a program's text goes.
public struct Console: Sendable {
    /// How a piece of text looks on a terminal.
    public enum Style: Int, Hashable, Sendable, CaseIterable {
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

    /// Writes text; that it could not be written is kept for the end of the program.
    ///
    /// Names of readers, labels of cards and much else come from others: whatever could move a terminal's cursor, turn the
    /// direction of writing or colour it is escaped, but for line ends, tabs and styles.
    public func write(_ text: String) { writeWhole(text.shown(isStyled: isStyled)) }

    /// Shows text instead of the line that a terminal's cursor is in; it is there until the next time.
    public func rewriteLine(_ text: String = "") {
        writeWhole("\r\(text.shown(isStyled: isStyled))\u{1B}[K")
    }

    private func writeWhole(_ text: String) {
        let isOutput = descriptor == Self.output.descriptor
        guard !isOutput || !Self.hasLostOutput else { return }
        var text = text
        let code = text.withUTF8 { unsafe Self.write(UnsafeRawBufferPointer($0), to: descriptor) }
        guard code != 0, isOutput else { return }
        Self.lossCode.withLock { $0 = code }
        // Somebody may hold a lock that is needed to end.
        DispatchQueue.global().async { Interruption.requestAll() }
    }

    /// Writes all bytes.
    /// - Returns: The `errno` of what hinders it; zero when nothing does.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let count = unsafe Glibc.write(
                descriptor,
                UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                rest.count
            )
            if count >= 0 {
                unsafe rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Whoever shares the descriptor does not wait, but this program does.
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&request, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
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
    public static var hasLostOutput: Bool { lossCode.withLock { $0 != 0 } }

    /// Whether that was because whoever read it has gone, as `head` does.
    static var hasLostReader: Bool { lossCode.withLock { $0 == EPIPE } }

    /// The `errno` of what could not be written; zero as long as everything could.
    private static let lossCode = Mutex<Int32>(0)

    /// Adds a style where text may be styled.
    public func styled(_ text: String, _ style: Style) -> String {
        isStyled ? Self.sequence(style.rawValue) + text + Self.sequence(0) : text
    }

    /// What begins a style, and what ends it.
    static let sequences = ([0] + Style.allCases.map(\.rawValue)).map(sequence)

    private static func sequence(_ number: Int) -> String { "\u{1B}[\(number)m" }
}
