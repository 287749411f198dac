import BERTLV
import EMVData
import Octets
import Testing

@Suite("The dictionary of data objects")
struct DataObjectDefinitionTests {
    @Test("Every line of the tables is read, and says what a line must")
    func tables() {
        let all = DataObjectDefinition.all
        #expect(all.count > 300)
        for definition in all {
            #expect(!definition.name.isEmpty)
            #expect(definition.reference.contains(","), "\(definition.tag)")
            #expect(Tag(bytes: definition.tag.bytes) == definition.tag)
        }
    }

    @Test("A tag means one thing to a kernel, and one thing to all")
    func unambiguous() {
        for (tag, meanings) in Dictionary(grouping: DataObjectDefinition.all, by: \.tag) {
            #expect(Set(meanings.map(\.kernel)).count == meanings.count, "\(tag)")
        }
    }

    // Names, formats and lengths: EMV Book 3, Annex A, in any of its published listings.
    @Test(
        "Objects are those of the books",
        arguments: [
            (0x9F02, "Amount, Authorised (Numeric)", DataFormat.numeric, "6", .terminal),
            (0x5A, "Application Primary Account Number (PAN)", .compressedNumeric, "<=10", .card),
            (0x9F26, "Application Cryptogram (AC)", .binary, "8", .card),
            (0x91, "Issuer Authentication Data", .binary, "8-16", .issuer),
            (0x9F32, "Issuer Public Key Exponent", .binary, "1,3", .card),
            (0x50, "Application Label", .alphanumericSpecial, "1-16", .card),
            (0x9F1E, "Interface Device (IFD) Serial Number", .alphanumeric, "8", .terminal),
            (0x5F55, "Issuer Country Code (alpha2 format)", .alphabetic, "2", .card),
            (0x6F, "File Control Information (FCI) Template", .variable, "<=252", .card),
            (0xDF8129, "Outcome Parameter Set", .binary, "8", .terminal),
        ] as [(UInt32, String, DataFormat, String, DataObjectDefinition.Source)]
    )
    func definitions(
        tag: UInt32,
        name: String,
        format: DataFormat,
        length: String,
        source: DataObjectDefinition.Source
    ) throws {
        let definition = try #require(DataObjectDefinition[Tag(rawValue: tag)])
        #expect(definition.name == name)
        #expect(definition.format == format)
        #expect(definition.length.description == length)
        #expect(definition.source == source)
        #expect(definition.reference.hasPrefix("EMV Book"))
    }

    // The clashes named in EMV Books C-2 to C-7.
    @Test(
        "A tag that kernels read differently is looked up by kernel",
        arguments: [
            (0x9F66, KernelIdentifier.kernel2, "PUNATC (Track2)"),
            (0x9F66, .kernel3, "Terminal Transaction Qualifiers (TTQ)"),
            (0x9F66, .kernel7, "Terminal Transaction Qualifiers (TTQ)"),
            (0x9F6E, .kernel2, "Third Party Data"),
            (0x9F6E, .kernel3, "Form Factor Indicator (FFI)"),
            (0x9F6E, .kernel4, "Enhanced Contactless Reader Capabilities"),
            (0x9F5D, .kernel2, "Application Capabilities Information"),
            (0x9F5D, .kernel3, "Available Offline Spending Amount (AOSA)"),
            (0x9F6D, .kernel2, "Mag-stripe Application Version Number (Reader)"),
            (0x9F6D, .kernel4, "Contactless Reader Capabilities"), (0x9F69, .kernel2, "UDOL"),
            (0x9F69, .kernel3, "Card Authentication Related Data"),
            (0x9F7C, .kernel2, "Merchant Custom Data"),
            (0x9F7C, .kernel3, "Customer Exclusive Data (CED)"),
            (0x9F5B, .kernel2, "DSDOL"), (0x9F5B, .kernel3, "Issuer Script Results"),
            (0x9F50, .kernel5, "Cardholder Verification Status"),
            (0x9F26, .kernel2, "Application Cryptogram (AC)"),
        ] as [(UInt32, KernelIdentifier, String)]
    )
    func byKernel(tag: UInt32, kernel: KernelIdentifier, name: String) {
        #expect(DataObjectDefinition[Tag(rawValue: tag), in: kernel]?.name == name)
    }

    @Test("An unknown tag has no definition")
    func unknown() {
        #expect(DataObjectDefinition[Tag(rawValue: 0xDF79)] == nil)
        #expect(DataObjectDefinition.all(of: Tag(rawValue: 0xDF79)).isEmpty)
    }

    @Test(
        "Lengths allow what they say",
        arguments: [
            (DataLength.exactly(6), [6], [5, 7]), (.between(5, 16), [5, 16], [4, 17]),
            (.upTo(32), [0, 32], [33]), (.atLeast(2), [2, 300], [1]),
            (.oneOf([8, 11]), [8, 11], [9, 10]),
            (.any, [0, 65536], []),
        ] as [(DataLength, [Int], [Int])]
    )
    func allows(length: DataLength, allowed: [Int], refused: [Int]) {
        #expect(allowed.allSatisfy(length.allows))
        #expect(!refused.contains(where: length.allows))
    }

    @Test(
        "Objects made of bits explain themselves, by kernel where that matters",
        arguments: [
            (
                Tag.applicationInterchangeProfile, KernelIdentifier.kernel2, "0100",
                ["CDA supported"]
            ),
            (.issuerActionCodeOnline, .kernel2, "0400000000", ["CDA failed"]),
            (
                .terminalActionCodeDenial, .kernel2, "0000800000",
                ["Cardholder verification was not successful"]
            ),
            (.terminalTransactionQualifiers, .kernel3, "00400000", ["CVM required"]),
            (.terminalTransactionQualifiers, .kernel2, "0040", []),
            (
                .applicationCapabilitiesInformation, .kernel2, "010200",
                ["Data storage version 1", "Support for balance reading"]
            ),
            (.applicationCapabilitiesInformation, .kernel3, "000000001000", []),
            (.terminalCapabilities, .kernel2, "000008", ["CDA"]),
            (.terminalCapabilities, .kernel2, "0008", []),
            (.applicationCryptogram, .kernel2, "FFFFFFFFFFFFFFFF", []),
        ] as [(Tag, KernelIdentifier, String, [String])]
    )
    func bits(tag: Tag, kernel: KernelIdentifier, value: String, set: [String]) throws {
        let definition = try #require(DataObjectDefinition[tag, in: kernel])
        let explanation = try definition.explanation(of: [UInt8](hex: value))
        #expect(explanation.filter(\.isSet).map(\.meaning.text) == set)
    }
}
