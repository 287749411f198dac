import EMVData
import Octets
import Testing

@Suite("Applications and kernels")
struct KernelIdentifierTests {
    @Test("An application identifier has 5 to 16 bytes")
    func lengths() {
        for count in 0...20 {
            let bytes = [UInt8](repeating: 0xA0, count: count)
            #expect((ApplicationIdentifier(bytes: bytes) != nil) == (5...16 ~= count))
        }
    }

    @Test("A shorter identifier finds a longer one, not the other way round")
    func partialSelection() throws {
        let reader = try #require(ApplicationIdentifier(bytes: [UInt8](hex: "A0000000041010")))
        let card = try #require(ApplicationIdentifier(bytes: [UInt8](hex: "A0000000041010AABB")))
        #expect(card.hasPrefix(reader))
        #expect(reader.hasPrefix(reader))
        #expect(!reader.hasPrefix(card))
        #expect(card.rid == ApplicationIdentifier.mastercardRID)
        #expect(card.description == "A0000000041010AABB")
    }

    // EMV Book B, Table 3-6.
    @Test(
        "Without a kernel identifier the provider decides",
        arguments: [
            ("A000000003", KernelIdentifier.kernel3), ("A000000004", .kernel2),
            ("A000000025", .kernel4), ("A000000065", .kernel5), ("A000000152", .kernel6),
            ("A000000324", .kernel6), ("A000000333", .kernel7), ("A000000277", .any),
            ("D276000025", .any), ("A001000003", .any),
        ]
    )
    func defaults(rid: String, kernel: KernelIdentifier) throws {
        let application = try #require(ApplicationIdentifier(bytes: [UInt8](hex: rid + "1010")))
        #expect(KernelIdentifier(requestedBy: nil, of: application) == kernel)
        #expect(KernelIdentifier(requestedBy: [], of: application) == kernel)
    }

    // EMV Book B, 3.3.2.5 step C; the first five values: openemv/emv-utils, emv_decode_kernel_id_test.
    @Test(
        "A directory entry asks for its kernel, or is ignored",
        arguments: [
            ("02", 0x02), ("03", 0x03), ("820978", 0x820978), ("C5", nil),
            ("0700000000000000", 0x07),
            ("00", 0x00), ("0300000000000000", 0x03), ("4200", 0x42), ("8209", nil),
            ("800978", nil),
            ("C00978", nil), ("C5097800", 0xC50978), ("BF0000", 0xBF0000),
        ] as [(String, UInt32?)]
    )
    func requested(value: String, kernel: UInt32?) throws {
        let application = try #require(ApplicationIdentifier(bytes: [UInt8](hex: "A0000000031010")))
        let identifier = try KernelIdentifier(requestedBy: [UInt8](hex: value), of: application)
        #expect(identifier?.rawValue == kernel)
        if let identifier { #expect(value.hasPrefix(identifier.bytes.hex)) }
    }
}
