import EMVCrypto
import Foundation
import Octets

/// Files below `Vectors/`.
enum Vectors {
    private struct File<Input: Decodable>: Decodable {
        struct Group: Decodable { var cases: [Case] }
        struct Case: Decodable {
            var id: String
            var input: Input
        }
        var groups: [Group]
    }

    /// Reads the inputs of a vector file by the names of its cases.
    static func inputs<Input: Decodable>(
        _ name: String,
        as type: Input.Type
    ) throws -> [String: Input] {
        let text = try Data(contentsOf: URL(filePath: "Vectors/\(name).json"))
        let cases = try JSONDecoder().decode(File<Input>.self, from: text).groups.flatMap(\.cases)
        return Dictionary(cases.map { ($0.id, $0.input) }) { first, _ in first }
    }

    /// The authorities that certified the recorded cards.
    static let authorities: [CAPublicKey] = {
        do {
            return try inputs("recorded-card-ca-keys", as: [String: String].self).values.map {
                input in
                func bytes(_ name: String) throws -> [UInt8] { try [UInt8](hex: input[name] ?? "") }
                return try CAPublicKey(
                    rid: bytes("rid"),
                    index: bytes("index").first ?? 0,
                    modulus: bytes("modulus"),
                    exponent: bytes("exponent")
                )
            }
        } catch {
            fatalError("Vectors/recorded-card-ca-keys.json: \(error)")
        }
    }()

    /// The exchanges of a recorded tap.
    static func exchanges(
        _ trace: String
    ) throws -> [(command: [UInt8], response: [UInt8])] {
        var exchanges: [(command: [UInt8], response: [UInt8])] = []
        var command: [UInt8] = []
        let file = URL(filePath: "Vectors/traces/\(trace).trace")
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("> ") { command = try [UInt8](hex: line.dropFirst(2)) }
            if line.hasPrefix("< ") {
                exchanges.append((command, try [UInt8](hex: line.dropFirst(2))))
            }
        }
        return exchanges
    }
}
