import Foundation
import Testing

@Suite("The time of day and the date of the machine")
struct LocalTimeTests {
    @Test(
        "A payment's date is the one of the time zone, as date(1) tells it",
        arguments: ["XYZ-14", "XYZ12", "UTC0", "EST5EDT"]
    )
    func transactionDate(zone: String) throws {
        func output(_ process: Process) throws -> String {
            let pipe = Pipe()
            process.environment?["TZ"] = zone
            process.standardOutput = pipe
            try process.run()
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }
        func today() throws -> String {
            let process = tapwireProcess(["+%y%m%d  %Y-%m-%d"])
            process.executableURL = URL(filePath: "/usr/bin/date")
            return try output(process).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let before = try today()
        let tap = try output(tapwireProcess(["tap", "--scheme", "visa", "--amount", "1"]))
        // Midnight may pass.
        let days = Set([before, try today()])
        #expect(days.contains { tap.contains("9A Transaction Date  \($0)") }, "\(days)")
    }
}
