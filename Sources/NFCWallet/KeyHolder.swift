import Foundation
import Glibc

/// Who has payment keys out: a program, and one store object in it.
struct KeyHolder: Hashable, Sendable, Codable {
    /// The program's process.
    private var process: Int32
    /// When that process started, in the kernel's ticks, which tells it from a later one of the same number.
    private var processStart: String
    /// Tells objects of one program apart.
    private var object: String

    /// This program, and a new object in it.
    init() {
        process = getpid()
        processStart = Self.start(of: process) ?? ""
        object = UUID().uuidString
    }

    /// Whether the program still runs.
    var isAlive: Bool { Self.start(of: process) == processStart }

    /// When a process started; nil when there is none.
    private static func start(of process: Int32) -> String? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            // The program's name stands in parentheses and may hold anything.
            let nameEnd = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: nameEnd)...].split(separator: " ")
        let startField = 19
        guard fields.count > startField else { return nil }
        // A killed process whose parent has not looked yet is a zombie.
        return fields[0] == "Z" ? nil : String(fields[startField])
    }
}
