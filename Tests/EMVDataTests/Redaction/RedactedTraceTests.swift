import BERTLV
import EMVData
import Foundation
import ISO7816
import Octets
import TestSupport
import Testing

/// The APDUs of a recorded tap, each with whether it is a command.
private func exchanges(of name: String) throws -> [(isCommand: Bool, bytes: [UInt8])] {
    let file = RepositoryFile.root.appending(path: "Vectors/traces/\(name).trace")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
        guard line.hasPrefix("> ") || line.hasPrefix("< ") else { return nil }
        return (line.hasPrefix(">"), try [UInt8](hex: line.dropFirst(2)))
    }
}

@Suite("Masked traces of real taps")
struct RedactedTraceTests {
    @Test(
        "Nothing of the card's account is left, and everything decodes as before",
        arguments: [
            "mastercard-offline", "mastercard-online", "visa-offline",
        ]
    )
    func trace(name: String) throws {
        var redaction = Redaction()
        var numbers: Set<PrimaryAccountNumber> = []
        var masked: [[UInt8]] = []
        for (isCommand, bytes) in try exchanges(of: name) {
            if isCommand {
                // No published card asks the terminal for cardholder data, so nothing is to be masked.
                #expect(redaction.mask(command: bytes) == bytes)
                continue
            }
            let result = redaction.mask(response: bytes)
            masked.append(result)
            let before = try TLV.parse(ResponseAPDU(parsing: bytes).body)
            let after = try TLV.parse(ResponseAPDU(parsing: result).body)
            #expect(after.map(\.tag) == before.map(\.tag))
            #expect(result.count == bytes.count)
            if let number = try Self.number(in: before) {
                numbers.insert(number)
                #expect(try Self.number(in: after) == number.substitute)
            }
            if let certificate = TLV.first(.iccPublicKeyCertificate, in: after) {
                #expect(certificate.value.allSatisfy { $0 == 0 })
            }
        }
        #expect(numbers.count == 1)
        for number in numbers {
            #expect(!masked.contains { $0.hex.contains(number.text) })
        }
    }

    /// The account number among objects.
    private static func number(in objects: [TLV]) throws -> PrimaryAccountNumber? {
        if let value = TLV.first(.applicationPAN, in: objects)?.value {
            return try PrimaryAccountNumber(parsing: value)
        }
        return try TLV.first(.track2EquivalentData, in: objects).map {
            try Track2(parsing: $0.value).accountNumber
        }
    }
}
