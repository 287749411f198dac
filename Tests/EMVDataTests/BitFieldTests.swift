import EMVData
import Testing

/// Every bit field, checked for itself.
private let fields: [any BitField.Type] = [
    AdditionalTerminalCapabilities.self, ApplicationCapabilitiesInformation.self,
    ApplicationInterchangeProfile.self, ApplicationUsageControl.self, CardAdditionalProcesses.self,
    CardStatusUpdate.self, CardTransactionQualifiers.self, CardVerificationResults.CommonCore.self,
    CardVerificationResults.MChip.self, CardVerificationResults.Visa.self,
    CardVerificationResults.VisaDevice.self, ContactlessReaderCapabilities.self,
    CryptogramInformationData.self, EnhancedContactlessReaderCapabilities.self,
    FormFactorIndicator.self, MobileCVMResults.self, POSCardholderInteractionInformation.self,
    TerminalCapabilities.self,
    TerminalRiskManagementData.self, TerminalTransactionQualifiers.self,
    Kernel8VerificationResults.self, TerminalVerificationResults.self,
    TransactionStatusInformation.self,
]

@Suite("Bit fields")
struct BitFieldTests {
    @Test("A field has its own number of bytes and no other", arguments: fields.indices)
    func lengths(index: Int) {
        func check<Field: BitField>(_ type: Field.Type) {
            for count in 0...9 {
                let bytes = [UInt8](repeating: 0xA5, count: count)
                #expect(Field(bytes: bytes)?.bytes == (count == Field.byteCount ? bytes : nil))
            }
        }
        check(fields[index])
    }

    @Test("Each bit is set, seen and cleared by itself", arguments: fields.indices)
    func singleBits(index: Int) {
        func check<Field: BitField>(_ type: Field.Type) {
            for byte in 1...Field.byteCount {
                for bit in 1...8 {
                    var field = Field()
                    field[byte, bit] = true
                    #expect(field[byte, bit])
                    #expect(field[byte: byte] == 1 << UInt8(bit - 1))
                    #expect(field.bytes.enumerated().allSatisfy { $0 + 1 == byte || $1 == 0 })
                    field[byte, bit] = false
                    #expect(field == Field())
                    field[byte: byte] = 0xFF
                    #expect(field.bytes[byte - 1] == 0xFF)
                }
            }
        }
        check(fields[index])
    }

    @Test("The meanings are in the order of the book, none twice", arguments: fields.indices)
    func tables(index: Int) {
        func check<Field: BitField>(_ type: Field.Type) {
            let table = Field.meanings
            #expect(Set(table).count == table.count)
            #expect(table.allSatisfy { 1...Field.byteCount ~= $0.byte && $0.value & ~$0.mask == 0 })
            let places = table.map { $0.byte * 8 + $0.mask.leadingZeroBitCount }
            #expect(places == places.sorted())
        }
        check(fields[index])
    }

    @Test("Properties are the bits of their meanings")
    func properties() {
        func set<Field: BitField>(_ property: WritableKeyPath<Field, Bool>) -> Set<String> {
            var field = Field()
            let unset = Set(field.explanation.filter(\.isSet).map(\.meaning.text))
            field[keyPath: property] = true
            return Set(field.explanation.filter(\.isSet).map(\.meaning.text)).subtracting(unset)
        }
        #expect(set(\TerminalVerificationResults.expiredApplication) == ["Expired application"])
        #expect(set(\TerminalVerificationResults.cdaFailed) == ["CDA failed"])
        #expect(
            set(\TerminalVerificationResults.cardholderVerificationFailed)
                == ["Cardholder verification was not successful"]
        )
        #expect(
            set(\TerminalVerificationResults.floorLimitExceeded) == [
                "Transaction exceeds floor limit"
            ]
        )
        #expect(set(\ApplicationInterchangeProfile.supportsDDA) == ["DDA supported"])
        #expect(set(\ApplicationInterchangeProfile.supportsEMVMode) == ["EMV mode is supported"])
        #expect(set(\ApplicationUsageControl.validAtATMs) == ["Valid at ATMs"])
        #expect(set(\TerminalTransactionQualifiers.requiresCVM) == ["CVM required"])
        #expect(set(\CardTransactionQualifiers.requiresOnlinePIN) == ["Online PIN required"])
        #expect(set(\TerminalCapabilities.supportsNoCVM) == ["No CVM required"])
        #expect(
            set(\POSCardholderInteractionInformation.onDeviceCVMRequired)
                == ["On device CVM required"]
        )
    }

    @Test(
        "The kind of cryptogram is in bits 8 and 7 alone",
        arguments: [
            (0x00, CryptogramKind.aac, "AAC"), (0x40, .tc, "TC"), (0x80, .arqc, "ARQC"),
            (0xC0, .reserved, "reserved"), (0x60, .tc, "TC"), (0x8F, .arqc, "ARQC"),
        ] as [(UInt8, CryptogramKind, String)]
    )
    func cryptogramKind(byte: UInt8, kind: CryptogramKind, text: String) {
        #expect(CryptogramInformationData(rawValue: byte).kind == kind)
        #expect(kind.description == text)
        #expect(CryptogramInformationData(kind).rawValue == byte & 0xC0)
    }

    @Test("The relay resistance bits of the TVR are one of four")
    func relayResistance() {
        var results = TerminalVerificationResults()
        for (value, byte) in [
            (TerminalVerificationResults.RelayResistance.notPerformed, 0x01),
            (.performed, 0x02), (.reserved, 0x03), (.notSupported, 0x00),
        ] as [(TerminalVerificationResults.RelayResistance, UInt8)] {
            results.relayResistance = value
            #expect(results.bytes == [0, 0, 0, 0, byte])
            #expect(results.relayResistance == value)
        }
    }

    // EMV Book C-2, A.1: byte 2 bits 2 and 1, byte 3 bits 4 to 1.
    @Test(
        "A second tap is needed when the card's device says so",
        arguments: [
            ([0x00, 0x00, 0x01], true), ([0x00, 0x01, 0x00], true), ([0x00, 0x02, 0x00], true),
            ([0x00, 0x00, 0x08], true), ([0x00, 0x10, 0x00], false), ([0x00, 0x08, 0x00], false),
            ([0x00, 0x04, 0xF0], false), ([0xFF, 0x00, 0x00], false),
        ] as [([UInt8], Bool)]
    )
    func secondTap(bytes: [UInt8], isNeeded: Bool) {
        #expect(POSCardholderInteractionInformation(bytes: bytes)?.needsSecondTap == isNeeded)
    }

    @Test("A field is appended and read in place")
    func spans() {
        let bytes = [UInt8](capacity: 6) { (output: inout OutputSpan<UInt8>) in
            output.append(ApplicationInterchangeProfile(rawValue: 0x1980))
            output.append(TerminalTransactionQualifiers(rawValue: 0x2400_4000))
        }
        #expect(bytes == [0x19, 0x80, 0x24, 0x00, 0x40, 0x00])
        let profile = ApplicationInterchangeProfile(bytes.span.extracting(0..<2))
        let short = ApplicationInterchangeProfile(bytes.span.extracting(0..<1))
        #expect(profile?.supportsCDA == true)
        #expect(short == nil)
    }

    @Test("A bit that no byte has traps")
    func misuse() async {
        await #expect(processExitsWith: .failure) { _ = ApplicationInterchangeProfile()[3, 1] }
        await #expect(processExitsWith: .failure) { _ = ApplicationInterchangeProfile()[1, 9] }
    }
}
