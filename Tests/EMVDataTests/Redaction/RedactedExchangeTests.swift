import BERTLV
import EMVData
import ISO7816
import Octets
import TestSupport
import Testing

private let success: [UInt8] = [0x90, 0x00]

/// A redaction that has seen an application whose lists ask for cardholder data.
private func redaction(pdol: String = "", cdol1: String = "") -> Redaction {
    var redaction = Redaction()
    let template = TLV(
        .fileControlInformation,
        [
            TLV(
                .fileControlInformationProprietary,
                [TLV(.processingOptionsList, Cardholder.bytes(pdol))]
            )
        ]
    )
    _ = redaction.mask(response: template.encoded + success)
    let record = TLV(.recordTemplate, [TLV(.cardRiskManagementList1, Cardholder.bytes(cdol1))])
    _ = redaction.mask(response: record.encoded + success)
    return redaction
}

@Suite("Masked exchanges")
struct RedactedExchangeTests {
    @Test("A record is masked object by object, its structure untouched")
    func record() throws {
        var redaction = Redaction()
        let response = Cardholder.record.encoded + success
        let masked = redaction.mask(response: response)
        #expect(masked.count == response.count)
        #expect(!Cardholder.isFound(in: masked))
        let template = try TLV.parseOne(Array(masked.dropLast(2)))
        #expect(template.objects.map(\.tag) == Cardholder.record.objects.map(\.tag))
        #expect(template.objects.map(\.value.count) == Cardholder.record.objects.map(\.value.count))
        #expect(TLV.first(.applicationPAN, in: [template])?.value.hex == Cardholder.substitute)
        #expect(TLV.first(.applicationExpirationDate, in: [template])?.value.hex == "221231")
        #expect(redaction.mask([Cardholder.record]) == [template])
    }

    @Test("Lengths and padding stay as they were written")
    func oddEncoding() {
        var redaction = Redaction()
        let response = "00" + "7081" + "0D" + "00" + "5A8108" + Cardholder.number + "00" + "9000"
        let masked = "00" + "7081" + "0D" + "00" + "5A8108" + Cardholder.substitute + "00" + "9000"
        #expect(redaction.mask(response: Cardholder.bytes(response)).hex == masked)
    }

    @Test("A response cut anywhere gives nothing away")
    func prefixes() {
        let response = Cardholder.record.encoded
        for count in 0...response.count {
            var redaction = Redaction()
            let prefix = Array(response.prefix(count))
            let masked = redaction.mask(response: prefix + success)
            #expect(masked.count == count + 2)
            #expect(!Cardholder.isFound(in: masked))
            let bare = redaction.mask(response: prefix)
            #expect(bare.count == count)
            #expect(!Cardholder.isFound(in: bare))
        }
    }

    @Test("A rest of a response that came in parts gives nothing away")
    func suffixes() {
        let response = Cardholder.record.encoded
        for count in 0...response.count {
            var redaction = Redaction()
            let masked = redaction.mask(response: response.suffix(count) + success)
            // A rest can be an object of its own, whose tag then says what it is.
            #expect(!Cardholder.isFound(in: masked) || masked.first == 0x5F, "\(masked.hex)")
        }
    }

    @Test("A filled list is masked where the card asked for the cardholder")
    func filledLists() {
        var redaction = redaction(pdol: "9F02065A0857119F3704", cdol1: "9F02065A089F3704")
        let values = "000000001234" + Cardholder.number
        let masked = "000000001234" + "0000000000000000"
        let processing =
            "80A80000" + "25" + "8323" + values + Cardholder.track2.hex + "01020304" + "00"
        #expect(
            redaction.mask(command: Cardholder.bytes(processing)).hex
                == "80A80000258323" + masked + String(repeating: "00", count: 17) + "0102030400"
        )
        let generate = "80AE8000" + "12" + values + "01020304" + "00"
        #expect(
            redaction.mask(command: Cardholder.bytes(generate)).hex
                == "80AE800012" + masked + "0102030400"
        )
    }

    @Test("A filled list stays readable where the card asked for the transaction only")
    func harmlessLists() {
        var redaction = redaction(pdol: "9F66049F02069F3704", cdol1: "9F02069F3704")
        for command in [
            "80A8000010830E24004000000000001234ABABABAB00", "80AE80000A000000001234ABABABAB00",
            "80A8000002830000", "00B2011400", "80CA9F3600", "00A4040007A000000003101000",
            "80EA00000412345678" + "00", "008200000A0EC3EE4C45E247893030", "00880000040123456700",
            "802A8E80040000000000",
        ] {
            #expect(redaction.mask(command: Cardholder.bytes(command)).hex == command)
        }
    }

    @Test(
        "Commands whose data nothing explains are blanked",
        arguments: [
            // No list is known, the list has another length, the data are no command template.
            ("80AE80000C4761739001010119ABABABAB00", "80AE80000C00000000000000000000000000"),
            ("80A800000A83084761739001010119" + "00", "80A800000A8308000000000000000000"),
            ("80A80000084761739001010119" + "00", "80A8000008000000000000000000"),
            // VERIFY, CHANGE REFERENCE DATA: a PIN.
            ("00200080082412345FFFFFFFFF", "0020008008" + "0000000000000000"),
            ("8024000008AABBCCDDEEFF0011", "8024000008" + "0000000000000000"),
            // PUT DATA of the number, UPDATE RECORD of what is no template, an unknown instruction.
            ("80DA005A084761739001010119", "80DA005A08" + "0000000000000000"),
            ("00DC0114084761739001010119", "00DC011408" + "0000000000000000"),
            ("8032000003414141", "8032000003000000"),
        ]
    )
    func blanks(command: String, masked: String) {
        var redaction = Redaction()
        #expect(redaction.mask(command: Cardholder.bytes(command)).hex == masked)
    }

    @Test("An extended command is masked in place")
    func extendedCommand() {
        var redaction = Redaction()
        let record = Cardholder.record.encoded
        let command = CommandAPDU(
            CommandCode(rawValue: 0x00DC),
            parameters: 0x0114,
            body: record + record
        )
        let masked = redaction.mask(command: command.bytes)
        #expect(masked.count == command.bytes.count)
        #expect(masked.prefix(7) == command.bytes.prefix(7))
        #expect(!Cardholder.isFound(in: masked))
    }

    @Test("Bytes that are no command lose all but a header")
    func noCommand() {
        var redaction = Redaction()
        let bytes = Cardholder.bytes("00A40400FF" + Cardholder.number)
        #expect(redaction.mask(command: bytes).hex == "00A40400" + "000000000000000000")
        #expect(redaction.mask(command: []) == [])
        #expect(redaction.mask(command: [0x00, 0xA4]) == [0x00, 0xA4])
    }

    @Test("Another application's lists do not explain this one's data")
    func selectionForgets() {
        var redaction = redaction(cdol1: "9F02069F3704")
        let other = TLV(.fileControlInformation, [TLV(.dedicatedFileName, [0xA0, 0, 0, 0, 4])])
        _ = redaction.mask(response: other.encoded + success)
        let command = Cardholder.bytes("80AE80000A4761739001010119ABAB00")
        #expect(redaction.mask(command: command).hex == "80AE80000A0000000000000000000000")
    }

    @Test("Random changes of a record never trap, keep the length and give nothing away")
    func changes() {
        var generator = SeededGenerator()
        let response = Cardholder.record.encoded
        for _ in 0..<500 {
            var changed = response
            // Template, its length, the number's tag, the track's tag and length; the rest is another cardholder's.
            let index = [0, 1, 2, 3, 13, 14].randomElement(using: &generator) ?? 0
            changed[index] = UInt8.random(in: 0...255, using: &generator)
            var redaction = Redaction()
            let masked = redaction.mask(response: changed + success)
            #expect(masked.count == response.count + 2)
            #expect(!masked.hex.contains("900101"), "\(generator), \(changed.hex)")
        }
    }
}
