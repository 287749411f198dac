import CommandLineKit
import Foundation
import Profiles
import TestVectors

/// A case to be run.
struct VectorItem {
    /// The file it is in.
    var file: VectorFile
    var vector: VectorCase
    /// The built-in card it runs on, for a card test that does so.
    var scheme: Scheme?

    /// The word for the built-in card it runs on.
    var cardName: String? { scheme?.rawValue }

    /// The case's name, with the card's where it runs on more than one.
    var name: String {
        guard case .cardTest(let test) = vector.work, test.scheme == nil, let cardName else {
            return vector.id
        }
        return "\(vector.id) (\(cardName))"
    }
}

/// Which cases the command line means.
struct VectorSelection {
    private let paths: [String]
    private let filter: String?
    private let shard: Shard
    private let card: VectorCardChoice

    /// One of the parts that the cases are dealt out to, one after the other.
    private struct Shard {
        var index: Int
        var count: Int

        static let whole = Shard(index: 1, count: 1)

        /// Reads `2/4`.
        init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
                1...10_000 ~= count, 1...count ~= index
            else { return nil }
            self.init(index: index, count: count)
        }

        private init(index: Int, count: Int) {
            self.index = index
            self.count = count
        }

        func has(_ number: Int) -> Bool { number % count == index - 1 }
    }

    /// Reads the options.
    /// - Throws: `CommandFailure` with `ExitCode.usage`.
    init(_ arguments: Arguments, _ card: VectorCardChoice) throws {
        paths = arguments.positionals
        filter = arguments["filter"]?.lowercased()
        shard =
            try arguments.value("shard", expecting: "a part such as 2/4", read: Shard.init)
            ?? .whole
        self.card = card
    }

    /// The cases in the order of their files.
    /// - Throws: `CommandFailure` for a file that is not right, or when no case is meant.
    func items() throws -> [VectorItem] {
        let chosen = try files().flatMap { file in
            file.cases.flatMap { items(file, $0) }
        }
        .filter { item in
            guard let filter else { return true }
            return item.file.family.contains(filter) || item.name.lowercased().contains(filter)
        }
        guard !chosen.isEmpty else {
            throw CommandFailure(
                .usage,
                "no case is meant; tapwire vectors --list names those there are"
            )
        }
        return chosen.enumerated().filter { shard.has($0.offset) }.map(\.element)
    }

    /// A case, once for each card it runs on.
    private func items(_ file: VectorFile, _ vector: VectorCase) -> [VectorItem] {
        guard case .cardTest(let test) = vector.work else {
            return card.isChosen ? [] : [VectorItem(file: file, vector: vector)]
        }
        switch card {
        case .builtIn(let scheme):
            let schemes = test.scheme.map { [$0] } ?? Scheme.allCases
            return schemes.filter { scheme == nil || scheme == $0 }.map {
                VectorItem(file: file, vector: vector, scheme: $0)
            }
        case .profile, .reader:
            let isMeant = !paths.isEmpty || test.scheme == nil
            return isMeant ? [VectorItem(file: file, vector: vector)] : []
        }
    }

    private func files() throws -> [VectorFile] {
        guard !paths.isEmpty else {
            return try VectorFile.builtIn
                .filter { !card.isChosen || $0.name == "\(CardTest.familyName).json" }
                .map { try Self.read($0.json, "Vectors/\($0.name)") }
        }
        return try paths.flatMap(Self.files).map { path in
            try Self.read(InputFile.bytes(path, "vector file"), path)
        }
    }

    private static func read(_ json: [UInt8], _ path: String) throws -> VectorFile {
        do throws(VectorFileError) {
            return try VectorFile(json: json, name: path)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// A file itself, or the .json files of a folder.
    private static func files(_ path: String) throws -> [String] {
        var isFolder: ObjCBool = false
        let exists = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard exists, isFolder.boolValue else { return [path] }
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw CommandFailure(
                .badFile,
                "folder \(path.quoted) cannot be read; check its permissions"
            )
        }
        let files = names.filter { $0.hasSuffix(".json") }.sorted()
        guard !files.isEmpty else {
            throw CommandFailure(
                .badFile,
                "folder \(path.quoted) has no .json file; name the folder that the vector files are in"
            )
        }
        return files.map { URL(filePath: path).appending(path: $0).relativePath }
    }
}

extension CommandFailure {
    /// Says which file is wrong, in which case, and why.
    init(_ error: VectorFileError) {
        let place =
            "vector file \(error.file.quoted)" + (error.caseID.map { ", case \($0.quoted)" } ?? "")
        let separator = error.reason.path.isEmpty ? " " : ", "
        self.init(
            .badFile,
            "\(place)\(separator)\(error.reason); Vectors/README.md describes the format"
        )
    }
}
