import Foundation
public import Testing

import enum TestSupport.RepositoryFile

@testable public import TestVectors

extension VectorCase: CustomTestStringConvertible {
    /// The case's name.
    public var testDescription: String { id }
}

private let folder = RepositoryFile.root.appending(path: "Vectors")

/// The files below `Vectors/` whose family is known.
private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
        .filter { $0.hasSuffix(".json") }
        .filter { VectorFamilies.names.contains(String($0.dropLast(5))) }
}

private func read(_ name: String) throws -> VectorFile {
    let json = try Data(contentsOf: folder.appending(path: name))
    return try VectorFile(json: [UInt8](json), name: name)
}

@Suite("The files of Vectors/")
struct BuiltInFilesTests {
    @Test("A file is of the family it is named for", arguments: try names())
    func reads(name: String) throws { #expect(try read(name).family + ".json" == name) }

    @Test(
        "A case computes what its source says",
        arguments: try names().compactMap { try? read($0) }.flatMap(\.cases)
    )
    func computes(vector: VectorCase) throws { #expect(try vector.run() == .passed) }
}
