import Testing
import Transport

@testable import PCSC

@Suite("PC/SC errors")
struct PCSCErrorTests {
    /// Codes of PC/SC part 5, 2.1 and of pcsclite.h, with what each means to a tap.
    private static let meanings: [(code: UInt32, error: TransportError)] = [
        (0x8010_000A, .timeout),
        (0x8010_0069, .cardRemoved), (0x8010_000C, .cardRemoved), (0x8010_0067, .cardRemoved),
        (0x8010_0066, .cardRemoved), (0x8010_0017, .cardRemoved), (0x8010_0009, .cardRemoved),
        (0x8010_0068, .cardRemoved), (0x8010_0016, .cardRemoved),
        (0x8010_001D, .reader(code: 0x8010_001D)), (0x8010_0013, .reader(code: 0x8010_0013)),
        (0x8010_000B, .reader(code: 0x8010_000B)), (0x8010_002F, .reader(code: 0x8010_002F)),
        (0x8010_FFFF, .reader(code: 0x8010_FFFF)),
    ]

    @Test("A code means to a tap what it says", arguments: meanings)
    func meaning(code: UInt32, error: TransportError) {
        #expect(TransportError(PCSCError(rawValue: code)) == error)
    }

    @Test("Only a service that is gone needs a new session")
    func serviceLost() {
        let lost = (0x8010_0000...0x8010_0070 as ClosedRange<UInt32>)
            .filter { PCSCError(rawValue: $0).isServiceLost }
        #expect(lost == [0x8010_0003, 0x8010_0013, 0x8010_001D, 0x8010_001E])
    }

    @Test("Every code of the standard has a sentence of its own, with the code in it")
    func sentences() {
        // The codes between 32 and 64 are not used; pcsclite itself says 1F where others say 22.
        let codes =
            Array(0x8010_0001...0x8010_0031 as ClosedRange<UInt32>)
            + Array(0x8010_0065...0x8010_006F)
        let texts = codes.map { PCSCError(rawValue: $0).description }
        #expect(Set(texts).count == codes.count)
        for (code, text) in zip(codes, texts) {
            #expect(!text.hasPrefix("PC/SC failed"), "\(text)")
            #expect(text.hasSuffix("(PC/SC \(String(code, radix: 16, uppercase: true)))"))
        }
    }

    @Test("An unknown code survives")
    func unknown() {
        #expect(PCSCError(rawValue: 0xDEAD_BEEF).description == "PC/SC failed (PC/SC DEADBEEF)")
    }

    @Test(
        "Return codes are 32 bits wide, whatever the type",
        arguments: [
            (0, nil), (0x8010_001D, PCSCError.noService), (-0x7FEF_FFE3, PCSCError.noService),
        ] as [(Int, PCSCError?)]
    )
    func returnCode(code: Int, error: PCSCError?) {
        #expect(PCSCError(code: code) == error)
    }
}
