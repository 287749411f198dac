/// One thing that was measured, with what it cannot be faster than.
public struct Measured: Hashable, Sendable, Codable {
    /// What cannot be undercut, measured in turn with the thing itself.
    public struct Floor: Hashable, Sendable, Codable {
        /// What it is, for people.
        public var name: String
        /// Its durations, a batch for each batch of the thing.
        public var series = Series()

        /// Begins with no durations.
        public init(name: String) { self.name = name }
    }

    /// What it is, for people.
    public var name: String
    /// Its durations.
    public var series = Series()
    /// Its floor; nil where there is none.
    public var floor: Floor?

    /// Begins with no durations.
    public init(name: String, floorName: String?) {
        self.name = name
        floor = floorName.map { Floor(name: $0) }
    }

    /// How many floors it takes; nil without a floor, or with too few batches.
    public func floors(using generator: inout some RandomNumberGenerator) -> Ratio? {
        guard let floors = floor?.series.batchMedians else { return nil }
        let quotients = Self.quotients(series.batchMedians, floors)
        return Ratio(quotients, to: quotients.map { _ in 1 }, using: &generator)
    }

    /// 10th and 99th percentiles of the batches, each over its floor's 10th percentile where that is asked for.
    func batches(inFloors: Bool) -> (quickTenths: [Double], tails: [Double]) {
        guard inFloors, let floors = floor?.series.batchQuickTenths else {
            return (series.batchQuickTenths, series.batchTails)
        }
        return (
            Self.quotients(series.batchQuickTenths, floors),
            Self.quotients(series.batchTails, floors)
        )
    }

    private static func quotients(_ values: [Double], _ floors: [Double]) -> [Double] {
        zip(values, floors).map { $0 / $1 }
    }
}
