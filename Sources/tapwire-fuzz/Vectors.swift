import EMVCrypto
import Foundation
import Octets
import Traces
import Transport

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

    /// The names of the recorded taps.
    static var traces: [String] {
        get throws {
            try names(below: "Vectors/traces").map { String($0.dropLast(".trace".count)) }
        }
    }

    /// The exchanges of a recorded tap that were recorded whole.
    static func exchanges(
        _ trace: String
    ) throws -> [(command: [UInt8], response: [UInt8])] {
        let text = try String(
            contentsOf: URL(filePath: "Vectors/traces/\(trace).trace"),
            encoding: .utf8
        )
        return try Trace(parsing: text).exchanges.compactMap { exchange in
            guard !exchange.isCommandPartial, case .success(let response) = exchange.result else {
                return nil
            }
            return (exchange.command, response)
        }
    }

    /// The contents of all files in a folder.
    static func files(below folder: String) throws -> [[UInt8]] {
        try names(below: folder).map {
            try [UInt8](Data(contentsOf: URL(filePath: "\(folder)/\($0)")))
        }
    }

    /// The JSON files of a folder, every list in them cut to its first element so that a fuzzer can hold them.
    static func shortJSON(below folder: String) throws -> [[UInt8]] {
        try names(below: folder).filter { $0.hasSuffix(".json") }.map { name in
            let text = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
            let whole = try JSONSerialization.jsonObject(with: text)
            return try [UInt8](JSONSerialization.data(withJSONObject: shortened(whole)))
        }
    }

    private static func shortened(_ value: Any) -> Any {
        if let list = value as? [Any] { return list.prefix(1).map(shortened) }
        if let object = value as? [String: Any] { return object.mapValues(shortened) }
        return value
    }

    /// The messages that a file of requests has.
    static func messages(_ name: String) throws -> [[UInt8]] {
        struct Input: Decodable { var data: String }
        return try inputs(name, as: Input.self).values.map { try [UInt8](hex: $0.data) }
    }

    private static func names(below folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
}
