import BERTLV
import EMVCrypto
import EMVData
import Foundation
import ISO7816
import Octets

/// Inputs known to be good, from which a fuzzer starts.
enum Seeds {
    /// Writes a folder of seeds for each target.
    static func write(below folder: URL) throws {
        for target in FuzzTarget.allCases {
            let targetFolder = folder.appending(path: target.rawValue)
            try FileManager.default.createDirectory(
                at: targetFolder,
                withIntermediateDirectories: true
            )
            for (index, seed) in try seeds(for: target).enumerated() {
                try Data(seed).write(to: targetFolder.appending(path: "seed-\(index)"))
            }
        }
    }

    /// The input of a case that is bytes and nothing else.
    private struct DataInput: Decodable { var data: String }

    private struct MeaningInput: Decodable {
        var tag: String
        var value: String
        var kernel: UInt8?
    }

    private static func meanings() throws -> [[UInt8]] {
        try Vectors.inputs("object-meanings", as: MeaningInput.self).values.map {
            try [$0.kernel ?? 0] + [UInt8](hex: $0.tag) + [UInt8](hex: $0.value)
        }
    }

    /// A PNG of two by two pixels with a palette, one of them transparent.
    private static let picture: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D,
        0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02,
        0x01, 0x03, 0x00, 0x00, 0x00, 0x48, 0x78, 0x9F, 0x67, 0x00, 0x00, 0x00,
        0x06, 0x50, 0x4C, 0x54, 0x45, 0x10, 0x20, 0x30, 0x40, 0x50, 0x60, 0x10,
        0xC8, 0xDD, 0x3D, 0x00, 0x00, 0x00, 0x02, 0x74, 0x52, 0x4E, 0x53, 0xFF,
        0x00, 0xE5, 0xB7, 0x30, 0x4A, 0x00, 0x00, 0x00, 0x0C, 0x49, 0x44, 0x41,
        0x54, 0x78, 0x9C, 0x63, 0x70, 0x60, 0x68, 0x00, 0x00, 0x01, 0x44, 0x00,
        0xC1, 0x3A, 0x7A, 0x1C, 0x56, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E,
        0x44, 0xAE, 0x42, 0x60, 0x82,
    ]

    private static func seeds(for target: FuzzTarget) throws -> [[UInt8]] {
        let exchanges = try Vectors.traces.flatMap(Vectors.exchanges)
        switch target {
        case .tlv:
            return try exchanges.map { [UInt8]($0.response.dropLast(2)) }
                + ["file-control-information", "tracks", "cvm-lists", "file-locators"]
                .flatMap { try Vectors.inputs($0, as: DataInput.self).values }
                .map { try [UInt8](hex: $0.data) }
        case .apdu: return exchanges.flatMap { [$0.command, $0.response] }
        case .dol:
            let lists: [Tag] = [
                .processingOptionsList, .cardRiskManagementList1, .cardRiskManagementList2,
            ]
            return exchanges.flatMap { primitives($0.response) }
                .filter { lists.contains($0.tag) }.map(\.value)
        case .kind:
            let answers: [[UInt8]] = [
                [0x3B, 0x65, 0x00, 0x00, 0x20, 0x63, 0xCB, 0x68, 0x00], [0x6A, 0x82], [0x9F, 0x36],
            ]
            return exchanges.flatMap { [$0.command, $0.response] } + answers
                + exchanges.flatMap { primitives($0.response) }.map(\.value)
        case .meaning: return try meanings()
        case .certificate: return try certificates()
        case .ellipticCurveCertificate: return try ellipticCurveCertificates()
        case .value: return try values(exchanges.map(\.response))
        case .json:
            return try ["Sources/Profiles/Resources", "Vectors/ca-keys"]
                .flatMap(Vectors.shortJSON)
        case .vectors: return try Vectors.shortJSON(below: "Vectors")
        case .trace: return try Vectors.files(below: "Vectors/traces")
        case .script: return try Vectors.files(below: "Vectors/scripts")
        case .copy:
            return try Vectors.traces.map { trace in
                let exchanges = try Vectors.exchanges(trace)
                let names = exchanges.filter { $0.command.starts(with: [0x00, 0xA4]) }
                    .map { $0.command.dropFirst(5).dropLast() }
                return [0] + InputReader.message(Array(names.last ?? []))
                    + exchanges.flatMap { InputReader.message($0.response.dropLast(2)) }
            }
        case .importing:
            return try Vectors.files(below: "Vectors/logs")
                + Vectors.files(below: "Vectors/traces")
        case .arguments:
            return [
                "--flag", "--value\na\nFILE", "--value=--x\n--list=1\n--list\n2", "--choice\ntwo",
                "--\n--flag\n-", "--choice=one\n--flag=\n",
            ].map { [UInt8]($0.utf8) }
        case .request:
            return try ["host-requests", "issuer-requests"].flatMap(Vectors.messages)
        case .redaction:
            return try Vectors.traces.map { trace in
                try Vectors.exchanges(trace).flatMap {
                    InputReader.message($0.command) + InputReader.message($0.response)
                }
            }
        case .vpcd:
            return try Vectors.traces.map { trace in
                try [0x07, 0, 1, 4, 0, 1, 1, 0, 1, 2]
                    + Vectors.exchanges(trace).flatMap { InputReader.message($0.command) } + [0, 0]
            }
        case .pn532:
            let setUp = [
                "41435231323255323135", "9000", "9000", "D5070707159000", "D5099000", "D5139000",
            ]
            let taps = [
                ["D58D08E0809000", "D5870000A404009000", "D58F009000", "D587299000"],
                ["D58D08E0809000", "D5874000A49000", "D5870004009000", "D595009000", "D58F009000"],
                ["6301", "D58D04E0809000", "D58D08E0809000", "D5870A9000"],
            ]
            return try taps.map { tap in
                try [0x01, 0x2C]
                    + (setUp + tap).flatMap { InputReader.message(try [UInt8](hex: $0)) }
            }
        case .provisioning:
            let answer =
                #"{"activationData": "AAAA", "encryptedPassData": "AAAA", "#
                + #""ephemeralPublicKey": "BAAA"}"#
            let token = "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJpc3N1ZXIifQ==.AAAA"
            return [[0] + Array(answer.utf8), [6] + Array(token.utf8), [7] + Array(token.utf8)]
                + [1, 2, 3, 4, 5].map { [$0, 0x30, 0x82, 0x01, 0x00] }
        case .cardArt: return [Self.picture, Array("%PDF-1.7".utf8)]
        case .card:
            return try recordings.map { recording in
                try [0]
                    + Vectors.exchanges(recording.trace).flatMap { InputReader.message($0.command) }
            }
                + [FuzzTarget.entryPointKernel2, .entryPointKernel3].flatMap(ownTaps).map { tap in
                    [0x01] + tap.exchanges.flatMap { InputReader.message($0.command) }
                }
        case .entryPointKernel2, .entryPointKernel3:
            return try recordings.filter { $0.target == target }.flatMap { recording in
                let answers = try Vectors.exchanges(recording.trace).flatMap {
                    InputReader.message($0.response)
                }
                return (0..<8).map { bit in
                    var settings = recording.settings
                    settings.options = 1 << bit
                    return settings.bytes + answers
                } + [recording.settings.bytes + answers]
            }
                + ownTaps(target).map { tap in
                    tap.settings.bytes + tap.exchanges.flatMap { InputReader.message($0.response) }
                }
        }
    }

    /// A recorded tap and the reader it was recorded with.
    private struct Recording {
        var trace: String
        var target: FuzzTarget
        var settings: ReaderSettings
    }

    private static let recordings = [
        Recording(
            trace: "visa-offline",
            target: .entryPointKernel3,
            settings: ReaderSettings(
                number: 0xABAB_ABAB,
                amount: 200,
                currency: 0x0840,
                date: [0x19, 0x08, 0x19],
                terminalType: 0x22,
                country: 0x0840
            )
        ),
        Recording(
            trace: "mastercard-offline",
            target: .entryPointKernel2,
            settings: ReaderSettings(
                number: 0x33BC_A47D,
                amount: 1,
                currency: 0x0978,
                date: [0x19, 0x08, 0x19],
                terminalType: 0x26,
                country: 0x0056
            )
        ),
        Recording(
            trace: "mastercard-online",
            target: .entryPointKernel2,
            settings: ReaderSettings(
                number: 0xDC86_8126,
                amount: 10,
                currency: 0x0978,
                date: [0x19, 0x08, 0x19],
                terminalType: 0x22,
                country: 0x0056
            )
        ),
    ]

    /// The primitive objects in a response, none where it is no TLV.
    private static func primitives(_ response: [UInt8]) -> [TLV] {
        ((try? TLV.parse([UInt8](response.dropLast(2)))) ?? []).flatMap(primitives)
    }

    private static func primitives(_ object: TLV) -> [TLV] {
        object.tag.isConstructed ? object.objects.flatMap(primitives) : [object]
    }

    /// The published certificates' contents, each for issuer and card, signed here and as they are.
    private static func ellipticCurveCertificates() throws -> [[UInt8]] {
        let inputs = try Vectors.inputs("elliptic-curve-signatures", as: [String: String].self)
        return try inputs.values.flatMap { input in
            let message = try [UInt8](hex: input["message"] ?? "")
            let signature = try [UInt8](hex: input["signature"] ?? "")
            let curve: UInt8 = input["suite"] == "10" ? 0x00 : 0x02
            let signed: [[UInt8]] = [curve, curve | 0x01, 0x08].map { [$0] + message }
            let whole: [[UInt8]] = [curve | 0x04, curve | 0x05].map { [$0] + message + signature }
            return signed + whole
        }
    }

    /// What the small readers read: the values in responses, and a few of each text and block.
    private static func values(_ responses: [[UInt8]]) throws -> [[UInt8]] {
        let found = Set(responses.flatMap(primitives).map(\.value)).filter { $0.count < 80 }
        let texts = [
            "2026-11-30", "4761739001010010", "12.34", "00 A4 04 00",
            "B4761739001010010^X/Y^2612201", "%B4761739001010010^X/Y^2612201?",
            ";4761739001010010=2612201?",
        ]
        let blocks = [
            "3B8F8001804F0CA000000306030001000000006A", "3B00", "3B80800101", "041234DE93BEFEF5",
            "141234AAAAAAAAAA", "241234FFFFFFFFFF", "341234FB0CACEFBC",
        ]
        return found.sorted { $0.hex < $1.hex } + texts.map { [UInt8]($0.utf8) }
            + (try blocks.map { try [UInt8](hex: $0) })
    }

    /// Contents of one certificate or signature of each kind, in the form of the target's input.
    private static func certificates() throws -> [[UInt8]] {
        let modulus = TestKey.shared.authority.modulus
        func input(_ kind: UInt8, _ contents: [UInt8]) -> [UInt8] {
            let remainder = kind < 2 ? [UInt8](modulus.suffix(36)) : []
            let exponent: [UInt8] = kind < 2 ? [3] : []
            return [kind] + InputReader.message([1, 2, 3, 4]) + InputReader.message(remainder)
                + InputReader.message(exponent) + contents
        }
        let fields: [UInt8] = [0x12, 0x30, 0, 0, 1, 1, 1, 128, 1]
        let pan = try [UInt8](hex: "4761739001010010FFFF")
        return [
            input(0, [0x02, 0x47, 0x61, 0x73, 0xFF] + fields + modulus.prefix(92)),
            input(1, [0x04] + pan + fields + modulus.prefix(86)),
            input(2, [0x05, 0x01, 0x26, 0x08] + [UInt8](repeating: 0x11, count: 37)),
            input(2, [0x95, 0x01, 0x03, 0x02, 0x00, 0x51]),
            input(3, [0x03, 0x01, 0xDA, 0xC0]),
        ]
    }

    /// The exchanges of taps of our own card, so that all it can answer is among the seeds.
    private static func ownTaps(
        _ target: FuzzTarget
    ) -> [(settings: ReaderSettings, exchanges: [(command: [UInt8], response: [UInt8])])] {
        let kernel: KernelIdentifier = target == .entryPointKernel2 ? .kernel2 : .kernel3
        let cases: [(UInt64, UInt8)] = [(100, 0x22), (6000, 0x22), (100, 0x26), (6000, 0x21)]
        return cases.map { amount, terminalType in
            let settings = ReaderSettings(
                number: 0x0102_0304,
                amount: amount,
                currency: 0x0978,
                date: [0x26, 0x11, 0x30],
                terminalType: terminalType,
                country: 0x0056
            )
            var exchanges: [(command: [UInt8], response: [UInt8])] = []
            FuzzedCard.shared().withLock { fuzzed in
                fuzzed.prepare(isAuthenticated: true, hasKeys: true)
                _ = tap(settings, kernel: kernel) { command in
                    let response = fuzzed.send(command).response
                    exchanges.append((command, response))
                    return response
                }
            }
            return (settings, exchanges)
        }
    }
}
