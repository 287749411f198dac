import BERTLV
import EMVData
import Octets
import Profiles
import Testing

/// Profiles made of cards that were read.
@Suite struct CardCopyTests {
    /// A Mastercard application as SELECT, GET PROCESSING OPTIONS and READ RECORD give it.
    private static func mastercard(
        pan: String = "5555555555554444",
        name: String = "A0000000041010",
        without missing: BERTLV.Tag? = nil
    ) throws -> CardContents.Application {
        let records = try [
            ("5A", pan), ("57", "\(pan)D30122010000012345678F"), ("5F24", "301231"),
            ("5F20", "4D555354455246524155202F4552494B41"), ("5F34", "01"), ("9F07", "FF00"),
            ("5F28", "0756"), ("9F42", "0756"), ("8E", "00000000000000001F03"),
            ("8C", "9F02069F03069F1A0295055F2A029A039C019F37049F35019F45029F4C089F3403"),
            ("9F08", "0002"), ("9F0D", "0000000001"), ("9F0E", "0000000002"),
            ("9F0F", "0000000003"),
            ("9F6B", "\(pan)D30122010000012345678F"), ("9F1F", "3132333435"), ("93", "0102"),
            ("9F6E", "07560000303000"), ("90", "AABB"),
        ].map { TLV(try #require(Tag(bytes: try [UInt8](hex: $0))), try [UInt8](hex: $1)) }
        return try CardContents.Application(
            name: [UInt8](hex: name),
            selection: [
                TLV(.applicationLabel, Array("MC".utf8)), TLV(.applicationPriority, [0x02]),
                TLV(.languagePreference, Array("DEen".utf8)),
            ],
            processingOptions: [TLV(.applicationInterchangeProfile, [0x19, 0x80])],
            records: [TLV(.recordTemplate, records.filter { $0.tag != missing })],
            retrieved: [TLV(.pinTryCounter, [0x03]), TLV(Tag(rawValue: 0x9F7E), [UInt8](hex: pan))]
        )
    }

    private static func card(_ applications: [CardContents.Application]) -> CardContents {
        CardContents(
            name: "a card",
            isPublic: false,
            uid: [0x04, 1, 2, 3, 4, 5, 6],
            historicalBytes: [0x80],
            applications: applications
        )
    }

    @Test func `what was read is what the copy says, with test values for what is somebody's`()
        throws
    {
        let copy = try CardCopy(of: Self.card([Self.mastercard()]), keepsAccountNumbers: false)
        let text = try copy.profile.json()
        for part in ["5555555555554444", "12345678", "ERIKA", "3132333435"] {
            #expect(!text.contains(part), "\(part)")
        }
        let application = copy.profile.applications[0]
        #expect(copy.profile.isPublic)
        #expect(copy.profile.uid == [0x08, 0, 0, 0])
        #expect(copy.profile.historicalBytes == [0x80])
        #expect(copy.profile.issuers.isEmpty)
        #expect(application.pan.text.hasPrefix("541333000000000"))
        #expect(application.pan.hasValidCheckDigit)
        #expect(application.trackDiscretionaryData == [UInt8](repeating: 0, count: 13))
        #expect(application.cardholderName == "TEST CARD/COPY")
        #expect(application.languages == "deen")
        #expect(application.priority == 2)
        #expect(application.issuerCountry == 756)
        #expect(application.currency == Currency(rawValue: 756))
        #expect(application.consumerDeviceCVM == .none)
        let objects = Dictionary(
            uniqueKeysWithValues: application.recordObjects.map { ($0.tag, $0.value.hex) }
        )
        let pan = application.pan.text
        #expect(objects[.track2Data] == "\(pan)D30122010000000000000F")
        #expect(objects[.thirdPartyData] == "07560000303000")
        #expect(objects[.signedStaticApplicationData] == nil)
        #expect(objects[.issuerPublicKeyCertificate] == nil)
        #expect(
            application.retrievableObjects == [
                DataObject(.pinTryCounter, [0x03]),
                // Under whatever tag the number is given, no more of it is left than people are shown.
                DataObject(Tag(rawValue: 0x9F7E), [0x55, 0x55, 0x55, 0, 0, 0, 0x44, 0x44]),
            ]
        )
        #expect(copy.profile.notes[0].hasPrefix("A card's secret keys cannot be read"))
        #expect(copy.profile.notes.contains("A0000000041010: The copy has no 93."))
    }

    @Test func `numbers that are kept get an issuer with a test key`() throws {
        let copy = try CardCopy(of: Self.card([Self.mastercard()]), keepsAccountNumbers: true)
        #expect(!copy.profile.isPublic)
        #expect(copy.profile.uid == [0x04, 1, 2, 3, 4, 5, 6])
        #expect(copy.profile.applications[0].pan.text == "5555555555554444")
        #expect(copy.profile.applications[0].cardholderName == "MUSTERFRAU /ERIKA")
        #expect(copy.profile.issuers.map(\.identificationNumber) == [[5, 5, 5, 5, 5, 5]])
        // What is written can be read, and a card made of it.
        let read = try CardProfile(json: Array(copy.profile.json().utf8))
        #expect(read.applications == copy.profile.applications)
        #expect(read.issuers[0].masterKey === copy.profile.issuers[0].masterKey)
        _ = try CardPersonalization(read)
    }

    @Test func `one number gets one test number, and another one another`() throws {
        let cards = try [
            Self.mastercard(), Self.mastercard(name: "A0000000043060"),
            Self.mastercard(pan: "5105105105105100", name: "A000000004101001"),
        ]
        let copy = try CardCopy(of: Self.card(cards), keepsAccountNumbers: false)
        let numbers = copy.profile.applications.map(\.pan.text)
        #expect(numbers[0] == numbers[1])
        #expect(numbers[0] != numbers[2])
        _ = try CardPersonalization(copy.profile)
    }

    @Test func `an application that cannot be copied is left out and says why`() throws {
        let foreign = CardContents.Application(
            name: [0xA0, 0, 0, 0, 0x25, 1],
            selection: [],
            processingOptions: [],
            records: []
        )
        let cards = try [
            foreign, Self.mastercard(), Self.mastercard(),
            Self.mastercard(name: "A000000004101002", without: .cardRiskManagementList1),
        ]
        let copy = try CardCopy(of: Self.card(cards), keepsAccountNumbers: false)
        #expect(copy.profile.applications.count == 1)
        #expect(
            copy.refusals == [
                "A00000002501: only Visa's and Mastercard's applications can be emulated",
                "A0000000041010: the card has it a second time",
                "A000000004101002: the list of data for its cryptogram (8C) could not be read",
            ]
        )
        #expect(throws: CardCopyError(refusals: [copy.refusals[0]])) {
            try CardCopy(of: Self.card([foreign]), keepsAccountNumbers: false)
        }
        #expect(throws: CardCopyError(refusals: [])) {
            try CardCopy(of: Self.card([]), keepsAccountNumbers: false)
        }
    }

    @Test(arguments: [
        "5A", "57", "5F24", "5F20", "5F34", "9F07", "5F28", "9F42", "8E", "9F08", "9F0D",
    ])
    func `a card that does not tell something has a copy all the same`(_ tag: String) throws {
        let missing = try #require(Tag(bytes: try [UInt8](hex: tag)))
        let application = try Self.mastercard(without: missing)
        let copy = try CardCopy(of: Self.card([application]), keepsAccountNumbers: false)
        _ = try CardPersonalization(CardProfile(json: Array(copy.profile.json().utf8)))
    }

    @Test(arguments: Scheme.allCases)
    func `a profile that is written reads as it was`(_ scheme: Scheme) throws {
        let profile = CardProfile.builtIn(scheme)
        let read = try CardProfile(json: Array(profile.json().utf8))
        #expect(read.applications == profile.applications)
        #expect(read.uid == profile.uid)
        var noted = profile
        noted.notes = ["a \"quoted\" word, \\ and \u{1} a sign", "Zweiter Satz: Größe"]
        #expect(try CardProfile(json: Array(noted.json().utf8)).notes == noted.notes)
    }

    @Test func `a key of one's own is not written`() throws {
        var profile = CardProfile.builtIn(.visa)
        let issuers = try IssuerProfile.issuers(
            json: Array(
                #"{"issuers": [{"name": "x", "scheme": "visa", "identificationNumber": "476173", "masterKey": "00112233445566778899AABBCCDDEEFF", "derivation": "A"}]}"#
                    .utf8
            )
        )
        profile.issuers = issuers
        #expect(throws: ProfilesError.self) { try profile.json() }
    }
}
