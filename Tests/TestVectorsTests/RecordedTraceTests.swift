import Foundation
import TestSupport
import Testing

private struct Nothing: Decodable {}
private struct Input: Decodable, Sendable { var trace: [String] }
private struct Expected: Decodable, Sendable {}

/// `recorded-taps` carries its recordings, so that it can be run from anywhere; `Vectors/traces` has them for taps.
@Suite("Recorded traces")
struct RecordedTraceTests {
    @Test("Every trace is a case, and the same in both places")
    func same() throws {
        let folder = RepositoryFile.root.appending(path: "Vectors/traces")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        let cases = try TestSupport.VectorFile<Nothing, Input, Expected>.load("recorded-taps")
            .groups.flatMap(\.cases)
        #expect(Set(cases.map { "\($0.id).trace" }) == Set(names))
        for recorded in cases {
            let file = folder.appending(path: "\(recorded.id).trace")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(recorded.input.trace.joined(separator: "\n") + "\n" == text, "\(recorded.id)")
        }
    }
}
