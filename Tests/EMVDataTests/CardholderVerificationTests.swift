import EMVData
import Octets
import Testing

@Suite("Cardholder verification")
struct CardholderVerificationTests {
    @Test("A list cut inside the amounts or a rule is refused where it ends")
    func prefixes() throws {
        let bytes = try [UInt8](hex: "000186A0000003E8420144035E031F03")
        for count in 0..<bytes.count {
            let prefix = Array(bytes.prefix(count))
            if count >= 8, count.isMultiple(of: 2) {
                #expect(try CVMList(parsing: prefix).rules.count == (count - 8) / 2)
            } else {
                #expect(throws: EMVDataError(.wrongLength, at: count)) {
                    try CVMList(parsing: prefix)
                }
            }
        }
    }

    @Test("The amounts take all four bytes")
    func amounts() throws {
        let list = try CVMList(parsing: [UInt8](hex: "FFFFFFFF800000001F00"))
        #expect(list.amountX == .max)
        #expect(list.amountY == 0x8000_0000)
        #expect(list.bytes.hex == "FFFFFFFF800000001F00")
    }

    @Test(
        "A code is a method and what to do when it fails",
        arguments: [
            (0x42, CVMCode.onlinePIN, true), (0x02, .onlinePIN, false), (0x5E, .signature, true),
            (0x1F, .noCVM, false), (0x40, .fail, true), (0x44, .encipheredOfflinePIN, true),
        ] as [(UInt8, CVMCode, Bool)]
    )
    func codes(byte: UInt8, method: CVMCode, applies: Bool) {
        var code = CVMCode(rawValue: byte)
        #expect(code.method == method)
        #expect(code.appliesSucceedingRuleIfUnsuccessful == applies)
        code.appliesSucceedingRuleIfUnsuccessful.toggle()
        #expect(code.rawValue == byte ^ 0x40)
    }

    @Test("CVM Results are three bytes")
    func results() {
        #expect(CVMResults.notPerformed.bytes == [0x3F, 0x00, 0x00])
        #expect(CVMResults(.noCVM, .always, .successful).bytes == [0x1F, 0x00, 0x02])
        #expect(CVMResults(bytes: [0x42, 0x03, 0x00])?.method.method == .onlinePIN)
        #expect(CVMResults(bytes: [0x42, 0x03, 0x00])?.condition == .terminalSupportsCVM)
        #expect(CVMResults(bytes: [0x3F, 0x00]) == nil)
        #expect(CVMResults(bytes: [0x3F, 0x00, 0x00, 0x00]) == nil)
    }

    // binaryfoo/emv-bertlv, bf-cvm-1: enciphered PIN online when over X, else signature always, else fail.
    @Test("A rule is told in words")
    func words() throws {
        let list = try CVMList(parsing: [UInt8](hex: "000000C80000000042071E003F3F"))
        #expect(
            list.rules.map { "\($0.condition): \($0.code)" } == [
                "if in the application currency and over X: "
                    + "enciphered PIN verified online, else the next rule",
                "always: signature, else fail",
                "on condition 3F: no CVM performed",
            ]
        )
    }
}
