/// One thing that was measured, with what it cannot be faster than.
public struct Measured: Hashable, Sendable, Codable {
    /// What cannot be undercut, measured in turn with the thing itself.
    public struct Floor: Hashable, Sendable, Codable {
        /// What it is, for people.
        public var name: String
        /// Its durations, a block for each block of the thing.
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

    /// The most blocks there may be: enough for every purpose, and quickly compared.
    public static let maximumBlockCount = 50

    /// Begins with no durations.
    public init(name: String, floorName: String?) {
        self.name = name
        floor = floorName.map { Floor(name: $0) }
    }

    /// Adds the blocks of another measurement of the same thing.
    public mutating func merge(_ other: Measured) {
        series.merge(other.series)
        if let more = other.floor { floor?.series.merge(more.series) }
    }

    /// Whether the blocks can be those of a measurement.
    public var isPlausible: Bool {
        let blocks = series.blocks + (floor?.series.blocks ?? [])
        return 1...Self.maximumBlockCount ~= series.blocks.count
            && floor.map { $0.series.blocks.count == series.blocks.count } ?? true
            && blocks.allSatisfy { block in
                [block.quickTenth, block.median, block.tail].allSatisfy { 0..<1e18 ~= $0 }
            }
    }

    /// How many floors it takes, by the medians of the blocks; nil without a floor.
    public var floors: Ratio? {
        floor.flatMap { _ in Ratio(middleOf: inFloors(\.median), chance: 0.01) }
    }

    /// A value of each block over the floor's.
    func inFloors(_ value: KeyPath<Series.Block, Double>) -> [Double] {
        zip(series.blocks, floor?.series.blocks ?? []).map {
            $0[keyPath: value] / $1[keyPath: value]
        }
    }
}
