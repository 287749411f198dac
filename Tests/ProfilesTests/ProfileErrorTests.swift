import Octets
import Profiles
import Testing

/// A profile someone got wrong: one sentence that names the place and what would be right.
@Suite struct ProfileErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var scheme: Scheme
        var old: String
        var new: String
        var error: String

        init(
            _ name: String,
            in scheme: Scheme = .visa,
            _ old: String,
            _ new: String,
            _ error: String
        ) {
            testDescription = name
            self.scheme = scheme
            self.old = old
            self.new = new
            self.error = error
        }
    }

    static let readingRows: [Row] = [
        Row(
            "missing",
            #""pdol": "9F6604"#,
            #""list": "9F6604"#,
            "applications[0].pdol: is missing"
        ),
        Row(
            "null is missing",
            #""aid": "A0000000031010""#,
            #""aid": null"#,
            "applications[0].aid: is missing"
        ),
        Row(
            "unknown",
            #""label":"#,
            #""nickname": "x", "label":"#,
            "applications[0].nickname: is not known here; known are acceptsOnlinePIN, "
                + "acceptsSignature, aid, cardholderName, consumerDeviceCVM, cryptogramVersion, "
                + "currency, derivationKeyIndex, effectiveDate, expirationDate, formFactor, "
                + "interchangeProfile, issuerCountry, kernelIdentifier, label, languages, pan, "
                + "panSequenceNumber, pdol, priority, recordObjects, retrievableObjects, risk, "
                + "scheme, serviceCode, trackDiscretionaryData, transactionQualifiers, usageControl"
        ),
        Row(
            "unknown at the top",
            #""public": true,"#,
            #""public": true, "colour": 1,"#,
            "colour: is not known here; known are applications, historicalBytes, issuers, name, "
                + "notes, public, uid"
        ),
        Row(
            "unknown scheme",
            #""visa""#,
            #""amex""#,
            #"applications[0].scheme: must be one of "visa", "mastercard", not "amex""#
        ),
        Row(
            "number for text",
            #""VISA CREDIT""#,
            "7",
            "applications[0].label: must be a text, not a number"
        ),
        Row(
            "text for number",
            #""priority": 1"#,
            #""priority": "1""#,
            "applications[0].priority: must be a whole number from 1 to 15"
        ),
        Row(
            "number out of range",
            #""priority": 1"#,
            #""priority": 16"#,
            "applications[0].priority: must be a whole number from 1 to 15"
        ),
        Row(
            "fraction",
            #""priority": 1"#,
            #""priority": 1.5"#,
            "applications[0].priority: must be a whole number from 1 to 15"
        ),
        Row(
            "text for truth",
            #""public": true"#,
            #""public": "yes""#,
            "public: must be true or false, not a text"
        ),
        Row(
            "number for hexadecimal",
            #""aid": "A0000000031010""#,
            #""aid": 10"#,
            "applications[0].aid: must be hexadecimal digits in a text, not a number"
        ),
        Row(
            "odd hexadecimal",
            "A0000000031010",
            "A000000003101",
            "applications[0].aid: has an odd number of hexadecimal digits, 13"
        ),
        Row(
            "no hexadecimal",
            "A0000000031010",
            "A00000000310G0",
            "applications[0].aid: has no hexadecimal digit at character 13"
        ),
        Row(
            "short",
            "A0000000031010",
            "A0000000",
            "applications[0].aid: must have 5 to 16 bytes, not 4"
        ),
        Row(
            "long",
            #""transactionQualifiers": "0000""#,
            #""transactionQualifiers": "000000""#,
            "applications[0].transactionQualifiers: must have 2 bytes, not 3"
        ),
        Row(
            "PAN with a letter",
            "4761739001010010",
            "47617390010100A0",
            "applications[0].pan: must be 12 to 19 digits"
        ),
        Row(
            "short PAN",
            "4761739001010010",
            "47617390010",
            "applications[0].pan: must be 12 to 19 digits"
        ),
        Row(
            "long PAN",
            "4761739001010010",
            "47617390010100104761",
            "applications[0].pan: must be 12 to 19 digits"
        ),
        Row(
            "no such day",
            "2035-12-31",
            "2035-02-30",
            #"applications[0].expirationDate: must be a day such as 2030-12-31, not "2035-02-30""#
        ),
        Row(
            "unknown currency",
            "EUR",
            "EURO",
            #"applications[0].currency: must be a currency of ISO 4217 such as "EUR", not "EURO""#
        ),
        Row(
            "list for object",
            #""applications": ["#,
            #""issuers": {}, "applications": ["#,
            "issuers: must be a list in brackets, not an object"
        ),
        Row(
            "object for list",
            #""recordObjects": {}"#,
            #""recordObjects": []"#,
            "applications[0].recordObjects: must be an object in braces, not a list"
        ),
        Row(
            "no tag",
            #""recordObjects": {}"#,
            #""recordObjects": {"9F": "00"}"#,
            "applications[0].recordObjects.9F: is no tag in hexadecimal digits"
        ),
        Row(
            "tag twice",
            #""recordObjects": {}"#,
            #""recordObjects": {"9F24": "00", "9f24": "00"}"#,
            "applications[0].recordObjects.9f24: is here a second time"
        ),
        Row(
            "cut PDOL",
            "9C01 9F3704",
            "9C01 9F37",
            "applications[0].pdol: is no list of tags and lengths: the entry at byte 22 is malformed"
        ),
        Row(
            "unknown CVN",
            #""cryptogramVersion": 18"#,
            #""cryptogramVersion": 22"#,
            "applications[0].cryptogramVersion: must be 10, 17, 18 or 43, not 22"
        ),
        Row(
            "other scheme's member",
            #""cryptogramVersion": 18"#,
            #""cvmList": "0000""#,
            "applications[0].cryptogramVersion: is missing"
        ),
        Row(
            "CVM list",
            in: .mastercard,
            "0000000000000000 4203 5E03 1F00",
            "0000000000000000 42",
            "applications[0].cvmList: must be two amounts of four bytes and two bytes for each rule"
        ),
        Row(
            "action codes",
            in: .mastercard,
            #""denial": "0000000000","#,
            "",
            "applications[0].issuerActionCodes.denial: is missing"
        ),
    ]

    @Test(arguments: readingRows)
    func refusesWhenReading(_ row: Row) throws {
        let text = CardProfile.builtInJSON(row.scheme).replacing(row.old, with: row.new)
        #expect(text != CardProfile.builtInJSON(row.scheme))
        let error = #expect(throws: ProfilesError.self) {
            try CardProfile(json: [UInt8](text.utf8))
        }
        #expect(error?.description == row.error)
    }

    static let personalizingRows: [Row] = [
        Row(
            "AID of another scheme",
            "A0000000031010",
            "A0000000041010",
            "applications[0].aid: must have 5 to 16 bytes and start with the RID of visa, A000000003"
        ),
        Row(
            "empty label",
            "VISA CREDIT",
            "",
            "applications[0].label: must be 1 to 16 letters, digits or signs of ASCII"
        ),
        Row(
            "label beyond ASCII",
            "VISA CREDIT",
            "VISA CRÉDIT",
            "applications[0].label: must be 1 to 16 letters, digits or signs of ASCII"
        ),
        Row(
            "kernel identifier of two bytes",
            #""kernelIdentifier": "03""#,
            #""kernelIdentifier": "0303""#,
            "applications[0].kernelIdentifier: must have one or 3 to 8 bytes"
        ),
        Row(
            "languages",
            #""languages": "en""#,
            #""languages": "eng""#,
            #"applications[0].languages: must be one to four codes of two small letters, as "ende""#
        ),
        Row(
            "long name",
            "TEST CARD/VISA",
            "TEST CARD/VISA WITH A VERY LONG NAME",
            "applications[0].cardholderName: must be 2 to 26 letters, digits or signs of ASCII"
        ),
        Row(
            "number of no issuer",
            "4761739001010010",
            "4000001234567899",
            "applications[0].pan: no issuer has this number; the visa numbers known start with "
                + #"476173, and "issuers" of the profile can add more"#
        ),
        Row(
            "long track",
            "11438825",
            "12345678901234",
            "applications[0].trackDiscretionaryData: must be at most 13 digits beside this PAN"
        ),
        Row(
            "expires before it starts",
            "2024-01-01",
            "2036-01-01",
            "applications[0].expirationDate: lies before effectiveDate"
        ),
        Row("uid", "08C0FFEE", "08C0FFEE00", "uid: must have 4, 7 or 10 bytes, not 5"),
        Row(
            "PDOL without what the CVN needs",
            "9505 ",
            "",
            "applications[0].pdol: does not ask for 95, which CVN 18 needs"
        ),
        Row(
            "PDOL with a cut object",
            "9F0206",
            "9F0205",
            "applications[0].pdol: must ask for 6 bytes of 9F02, which CVN 18 needs"
        ),
        Row(
            "PDOL without TTQ",
            "9F6604 ",
            "",
            "applications[0].pdol: does not ask for 9F66, which a Visa card needs"
        ),
        Row(
            "PDOL too long for the response to SELECT",
            "9F6604 ",
            "9F6604 " + String(repeating: "9F4E00 ", count: 70),
            "applications[0].pdol: is too long: the response to SELECT has 276 bytes, of which 256 fit"
        ),
        Row(
            "offline limit without signature",
            #""interchangeProfile": "2040""#,
            #""interchangeProfile": "0040""#,
            "applications[0].risk.offlineLimitMinorUnits: needs offline data authentication: "
                + "bit 20 (DDA) in byte 1 of interchangeProfile"
        ),
        Row(
            "offline limit without CDA",
            in: .mastercard,
            "3BC0",
            "3AC0",
            "applications[0].risk.offlineLimitMinorUnits: needs offline data authentication: "
                + "bit 01 (CDA) in byte 1 of interchangeProfile"
        ),
        Row(
            "no EMV mode",
            in: .mastercard,
            "3BC0",
            "3B40",
            "applications[0].interchangeProfile: must have bit 80 (EMV mode) in byte 2"
        ),
        Row(
            "device without the bit",
            in: .mastercard,
            "3BC0",
            "39C0",
            "applications[0].interchangeProfile: must have bit 02 (on-device cardholder verification) "
                + #"in byte 1, since consumerDeviceCVM is "onRequest""#
        ),
        Row(
            "plastic with the bit",
            in: .mastercard,
            "onRequest",
            "none",
            "applications[0].interchangeProfile: must not have bit 02 (on-device cardholder "
                + #"verification) in byte 1, since consumerDeviceCVM is "none""#
        ),
        Row(
            "CDOL1 without what the cryptogram needs",
            in: .mastercard,
            "9F1A02 9505",
            "9505",
            "applications[0].cdol1: does not ask for 9F1A, which the cryptogram needs"
        ),
        Row(
            "CDOL1 without CVM results",
            in: .mastercard,
            " 9F3403",
            "",
            #"applications[0].cdol1: does not ask for 9F34, which consumerDeviceCVM "onRequest" needs"#
        ),
        Row(
            "CDOL1 too long",
            in: .mastercard,
            "9F7C14",
            "9F7C14 9F7CC8",
            "applications[0].cdol1: asks for 266 bytes, of which 252 fit a command"
        ),
        Row(
            "PDOL too long",
            in: .mastercard,
            #""pdol": """#,
            #""pdol": "9F7CFF""#,
            "applications[0].pdol: asks for 255 bytes, of which 252 fit a command"
        ),
        Row(
            "record too long",
            in: .mastercard,
            #""recordObjects": {}"#,
            #""recordObjects": {"9F24": ""# + String(repeating: "30", count: 250) + #""}"#,
            "applications[0]: 9F24 has 254 bytes with its tag and length, of which 253 fit a record"
        ),
        Row(
            "object the card sets itself",
            #""recordObjects": {}"#,
            #""recordObjects": {"5A": "00"}"#,
            "applications[0].recordObjects.5A: is set by the profile's other members"
        ),
        Row(
            "counter by GET DATA",
            #""9F17": "03""#,
            #""9F36": "0001""#,
            "applications[0].retrievableObjects.9F36: cannot be set: GET DATA takes tags of one or "
                + "two bytes, and 9F36 is the card's own"
        ),
    ]

    @Test(arguments: personalizingRows)
    func refusesWhenPersonalizing(_ row: Row) throws {
        let text = CardProfile.builtInJSON(row.scheme).replacing(row.old, with: row.new)
        let profile = try CardProfile(json: [UInt8](text.utf8))
        let error = #expect(throws: ProfilesError.self) { try CardPersonalization(profile) }
        #expect(error?.description == row.error)
    }

    @Test func notJSONAtAll() {
        let error = #expect(throws: ProfilesError.self) {
            try CardProfile(json: [UInt8]("<card/>".utf8))
        }
        #expect(
            error?.description
                == "is not JSON: line 1, column 1: no value starts like this"
        )
    }

    @Test func aWrongCheckDigitIsAllowed() throws {
        var text = CardProfile.builtInJSON(.visa)
        text = text.replacing("4761739001010010", with: "4761739001010011")
        _ = try CardPersonalization(CardProfile(json: [UInt8](text.utf8)))
    }

    @Test func fiveApplicationsAreTooMany() throws {
        var profile = CardProfile.builtIn(.visa)
        var application = profile.applications[0]
        profile.applications = []
        #expect(throws: ProfilesError("applications", "must be 1 to 4, not 0")) {
            try CardPersonalization(profile)
        }
        for number: UInt8 in 1...5 {
            application.aid = CardProfile.builtIn(.visa).applications[0].aid + [number]
            profile.applications.append(application)
        }
        #expect(throws: ProfilesError("applications", "must be 1 to 4, not 5")) {
            try CardPersonalization(profile)
        }
        profile.applications = [application, application]
        #expect(throws: ProfilesError("applications[1].aid", "another application has this AID")) {
            try CardPersonalization(profile)
        }
    }
}
