import Octets
import Testing

@testable import PCSC

@Suite("Commands over T=0 and T=1")
struct ProtocolTests {
    @Test(
        "T=0 has no Le behind data (ISO 7816-3, 12.2.5)",
        arguments: [
            ("00A4040007A000000003101000", "00A4040007A0000000031010"),
            ("80A80000028300FF", "80A80000028300"),
            ("00A4040000000283000000", "00A40400028300"),
        ]
    )
    func lengthExpectedIsDropped(command: String, form: String) throws {
        #expect(PCSCProtocol.t0.form(of: try [UInt8](hex: command)).hex == form)
    }

    @Test(
        "T=0 has no Le above 256 (ISO 7816-3, 12.2.7)",
        arguments: [
            ("00CB0000000000", "00CB000000"), ("00CB0000000101", "00CB000000"),
            ("00CB0000000100", "00CB000000"), ("00CB00000000FF", "00CB0000FF"),
        ]
    )
    func lengthExpectedIsCut(command: String, form: String) throws {
        #expect(PCSCProtocol.t0.form(of: try [UInt8](hex: command)).hex == form)
    }

    @Test(
        "All else goes over T=0 as it is",
        arguments: [
            "00A40400", "00B2010C00", "00A4040007A0000000031010", "80CA9F3600", "00",
            "00A404000101", "00D6000000" + "0100" + String(repeating: "AB", count: 256) + "0000",
            "FFCA000000", "00A4040005A0",
        ]
    )
    func unchanged(command: String) throws {
        let bytes = try [UInt8](hex: command)
        #expect(PCSCProtocol.t0.form(of: bytes) == bytes)
    }

    @Test("T=1 takes every command as it is")
    func blocks() throws {
        let bytes = try [UInt8](hex: "00A4040007A000000003101000")
        #expect(PCSCProtocol.t1.form(of: bytes) == bytes)
    }
}
