import EMVData
import Octets
import Testing

@testable import TerminalKernels

/// The rule loop of EMV Book C-2, 7.5, and EMV Book 3, 10.5.
@Suite("CVM list")
struct CardholderVerificationTests {
    /// Online PIN, signature and no CVM.
    static let everything = TerminalCapabilities(rawValue: 0x20_6808)

    static func choose(
        _ list: String,
        capabilities: TerminalCapabilities = everything,
        minorUnits: UInt64 = 1000,
        type: TransactionType = .purchase,
        isUnattended: Bool = false,
        currency: Currency? = .eur
    ) throws -> CardholderVerification.Choice {
        CardholderVerification(
            capabilities: capabilities,
            amount: try #require(Amount(minorUnits: minorUnits, currency: .eur)),
            type: type,
            isUnattended: isUnattended,
            applicationCurrency: currency
        ).choose(from: try CVMList(parsing: [UInt8](hex: list)))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var list: String
        var results: String
        var cvm: Outcome.CVM
        var unrecognised = false
        var testDescription: String { list }

        init(_ list: String, _ results: String, _ cvm: Outcome.CVM, unrecognised: Bool = false) {
            self.list = "0000000000000000" + list
            self.results = results
            self.cvm = cvm
            self.unrecognised = unrecognised
        }
    }

    @Test(
        "Methods, and what follows when one is not supported or not known",
        arguments: [
            Case("0200", "020000", .onlinePIN),
            Case("1E00", "1E0000", .obtainSignature),
            Case("1F00", "1F0002", .noCVM),
            // "Fail" is reported as what it is; everything else that fails as "no CVM performed".
            Case("0000", "000001", .noCVM),
            Case("4000", "400001", .noCVM),
            Case("0100", "3F0001", .noCVM),
            Case("41001F00", "1F0002", .noCVM),
            Case("01001F00", "3F0001", .noCVM),
            Case("4100", "3F0001", .noCVM),
            Case("44034203", "420300", .onlinePIN),
            Case("0600", "3F0001", .noCVM, unrecognised: true),
            Case("46001F00", "1F0002", .noCVM, unrecognised: true),
            Case("2000", "3F0001", .noCVM, unrecognised: true),
            // A rule that does not apply is passed over, whatever its method.
            Case("0603", "3F0001", .noCVM),
            Case("020A1F00", "1F0002", .noCVM),
            Case("02FF1F03", "1F0302", .noCVM),
        ]
    )
    func methods(testCase: Case) throws {
        let choice = try Self.choose(testCase.list)
        #expect(choice.results.bytes.hex == testCase.results)
        #expect(choice.cvm == testCase.cvm)
        #expect(choice.hasUnrecognisedCVM == testCase.unrecognised)
        #expect(choice.isFailed == testCase.results.hasSuffix("01"))
    }

    @Test(
        "Conditions on the kind of transaction",
        arguments: [
            (0x01, TransactionType.cash, true, true), (0x01, .cash, false, false),
            (0x01, .purchase, true, false), (0x02, .purchase, false, true),
            (0x02, .cash, true, false), (0x02, .cash, false, false),
            (0x02, .manualCash, false, false),
            (0x02, .cashback, false, false), (0x04, .manualCash, false, true),
            (0x04, .cash, false, true), (0x04, .cash, true, false), (0x04, .purchase, false, false),
            (0x05, .cashback, false, true), (0x05, .purchase, false, false),
        ] as [(UInt8, TransactionType, Bool, Bool)]
    )
    func kinds(condition: UInt8, type: TransactionType, isUnattended: Bool, applies: Bool) throws {
        let rule = "02" + [condition].hex
        let choice = try Self.choose(
            "0000000000000000" + rule,
            type: type,
            isUnattended: isUnattended
        )
        #expect((choice.cvm == .onlinePIN) == applies)
    }

    @Test(
        "Conditions on the amount: X is 10.00, Y is 20.00, both compare strictly",
        arguments: [
            (0x06, 999, true), (0x06, 1000, false), (0x06, 1001, false),
            (0x07, 999, false), (0x07, 1000, false), (0x07, 1001, true),
            (0x08, 1999, true), (0x08, 2000, false), (0x09, 2000, false), (0x09, 2001, true),
        ] as [(UInt8, UInt64, Bool)]
    )
    func amounts(condition: UInt8, minorUnits: UInt64, applies: Bool) throws {
        let list = "000003E8000007D002" + [condition].hex
        let choice = try Self.choose(list, minorUnits: minorUnits)
        #expect((choice.cvm == .onlinePIN) == applies)
        // In another currency, or when the card names none, the rule does not apply.
        #expect(try Self.choose(list, minorUnits: minorUnits, currency: .usd).cvm == .noCVM)
        #expect(try Self.choose(list, minorUnits: minorUnits, currency: nil).cvm == .noCVM)
    }

    @Test("What the terminal supports, bit by bit of 9F33 byte 2")
    func support() throws {
        let list = "000000000000000042031E031F03"
        func results(_ byte: UInt8) throws -> String {
            var capabilities = TerminalCapabilities()
            capabilities[byte: 2] = byte
            return try Self.choose(list, capabilities: capabilities).results.bytes.hex
        }
        #expect(try results(0x40) == "420300")
        #expect(try results(0x20) == "1E0300")
        #expect(try results(0x08) == "1F0302")
        #expect(try results(0x90) == "3F0001")
    }
}
