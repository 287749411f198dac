import Foundation

/// How long and how often the limited-use keys of a token service are good.
public struct KeyPolicy: Hashable, Sendable {
    /// How many payments a limited-use key is good for, from 1.
    public var paymentCount = 10
    /// How long a limited-use key is good, in seconds.
    public var lifetimeSeconds: Int64 = 5 * 24 * 60 * 60
    /// What all payments of a limited-use key may come to, in the smallest unit; nil for no limit.
    public var amountLimitMinorUnits: UInt64?
    /// How often a card may get keys before it must be added anew; nil for as often as it has counters.
    public var maximumReplenishmentCount: Int?

    /// Takes the defaults: ten payments within five days, whatever they come to.
    public init() {}
}

/// The year and the hour since it began, 1 to 8784, of a moment in seconds since 1970, in UTC.
func hourOfYear(_ seconds: Int64) -> (year: Int, hour: Int) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let date = Date(timeIntervalSince1970: TimeInterval(seconds))
    let year = calendar.component(.year, from: date)
    let day = calendar.ordinality(of: .day, in: .year, for: date) ?? 1
    return (year, (day - 1) * 24 + calendar.component(.hour, from: date) + 1)
}
