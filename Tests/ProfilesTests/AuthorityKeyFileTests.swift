import EMVCrypto
import Foundation
import Octets
import Profiles
import TestSupport
import Testing

private struct KeyInput: Decodable, Sendable {
    var rid: String
    var index: String
    var modulus: String
    var exponent: String
    var checksum: String?
}

private struct KeyExpected: Decodable, Sendable { var error: String? }

private let folder = RepositoryFile.root.appending(path: "Vectors/ca-keys")

private func keys(_ name: String) throws -> [CAPublicKey] {
    try CAPublicKey.keys(json: [UInt8](Data(contentsOf: folder.appending(path: name))))
}

/// The key files whose names say what is in them, without the one for the recorded cards.
private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
        .filter { $0 != "schemes.json" }
}

private func cases() throws -> [VectorCase<KeyInput, KeyExpected>] {
    try VectorFile<NoParameters, KeyInput, KeyExpected>.load("ca-key-checksums")
        .groups.flatMap(\.cases)
}

@Suite("Files of authorities' keys")
struct AuthorityKeyFileTests {
    @Test("Every published key a terminal can use is in one file")
    func complete() throws {
        let names = try files().filter { $0 != "wrong-checksums.json" }
        let found = try names.flatMap(keys)
        let expected = try cases().filter(\.isValid)
        #expect(found.count == expected.count)
        func text(_ key: CAPublicKey) -> String {
            [key.rid, [key.index], key.modulus, key.exponent, key.checksum ?? []].map(\.hex)
                .joined(separator: "/")
        }
        #expect(
            Set(found.map(text))
                == Set(
                    expected.map(\.input).map {
                        [$0.rid, $0.index, $0.modulus, $0.exponent, $0.checksum ?? ""]
                            .joined(separator: "/")
                    }
                )
        )
    }

    @Test("Only one file has keys that nothing vouches for, and one the rivals of others")
    func apart() throws {
        for name in try files() where !["conflicts.json", "wrong-checksums.json"].contains(name) {
            #expect(
                try keys(name).allSatisfy { ($0.checksum == nil) == (name == "unchecked.json") }
            )
        }
        let conflicts = try cases().filter { $0.flags.contains("conflict") }
        #expect(conflicts.count == 26)
        let rest = try files().filter { !["conflicts.json", "wrong-checksums.json"].contains($0) }
        let usable = try rest.flatMap(keys).map { $0.rid + [$0.index] }
        #expect(Set(usable).count == usable.count)
    }

    @Test("A key whose check sum is wrong is refused, each alone")
    func wrongChecksums() throws {
        let whole = try JSONSerialization.jsonObject(
            with: Data(contentsOf: folder.appending(path: "wrong-checksums.json"))
        )
        let elements = try #require((whole as? [String: Any])?["caKeys"] as? [[String: Any]])
        #expect(elements.count == 8)
        for element in elements {
            let file = try JSONSerialization.data(withJSONObject: ["caKeys": [element]])
            let error = #expect(throws: ProfilesError.self) {
                try CAPublicKey.keys(json: [UInt8](file))
            }
            let isRabin = element["exponent"] as? String == "02"
            #expect(error?.path == (isRabin ? "caKeys[0].exponent" : "caKeys[0].checksum"))
        }
    }
}
