import CardEngine
import EMVData
import Foundation
import Profiles
public import Testing
import Transport

import enum TestSupport.RepositoryFile

@testable public import TestVectors

extension VectorCase: CustomTestStringConvertible {
    /// The case's name.
    public var testDescription: String { id }
}

private let folder = RepositoryFile.root.appending(path: "Vectors")

private func files() throws -> [VectorFile] {
    try VectorFile.builtIn.map { try VectorFile(json: $0.json, name: $0.name) }
}

/// The families that read what a card, a terminal or a host has put together, and may be given nonsense.
private let parserFamilies = [
    "answers-to-reset", "apdus", "ber-tlv", "bit-fields", "card-exchanges", "cvm-lists",
    "data-object-lists", "elliptic-curve-signatures", "file-control-information", "file-locators",
    "filled-data-object-lists", "host-authorizations", "host-requests", "icc-certificates",
    "issuer-certificates", "object-meanings", "pin-blocks", "rsa-key-pairs", "rsa-private-keys",
    "rsa-recoveries", "signed-dynamic-data", "signed-static-data", "tracks",
]

@Suite("The files of Vectors/")
struct BuiltInFilesTests {
    @Test("The program has all files, as they are")
    func completeness() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
            .filter { $0.hasSuffix(".json") }.map { $0.dropLast(5) }.sorted()
        #expect(VectorFile.builtIn.map { $0.name.dropLast(5) } == names)
        for file in VectorFile.builtIn {
            let json = try Data(contentsOf: folder.appending(path: file.name))
            #expect([UInt8](json) == file.json, "\(file.name)")
        }
    }

    @Test("Each file is of the family it is named for, and each family has a file")
    func families() throws {
        let files = try files()
        for file in files { #expect(file.name == "\(file.family).json") }
        #expect(files.map(\.family).sorted() == VectorFamilies.names)
    }

    @Test("A parser has more to refuse than to read", arguments: parserFamilies)
    func refusals(family: String) throws {
        let file = try #require(try files().first { $0.family == family })
        let validCount = file.cases.count { $0.isValid }
        #expect(file.cases.count - validCount > validCount)
    }

    @Test("A case computes what its source says", arguments: try files().flatMap(\.cases))
    func computes(vector: VectorCase) throws {
        switch vector.work {
        case .computation(let computation): #expect(try computation.run() == .passed)
        case .cardTest(let test):
            let schemes = test.scheme.map { [$0] } ?? [.visa, .mastercard]
            for scheme in schemes {
                var card = try BuiltInCard(scheme)
                #expect(try test.run(over: &card, redaction: Redaction(.nothing)) == .passed)
            }
        }
    }
}

/// A built-in card with keys for some payments.
private struct BuiltInCard: Transport, ~Copyable {
    private var card: Card

    init(_ scheme: Scheme) throws {
        let personalization = try CardPersonalization(.builtIn(scheme))
        card = personalization.makeCard()
        for counter: UInt16 in 1...8 {
            card.reserve(
                personalization.issuers[0].makePaymentKey(
                    for: personalization.profile.applications[0],
                    counter: counter
                )
            )
        }
        card.addRandomBytes([UInt8](1...32).span)
    }

    mutating func fieldOn() throws(TransportError) { card.fieldOn() }
    mutating func fieldOff() { card.fieldOff() }
    mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        card.response(to: command)
    }
}
