import EMVData
import Testing

@Suite("Terminal types")
struct TerminalTypeTests {
    // EMV Book 4, Annex A1.
    @Test(
        "The digits tell operator, attendance and way to the issuer",
        arguments: [
            (0x11, TerminalType.Operator.financialInstitution, true, "online"),
            (0x12, .financialInstitution, true, "both"),
            (0x13, .financialInstitution, true, "offline"),
            (0x14, .financialInstitution, false, "online"), (0x22, .merchant, true, "both"),
            (0x23, .merchant, true, "offline"), (0x24, .merchant, false, "online"),
            (0x25, .merchant, false, "both"), (0x26, .merchant, false, "offline"),
            (0x34, .cardholder, false, "online"), (0x36, .cardholder, false, "offline"),
        ] as [(UInt8, TerminalType.Operator, Bool, String)]
    )
    func types(byte: UInt8, operator: TerminalType.Operator, isAttended: Bool, way: String) {
        let type = TerminalType(rawValue: byte)
        #expect(type.operator == `operator`)
        #expect(type.isAttended == isAttended)
        #expect(type.isUnattended == !isAttended)
        #expect(type.isOnlineOnly == (way == "online"))
        #expect(type.isOfflineOnly == (way == "offline"))
        #expect(type.isOfflineWithOnlineCapability == (way == "both"))
    }

    @Test(
        "A type nobody defined is nothing in particular",
        arguments: [0x00, 0x20, 0x27, 0xFF] as [UInt8]
    )
    func unknown(byte: UInt8) {
        let type = TerminalType(rawValue: byte)
        #expect(!type.isAttended && !type.isUnattended && !type.isOnlineOnly && !type.isOfflineOnly)
    }

    @Test(
        "An unattended bank terminal that pays out cash is an ATM",
        arguments: [
            (0x14, true, true), (0x15, true, true), (0x16, true, true), (0x14, false, false),
            (0x24, true, false), (0x13, true, false), (0x17, true, false),
        ] as [(UInt8, Bool, Bool)]
    )
    func atm(byte: UInt8, paysCash: Bool, isATM: Bool) {
        var capabilities = AdditionalTerminalCapabilities()
        capabilities.supportsCash = paysCash
        #expect(TerminalType(rawValue: byte).isATM(capabilities) == isATM)
    }
}
