import ISO7816
import Octets
import TestSupport
import Testing

/// A command of one of the cases, and its bytes built from the standard's own description.
///
/// ISO 7816-3, 12.1.3: short lengths in one byte; extended ones in two behind one zero byte.
private struct Shape: CustomTestStringConvertible, Sendable {
    var bodyCount: Int
    var expectedLength: Int?

    static let lengths = [1, 255, 256, 257, 65535]

    static let all: [Shape] = ([0] + lengths).flatMap { bodyCount in
        ([nil] + (lengths + [65536]).map(Optional.some)).map { expectedLength in
            Shape(bodyCount: bodyCount, expectedLength: expectedLength)
        }
    }

    var body: [UInt8] { (0..<bodyCount).map { UInt8(truncatingIfNeeded: $0) } }

    var isExtended: Bool { bodyCount > 255 || expectedLength.map { $0 > 256 } ?? false }

    var bytes: [UInt8] {
        var bytes: [UInt8] = [0x80, 0xAE, 0x90, 0x01]
        func two(_ number: Int) -> [UInt8] { [UInt8(number / 256 % 256), UInt8(number % 256)] }
        if isExtended {
            bytes.append(0)
            if bodyCount > 0 { bytes += two(bodyCount) + body }
            if let expectedLength { bytes += two(expectedLength) }
        } else {
            if bodyCount > 0 { bytes += [UInt8(bodyCount)] + body }
            if let expectedLength { bytes.append(UInt8(expectedLength % 256)) }
        }
        return bytes
    }

    var command: CommandAPDU {
        CommandAPDU(
            CommandCode(rawValue: 0x80AE),
            parameters: 0x9001,
            body: body,
            expectedLength: expectedLength
        )
    }

    var testDescription: String { "Nc \(bodyCount), Ne \(expectedLength.map(String.init) ?? "-")" }
}

@Suite("Command APDUs")
struct CommandAPDUTests {
    @Test(
        "Commands of all four cases are written and read at every length boundary",
        arguments: Shape.all
    )
    private func boundaries(_ shape: Shape) throws {
        #expect(shape.command.bytes == shape.bytes)
        #expect(try CommandAPDU(parsing: shape.bytes) == shape.command)
    }

    @Test(
        "A command cut short is refused, or is the shorter command its bytes make",
        arguments: Shape.all.filter { $0.bytes.count < 600 }
    )
    private func prefixes(_ shape: Shape) throws {
        let bytes = shape.bytes
        for count in 0..<bytes.count {
            let prefix = Array(bytes.prefix(count))
            guard count >= 4 else {
                #expect(throws: APDUError.tooShort(count: count)) {
                    try CommandAPDU(parsing: prefix)
                }
                continue
            }
            // The header alone is case 1, one byte behind it is Le, two behind a zero byte are an extended Le; a
            // command of case 4 without its Le is one of case 3.
            let isShorterCommand =
                count == 4 || count == 5 || count == 7 && prefix[4] == 0
                || shape.bodyCount > 0 && count == bytes.count - (shape.isExtended ? 2 : 1)
                    && shape.expectedLength != nil
            if isShorterCommand {
                _ = try CommandAPDU(parsing: prefix)
            } else {
                #expect(throws: APDUError.lengthMismatch(count: count), "cut to \(count) bytes") {
                    try CommandAPDU(parsing: prefix)
                }
            }
        }
    }

    @Test(
        "A byte too many is refused where nothing else can be meant",
        arguments: Shape.all.filter { $0.expectedLength != nil && $0.bodyCount > 0 }
    )
    private func oneByteTooMany(_ shape: Shape) {
        let bytes = shape.bytes + [0x00]
        #expect(throws: APDUError.lengthMismatch(count: bytes.count)) {
            try CommandAPDU(parsing: bytes)
        }
    }

    @Test(
        "Lc and Le are what the standard says and nothing else",
        arguments: [
            // A short Lc of zero, which would be case 2 with a superfluous Lc (RfidResearchGroup/proxmark3#171).
            ("00B2010C0000", 6),
            // A short Lc above and below the data.
            ("00A404000201", 6), ("00A4040001010203", 8),
            // An extended Lc of zero with data, and with an Le.
            ("00A4040000000001", 8), ("00A40400000000FFFF", 9),
            // An extended Lc with a short Le behind its data.
            ("00A4040000000101FF", 9),
            // An extended Lc above the data.
            ("00A4040000010001", 8),
        ]
    )
    func strictness(text: String, count: Int) throws {
        let bytes = try [UInt8](hex: text)
        #expect(throws: APDUError.lengthMismatch(count: count)) { try CommandAPDU(parsing: bytes) }
    }

    @Test(
        "The largest Le is written as zeros",
        arguments: [
            ("00C0000000", 256), ("00C00000000000", 65536), ("00C0000000FFFF", 65535),
            ("00C00000000001", 1), ("00C0000001", 1),
        ]
    )
    func largestLe(text: String, expectedLength: Int) throws {
        #expect(try CommandAPDU(parsing: [UInt8](hex: text)).expectedLength == expectedLength)
    }

    @Test(
        "Commands terminals send come back as they were",
        arguments: [
            "12345678", "00B2010C00", "0082000004DEADBEEF", "80CA9F1700", "80A8000002830000",
            "00A404000E315041592E5359532E444446303100",
            "80AE80001D000000000001000000000000024600000000000978200724210123456700",
        ]
    )
    func published(text: String) throws {
        #expect(try CommandAPDU(parsing: [UInt8](hex: text)).bytes.hex == text)
    }

    @Test("Random bytes are a command that is written the same, or a typed error")
    func randomBytes() {
        var generator = SeededGenerator()
        for _ in 0..<2000 {
            let count = Int.random(in: 0...300, using: &generator)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            // Half of them say their own length, so that they are read at all.
            if count > 6, Bool.random(using: &generator) { bytes[4] = UInt8(clamping: count - 5) }
            guard let command = try? CommandAPDU(parsing: bytes) else { continue }
            let again = try? CommandAPDU(parsing: command.bytes)
            #expect(again == command, "\(generator), \(bytes.hex)")
        }
    }

    @Test("A caller's impossible lengths trap")
    func misuse() async {
        await #expect(processExitsWith: .failure) {
            _ = CommandAPDU(.select, parameters: 0, expectedLength: 0)
        }
        await #expect(processExitsWith: .failure) {
            _ = CommandAPDU(.select, parameters: 0, body: [UInt8](repeating: 0, count: 65536))
        }
    }
}
