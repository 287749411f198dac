/// What answering one command cost.
struct Cost {
    /// How often our code allocated.
    var allocations: UInt64
    /// How often libcrypto did.
    var libraryAllocations: UInt64
    /// How long it took.
    var duration: Duration

    /// What nothing costs.
    static var nothing: Cost { Cost(allocations: 0, libraryAllocations: 0, duration: .zero) }

    /// Adds the cost of another command.
    static func += (total: inout Cost, cost: Cost) {
        total.allocations += cost.allocations
        total.libraryAllocations += cost.libraryAllocations
        total.duration += cost.duration
    }
}

/// What the commands of many taps cost, by what they are called.
struct Figures {
    private var costs: [String: [Cost]] = [:]
    private var names: [String] = []

    mutating func add(_ cost: Cost, for name: String) {
        if costs[name] == nil { names.append(name) }
        costs[name, default: []].append(cost)
    }

    /// A command for which our code allocated; nil when there is none.
    var allocating: String? {
        names.first { name in costs[name, default: []].contains { $0.allocations > 0 } }
    }

    /// The figures for people, a line for each command: the most allocations, the median of the times.
    var table: String {
        let width = names.map(\.count).max() ?? 0
        let head =
            "command".padded(to: width) + "   count   mallocs  libcrypto's   median µs"
        let lines = names.map { name in
            let costs = costs[name, default: []]
            let times = costs.map(\.duration).sorted()
            let median = Double((times[times.count / 2] / .nanoseconds(1)).rounded())
            let tenths = Int((median / 100).rounded())
            return name.padded(to: width)
                + "\(costs.count)".padded(to: -8)
                + "\(costs.map(\.allocations).max() ?? 0)".padded(to: -10)
                + "\(costs.map(\.libraryAllocations).max() ?? 0)".padded(to: -13)
                + "\(tenths / 10).\(tenths % 10)".padded(to: -12)
        }
        return ([head] + lines).joined(separator: "\n")
    }
}

extension String {
    /// The text with spaces to a width: behind it, or before it for a negative one.
    fileprivate func padded(to width: Int) -> String {
        let spaces = String(repeating: " ", count: max(0, abs(width) - count))
        return width < 0 ? spaces + self : self + spaces
    }
}
