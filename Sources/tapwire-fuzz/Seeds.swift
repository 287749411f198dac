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

    private static func seeds(for target: FuzzTarget) throws -> [[UInt8]] {
        let exchanges = try recordings.flatMap { try Vectors.exchanges($0.trace) }
        switch target {
        case .tlv: return exchanges.map { [UInt8]($0.response.dropLast(2)) }
        case .apdu: return exchanges.flatMap { [$0.command, $0.response] }
        case .dol:
            let lists: [Tag] = [
                .processingOptionsList, .cardRiskManagementList1, .cardRiskManagementList2,
            ]
            return try exchanges.flatMap { try TLV.parse([UInt8]($0.response.dropLast(2))) }
                .flatMap(primitives).filter { lists.contains($0.tag) }.map(\.value)
        case .certificate: return try certificates()
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

    private static func primitives(_ object: TLV) -> [TLV] {
        object.tag.isConstructed ? object.objects.flatMap(primitives) : [object]
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
