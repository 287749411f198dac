import BERTLV
import EMVCrypto
import EMVData
import Octets
import TestSupport
import Testing

private struct Parameters: Decodable { var of: String }

private struct Input: Decodable, Sendable {
    var version: String
    var objects: [String: HexBytes]
    var issuerKey: HexBytes?
    var option: String?
    var pan: String?
    var sequenceNumber: HexBytes?
}

private struct Expected: Decodable, Sendable { var cryptogram: HexBytes? }

private typealias Vector = VectorCase<Input, Expected>

private func cases(of kind: String) throws -> [Vector] {
    try VectorFile<Parameters, Input, Expected>.load("application-cryptograms").groups
        .filter { $0.parameters.of == kind }.flatMap(\.cases)
}

extension Vector {
    /// The version named in the vector.
    fileprivate var version: ApplicationCryptogram {
        get throws {
            try #require(ApplicationCryptogram.allCases.first { "\($0)" == input.version })
        }
    }

    /// The data objects by tag, with the expected cryptogram among them.
    fileprivate var objects: [BERTLV.Tag: [UInt8]] {
        get throws {
            var objects: [BERTLV.Tag: [UInt8]] = [:]
            for (name, value) in input.objects {
                let bytes = try [UInt8](hex: name)
                let tag = BERTLV.Tag(bytes: bytes)
                objects[try #require(tag)] = value.bytes
            }
            objects[.applicationCryptogram] = expected.cryptogram?.bytes
            return objects
        }
    }

    /// Derives the card's key.
    fileprivate func cardKey() throws -> DoubleLengthKey {
        var cipher = try TripleDES(key: DoubleLengthKey(#require(input.issuerKey)))
        return try cipher.cardKey(
            pan: panDigits(input.pan),
            sequenceNumber: #require(input.sequenceNumber?.bytes.first),
            derivation: input.option == "A" ? .optionA : .optionB
        )
    }
}

@Suite("Application cryptograms")
struct ApplicationCryptogramTests {
    @Test("9F10 names the version", arguments: try cases(of: "input") + cases(of: "cryptogram"))
    fileprivate func versionByIssuerData(_ vector: Vector) throws {
        let issuerData = try #require(vector.input.objects["9F10"]).bytes
        let version =
            vector.input.version.hasPrefix("visa")
            ? ApplicationCryptogram(visa: issuerData) : ApplicationCryptogram(mchip: issuerData)
        #expect(try version == vector.version)
    }

    @Test("9F10 of another layout names no version")
    func unknownVersions() throws {
        #expect(ApplicationCryptogram(visa: []) == nil)
        #expect(try ApplicationCryptogram(visa: [UInt8](hex: "06010A03A000")) == nil)
        #expect(try ApplicationCryptogram(visa: [UInt8](hex: "1F220103A00000")) == nil)
        #expect(try ApplicationCryptogram(visa: [UInt8](hex: "06010C03A00000")) == nil)
        #expect(ApplicationCryptogram(mchip: []) == nil)
        let short = try [UInt8](hex: "0110A00003220000000000000000000000")
        #expect(ApplicationCryptogram(mchip: short) == nil)
        #expect(ApplicationCryptogram(mchip: short + [0xFF]) == .mchipCVN10)
        #expect(ApplicationCryptogram(mchip: [0x01, 0x12] + short[2...] + [0xFF]) == nil)
    }

    @Test("Every object that is signed matters", arguments: try cases(of: "cryptogram"))
    fileprivate func everyBitCounts(_ vector: Vector) throws {
        let objects = try vector.objects
        let version = try vector.version
        let cardKey = try vector.cardKey()
        #expect(try version.verify(cardKey: cardKey) { objects[$0] })
        for (tag, value) in objects where tag != .issuerApplicationData {
            guard version != .visaCVN17 || visaCVN17Tags.contains(tag) else { continue }
            for index in value.indices {
                var changed = objects
                changed[tag]?[index] ^= 0x01
                #expect(
                    try !version.verify(cardKey: cardKey) { changed[$0] },
                    "\(tag), byte \(index)"
                )
            }
        }
    }

    @Test("A missing or misshapen object is named", arguments: try cases(of: "cryptogram"))
    fileprivate func missing(_ vector: Vector) throws {
        let objects = try vector.objects
        let version = try vector.version
        let cardKey = try vector.cardKey()
        for (tag, value) in objects {
            guard version != .visaCVN17 || visaCVN17Tags.contains(tag) else { continue }
            var changed = objects
            changed[tag] = nil
            #expect(throws: ApplicationCryptogramError.missing(tag)) {
                try version.verify(cardKey: cardKey) { changed[$0] }
            }
            let tooLong = value + [UInt8](repeating: 0, count: 33 - min(value.count, 32))
            let prefixes = value.indices.map { [UInt8](value[..<$0]) }
            let wrong =
                tag == .issuerApplicationData
                ? [[], [UInt8](value.prefix(6)), tooLong] : prefixes + [value + [0]]
            for bytes in wrong {
                changed[tag] = bytes
                #expect(throws: ApplicationCryptogramError.wrongLength(tag, byteCount: bytes.count))
                {
                    try version.verify(cardKey: cardKey) { changed[$0] }
                }
            }
        }
    }
}

private let visaCVN17Tags: Set<BERTLV.Tag> = [
    .amountAuthorised, .unpredictableNumber, .applicationTransactionCounter,
    .issuerApplicationData, .applicationCryptogram,
]
