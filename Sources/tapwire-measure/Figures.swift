/// What answering one command cost.
struct Cost {
    /// How often our code allocated.
    var allocations: UInt64
    /// How often libcrypto did.
    var libraryAllocations: UInt64
}

/// What the commands of many taps cost, by what they are.
struct Figures {
    private var costs: [CommandKind: [Cost]] = [:]

    mutating func add(_ cost: Cost, for kind: CommandKind) {
        costs[kind, default: []].append(cost)
    }

    /// A command for which our code allocated; nil when there is none.
    var allocating: CommandKind? {
        CommandKind.allCases.first { kind in
            costs[kind, default: []].contains { $0.allocations > 0 }
        }
    }

    /// A line for each command, tabs between: what it is, how many there were, how often our code and libcrypto
    /// allocated at most.
    var table: String {
        let lines = CommandKind.allCases.compactMap { kind -> String? in
            guard let costs = costs[kind] else { return nil }
            let ours = costs.map(\.allocations).max() ?? 0
            let library = costs.map(\.libraryAllocations).max() ?? 0
            return "\(kind.rawValue)\t\(costs.count)\t\(ours)\t\(library)"
        }
        return (["command\tcount\tmallocs\tlibcrypto's mallocs"] + lines).joined(separator: "\n")
    }
}
