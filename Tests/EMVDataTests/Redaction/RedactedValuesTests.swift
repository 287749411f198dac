import BERTLV
import Octets
import Testing

@testable import EMVData

@Suite("Masked values")
struct RedactedValuesTests {
    @Test(
        "Values keep their length and lose what tells the cardholder",
        arguments: [
            (Tag.applicationPAN, "4761739001010119", "4761730000000119"),
            (.applicationPAN, "4761739001010119FFFF", "4761730000000119FFFF"),
            (.applicationPAN, "378282246310005F", "378282000000005F"),
            (
                .track2EquivalentData, "4761739001010119D22122011758928889",
                "4761730000000119D22122010000000000"
            ),
            (.track2EquivalentData, "378282246310005D2212201123", "378282000000005D2212201000"),
            (.track2Data, "4761739001010119D2212201", "4761730000000119D2212201"),
            (.dataStorageIdentifier, "476173900101011901", "476173000000011901"),
            (.dataStorageIdentifier, "0123456789012301", "0123456000012301"),
            (.track2DiscretionaryData, "1758928889FF", "0000000000FF"),
            (.iccPublicKeyCertificate, "6A04476173900101", "0000000000000000"),
            (.iccPINEnciphermentCertificate, "6A044761", "00000000"),
            (.signedStaticApplicationData, "6A0301", "000000"),
            (.transactionPINData, "241234FFFFFFFFFF", "0000000000000000"),
        ]
    )
    func masks(tag: Tag, value: String, masked: String) {
        var redaction = Redaction()
        let bytes = Cardholder.bytes(value.count.isMultiple(of: 2) ? value : value + "F")
        #expect(redaction.mask(bytes, of: tag).hex == masked)
    }

    @Test(
        "Text values become crosses",
        arguments: [
            (Tag.cardholderName, "DOE/JOHN", "XXXXXXXX"),
            (.cardholderNameExtended, "DOE/JOHN", "XXXXXXXX"),
            (.track1DiscretionaryData, "1758928889", "XXXXXXXXXX"),
            (.internationalBankAccountNumber, "DE02120300000000202051", "XXXXXXXXXXXXXXXXXXXXXX"),
            (
                .track1Data, "B4761739001010119^DOE/JOHN^2212201175",
                "B4761730000000119^XXXXXXXX^2212201XXX"
            ),
        ]
    )
    func masksText(tag: Tag, value: String, masked: String) {
        var redaction = Redaction()
        let result = redaction.mask(Array(value.utf8), of: tag)
        #expect(String(decoding: result, as: UTF8.self) == masked)
    }

    @Test(
        "Values too malformed to read lose all their digits",
        arguments: [
            (Tag.applicationPAN, "47617390010101D9", "00000000000000D0"),
            (.applicationPAN, "4761", "0000"),
            (.track2EquivalentData, "4761739001010119", "0000000000000000"),
            (.track2EquivalentData, "4761739001010119D22", "0000000000000000D00F"),
            (.dataStorageIdentifier, "4761", "0000"),
        ]
    )
    func malformed(tag: Tag, value: String, masked: String) {
        var redaction = Redaction()
        let bytes = Cardholder.bytes(value.count.isMultiple(of: 2) ? value : value + "F")
        #expect(redaction.mask(bytes, of: tag).hex == masked)
    }

    @Test(
        "What tells nothing stays as it is",
        arguments: [
            (Tag.applicationCryptogram, "4761739001010119"),
            (.applicationExpirationDate, "221231"),
            (.issuerPublicKeyCertificate, "6A024761"),
            (.panSequenceNumber, "01"),
            (.issuerApplicationData, "06011203A0B800"),
        ]
    )
    func leaves(tag: Tag, value: String) {
        var redaction = Redaction()
        #expect(redaction.mask(Cardholder.bytes(value), of: tag).hex == value)
    }

    @Test("A number learned once is masked wherever it stands, by the same substitute")
    func consistent() {
        var redaction = Redaction()
        _ = redaction.mask(Cardholder.bytes(Cardholder.number), of: .applicationPAN)
        let places = [
            "00" + Cardholder.number + "FF", "0" + Cardholder.number + "0",
            Array(Cardholder.number.utf8).hex,
        ].map(Cardholder.bytes)
        let expected = [
            "00" + Cardholder.substitute + "FF", "0" + Cardholder.substitute + "0",
            Array(Cardholder.substitute.utf8).hex,
        ]
        for (place, masked) in zip(places, expected) {
            #expect(redaction.mask(place, of: .issuerApplicationData).hex == masked)
        }
    }

    @Test(
        "An object no book defines loses what looks like an account number",
        arguments: [
            ("4761739001010119", "4761730000000119"), ("A4761739001010119B", "A4761730000000119B"),
            ("0004761739001010119D", "0004761730000000119D"),
            // Other digits before and behind it.
            ("12347617390010101192212310", "12347600000000000000002310"),
            // A wrong check digit, and too few digits.
            ("4761739001010118", "4761739001010118"), ("476173900101", "476173900101"),
        ]
    )
    func unknownObjects(value: String, masked: String) {
        var redaction = Redaction()
        let tag = Tag(rawValue: 0xDF79)
        #expect(redaction.mask(Cardholder.bytes(value), of: tag).hex == masked)
        #expect(!Cardholder.isFound(in: redaction.mask(Array(Cardholder.number.utf8), of: tag)))
    }

    @Test("Nothing is masked when nothing is to be")
    func nothing() {
        var redaction = Redaction(.nothing)
        let record = Cardholder.record
        #expect(redaction.mask([record]) == [record])
        #expect(redaction.mask(encoded: record.encoded) == record.encoded)
        #expect(
            redaction.mask(response: record.encoded + [0x90, 0x00]) == record.encoded + [
                0x90, 0x00,
            ]
        )
        #expect(redaction.mask(command: [0x00, 0x20, 0x00, 0x80, 0x01, 0x24]).last == 0x24)
        #expect(redaction.mask(text: Cardholder.number) == Cardholder.number)
    }

    @Test(
        "What several cards hide is found side by side, and of two that begin together the longer one"
    )
    func severalCards() {
        var redaction = Redaction()
        let (short, long, other) = ("4761739001010", "4761739001010119", "5413330089600010")
        for number in [short, long, other] {
            _ = redaction.mask(
                Cardholder.bytes(number + (number.count % 2 == 0 ? "" : "F")),
                of: .applicationPAN
            )
        }
        _ = redaction.mask(Array("DOE/JOHN".utf8), of: .cardholderName)
        let start = "00" + short + "F"
        for (text, masked) in [
            (
                start + long + other,
                "00476173000101" + "0F" + "4761730000000119" + "5413330000000010"
            ),
            (
                long + long + "0" + other + "1",
                "4761730000000119" + "4761730000000119" + "0" + "5413330000000010" + "1"
            ),
            // The beginning of a number is none.
            (String(other.dropLast()) + "1" + other, "5413330089600011" + "5413330000000010"),
            // As characters, and right behind a name.
            (
                "444F452F4A4F484E" + long.map { "3\($0)" }.joined(),
                "5858585858585858" + "4761730000000119".map { "3\($0)" }.joined()
            ),
        ] {
            #expect(redaction.maskLearned(Cardholder.bytes(text)).hex == masked)
        }
    }

    @Test(
        "As many cards as a day has do not take the time of each for each",
        .timeLimit(.minutes(5))
    )
    func manyCards() throws {
        var redaction = Redaction()
        for number in 0..<30_000 {
            let text = "\(4_761_730_000_000_000 + number * 7_919)"
            let masked = redaction.mask(Cardholder.bytes(text), of: .applicationPAN)
            #expect(masked.hex == text.prefix(6) + "000000" + text.suffix(4))
        }
        let value = Cardholder.bytes(
            "9F4761730000000000" + String(repeating: "47617300", count: 200)
        )
        for _ in 0..<200 { _ = redaction.mask(value, of: .issuerApplicationData) }
    }
}
