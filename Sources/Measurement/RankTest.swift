/// How ranks fall by chance, counted out and not approximated.
enum RankTest {
    /// The largest number of pairs that may be in the wrong order before chance can be the reason (Mann and Whitney).
    /// - Parameters:
    ///   - first: How many values there are on one side.
    ///   - second: How many on the other.
    ///   - chance: How often chance may do so, on both ends together.
    /// - Returns: Nil where even the most extreme order comes more often.
    static func largestExtreme(_ first: Int, _ second: Int, chance: Double) -> Int? {
        // How many orders have u pairs turned is the coefficient of qᵘ in the Gaussian binomial, the product of
        // (1 - q^(second + i)) / (1 - qⁱ). Low coefficients come of lower ones alone, so that they are exact.
        let pairCount = first * second
        var orders = [1] + [Double](repeating: 0, count: pairCount)
        for number in 1...first {
            for pairs in stride(from: pairCount, through: second + number, by: -1) {
                orders[pairs] -= orders[pairs - second - number]
            }
            for pairs in stride(from: number, through: pairCount, by: 1) {
                orders[pairs] += orders[pairs - number]
            }
        }
        return largestExtreme(orders, chance: chance)
    }

    /// The same for how many of `count` values are on the wrong side of their median (sign test).
    static func largestExtreme(_ count: Int, chance: Double) -> Int? {
        var ways = [1.0]
        for number in 0..<count {
            ways.append(ways[number] * Double(count - number) / Double(number + 1))
        }
        return largestExtreme(ways, chance: chance)
    }

    private static func largestExtreme(_ ways: [Double], chance: Double) -> Int? {
        let allowed = ways.reduce(0, +) * chance / 2
        var sum = 0.0
        var largest: Int?
        for (extreme, count) in ways.enumerated() {
            sum += count
            guard sum <= allowed else { break }
            largest = extreme
        }
        return largest
    }
}
