import EMVData
import Octets
import Testing

@Suite("Issuer Application Data")
struct IssuerApplicationDataTests {
    @Test(
        "The form and the kernel tell the format",
        arguments: [
            ("06011203A00000", nil, .visa(1)), ("06010A03A00000", .kernel3, .visa(0)),
            ("06013103A00000", nil, .visa(3)), ("06011203A00000", .kernel2, nil),
            ("0110A040032230000000" + "00001126980002FF", .kernel2, .mchip),
            ("0110A040032230000000" + "00001126980002FF", nil, .mchip),
            ("0110A040032230000000" + "00001126980002FF", .kernel3, nil),
            ("0110A040032230000000" + "00001126980002FF" + "0001", .kernel2, .mchip),
            ("0701010460040280", .kernel5, .lengthFirst), ("0701010460040280", nil, .lengthFirst),
            ("07010103A0000001", .kernel7, .lengthFirst), ("0701010460040280", .kernel3, nil),
        ] as [(String, KernelIdentifier?, IssuerApplicationData.Format?)]
    )
    func formats(
        text: String,
        kernel: KernelIdentifier?,
        format: IssuerApplicationData.Format?
    ) throws {
        let data = IssuerApplicationData(bytes: try [UInt8](hex: text), of: kernel)
        #expect(data?.format == format)
    }

    @Test("The long formats are told by their marks")
    func longFormats() throws {
        let commonCore =
            "0FA526A831000000" + "0000000000000000" + "0F" + "000000000000000000000000000000"
        let device = "1F4A0132A000000000100302730000000040" + "0000000000000000000000000000"
        #expect(try IssuerApplicationData(bytes: [UInt8](hex: commonCore))?.format == .commonCore)
        // CCD applications are of any scheme.
        for kernel in [KernelIdentifier.kernel2, .kernel3, .kernel4] {
            let data = try IssuerApplicationData(bytes: [UInt8](hex: commonCore), of: kernel)
            #expect(data?.format == .commonCore)
        }
        let phone = try #require(IssuerApplicationData(bytes: [UInt8](hex: device), of: .kernel3))
        #expect(phone.format == .visaDevice(4))
        #expect(phone.cryptogramVersion == 0x4A)
        #expect(phone.derivationKeyIndex == 0x01)
        #expect(phone.cardVerificationResults.hex == "32A0000000")
    }

    @Test(
        "No part of a value is taken for the whole",
        arguments: [
            ("06011203A00000", KernelIdentifier.kernel3, [7]),
            ("0110A04003223000000000001126980002FF0001", .kernel2, [18, 20]),
            ("07010103A0000001", .kernel7, [8]),
        ] as [(String, KernelIdentifier, Set<Int>)]
    )
    func prefixes(text: String, kernel: KernelIdentifier, counts: Set<Int>) throws {
        let bytes = try [UInt8](hex: text)
        for count in 0...bytes.count {
            let data = IssuerApplicationData(bytes: Array(bytes.prefix(count)), of: kernel)
            #expect((data != nil) == counts.contains(count), "\(count)")
            // Every part lies within the bytes.
            _ = data?.parts
            _ = data?.explanation
        }
    }

    @Test("Results longer than the value are refused")
    func results() throws {
        #expect(try IssuerApplicationData(bytes: [UInt8](hex: "0B01010860040280")) == nil)
        #expect(try IssuerApplicationData(bytes: [UInt8](hex: "0601010460040280")) == nil)
        #expect(IssuerApplicationData(bytes: []) == nil)
    }

    @Test("Bits are counted within the whole value")
    func bits() throws {
        let data = try #require(
            IssuerApplicationData(bytes: [UInt8](hex: "06010A03A4B8000F1122334455667788"))
        )
        let set = data.explanation.filter(\.isSet).map(\.meaning)
        #expect(set.contains(BitMeaning(6, 5, "New card")))
        #expect(set.contains(BitMeaning(5, 3, "Offline PIN verification performed")))
    }
}
