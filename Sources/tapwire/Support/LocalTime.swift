import Glibc

/// A moment as a clock on the wall shows it, in the time zone of the machine.
///
/// `Calendar` tells the same, but brings three megabytes of tables into memory first.
struct LocalTime {
    /// Date and time of day.
    let year, month, day, hour, minute, second: Int

    /// Converts seconds since 1970; a moment whose year no number holds is the first of 1970.
    init(secondsSince1970 seconds: Int64) {
        var parts = unsafe tm()
        unsafe parts.tm_year = 70
        unsafe parts.tm_mday = 1
        unsafe withUnsafePointer(to: time_t(seconds)) { _ = unsafe localtime_r($0, &parts) }
        unsafe year = 1900 + Int(parts.tm_year)
        unsafe month = 1 + Int(parts.tm_mon)
        unsafe day = Int(parts.tm_mday)
        unsafe hour = Int(parts.tm_hour)
        unsafe minute = Int(parts.tm_min)
        unsafe second = Int(parts.tm_sec)
    }

    /// Year, month and day: `2026-11-30`.
    var dayText: String { [year, month, day].map(Self.digits).joined(separator: "-") }

    /// Hour, minute and second: `09:05:17`.
    var timeText: String { [hour, minute, second].map(Self.digits).joined(separator: ":") }

    private static func digits(_ number: Int) -> String {
        0...9 ~= number ? "0\(number)" : "\(number)"
    }
}
