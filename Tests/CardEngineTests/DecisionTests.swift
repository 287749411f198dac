import CardEngine
import EMVData
import ISO7816
import Octets
import Profiles
import Testing

/// What a Visa card decides, and what it asks of the reader (EMV Book C-3, Annex A; VCPS card rules).
@Suite struct QVSDCDecisionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var qualifiers = "36004080"
        var amount = "000000001000"
        var currency = "0978"
        var country = "0276"
        var cdcvm = ConsumerDeviceCVM.none
        var isAuthenticated = false
        var acceptsOnlinePIN = true
        var acceptsSignature = true
        var limit: UInt64? = 2500
        var declineLimit: UInt64?
        var allowsOfflineAbroad = false
        var kind: CryptogramKind?
        var cardQualifiers: UInt16 = 0
        var status = "9000"

        init(_ name: String, _ change: (inout Row) -> Void) {
            testDescription = name
            change(&self)
        }
    }

    static let rows: [Row] = [
        Row("small amount") { $0.kind = .tc },
        Row("amount at the card's limit") { ($0.amount, $0.kind) = ("000000002500", .tc) },
        Row("amount over the card's limit") { ($0.amount, $0.kind) = ("000000002501", .arqc) },
        Row("no offline limit") { ($0.limit, $0.kind) = (nil, .arqc) },
        Row("reader wants an online cryptogram") { ($0.qualifiers, $0.kind) = ("36804080", .arqc) },
        Row("other currency") { ($0.currency, $0.kind) = ("0840", .arqc) },
        Row("other country") { ($0.country, $0.kind) = ("0250", .arqc) },
        Row("other country allowed") {
            ($0.country, $0.allowsOfflineAbroad, $0.kind) = ("0250", true, .tc)
        },
        Row("over the card's decline limit") {
            ($0.amount, $0.declineLimit, $0.kind) = ("000000010001", 10000, .aac)
        },
        Row("at the card's decline limit") {
            ($0.amount, $0.declineLimit, $0.kind) = ("000000010000", 10000, .arqc)
        },
        Row("offline-only reader, small amount") { ($0.qualifiers, $0.kind) = ("3E004080", .tc) },
        Row("offline-only reader, large amount") {
            ($0.qualifiers, $0.amount, $0.kind) = ("3E004080", "000000009999", .aac)
        },
        Row("offline-only reader that wants an online cryptogram") {
            ($0.qualifiers, $0.kind) = ("3E804080", .aac)
        },
        Row("CVM required: online PIN") {
            ($0.qualifiers, $0.kind, $0.cardQualifiers) = ("36404080", .arqc, 0x8000)
        },
        Row("CVM required: signature, no online PIN in the reader") {
            ($0.qualifiers, $0.kind, $0.cardQualifiers) = ("32404080", .tc, 0x4000)
        },
        Row("CVM required: signature, no online PIN on the card") {
            ($0.qualifiers, $0.acceptsOnlinePIN) = ("36404080", false)
            ($0.kind, $0.cardQualifiers) = (.tc, 0x4000)
        },
        Row("CVM required: signature in an offline-only reader") {
            ($0.qualifiers, $0.kind, $0.cardQualifiers) = ("3E404080", .tc, 0x4000)
        },
        Row("CVM required: none in common") { ($0.qualifiers, $0.kind) = ("30404080", .aac) },
        Row("CVM required: none on the card") {
            ($0.qualifiers, $0.kind) = ("36404080", .aac)
            ($0.acceptsOnlinePIN, $0.acceptsSignature) = (false, false)
        },
        Row("device: CVM required, user not authenticated") {
            ($0.cdcvm, $0.qualifiers, $0.status) = (.onRequest, "36404080", "6986")
        },
        Row("device: CVM required, user authenticated") {
            ($0.cdcvm, $0.qualifiers, $0.isAuthenticated) = (.onRequest, "36404080", true)
            ($0.kind, $0.cardQualifiers) = (.tc, 0x0080)
        },
        Row("device: CVM not required, user not authenticated") {
            ($0.cdcvm, $0.kind) = (.onRequest, .tc)
        },
        Row("device: CVM not required, user authenticated") {
            ($0.cdcvm, $0.isAuthenticated) = (.onRequest, true)
            ($0.kind, $0.cardQualifiers) = (.tc, 0x0080)
        },
        Row("device that always authenticates, user not authenticated") {
            ($0.cdcvm, $0.status) = (.always, "6986")
        },
        Row("plastic: authentication means nothing") {
            ($0.isAuthenticated, $0.kind) = (true, .tc)
        },
        Row("mag-stripe reader") { ($0.qualifiers, $0.status) = ("82004000", "6985") },
    ]

    @Test(arguments: rows)
    func decides(_ row: Row) throws {
        var card = try makeCard(.visa) { application in
            application.consumerDeviceCVM = row.cdcvm
            application.risk = CardRisk(
                offlineLimitMinorUnits: row.limit,
                declineLimitMinorUnits: row.declineLimit,
                allowsOfflineAbroad: row.allowsOfflineAbroad
            )
            guard case .visa(var visa) = application.details else { return }
            visa.acceptsOnlinePIN = row.acceptsOnlinePIN
            visa.acceptsSignature = row.acceptsSignature
            application.details = .visa(visa)
        }
        card.userAuthenticated = row.isAuthenticated
        _ = try card.exchange(Command.selectVisa)
        let command = Command.visaOptions(
            qualifiers: row.qualifiers,
            amount: row.amount,
            currency: row.currency,
            country: row.country
        )
        let (response, event) = try card.exchange(command)
        #expect(response.suffix(2).hex == row.status)
        guard let kind = row.kind else {
            #expect(card.reservedKeyCount() == 4)
            return
        }
        guard case .cryptogram(let cryptogram) = event else {
            Issue.record("no cryptogram but \(event)")
            return
        }
        #expect(cryptogram.kind == kind)
        let asked = try #require(response.position(of: [0x9F, 0x6C, 0x02]))
        #expect(response[(asked + 3)...(asked + 4)].hex == row.cardQualifiers.hex)
        // A TC is signed; nothing else is, for this reader.
        #expect((response.position(of: [0x9F, 0x4B, 0x81, 0x80]) != nil) == (kind == .tc))
    }

    @Test func tellsWhatWasPaid() throws {
        var card = try makeCard(.visa)
        _ = try card.exchange(Command.selectVisa)
        #expect(
            try card.exchange(Command.visaOptions()).event
                == .cryptogram(
                    CryptogramEvent(
                        application: 0,
                        kind: .arqc,
                        transactionCounter: 1,
                        needsUserAuthentication: false,
                        amountMinorUnits: 9999,
                        currency: 978,
                        date: 261130,
                        transactionType: 0
                    )
                )
        )
    }

    @Test func withoutASignatureTheLastRecordIsEmpty() throws {
        var card = try makeCard(.visa)
        _ = try card.exchange(Command.selectVisa)
        _ = try card.exchange(Command.visaOptions(amount: "000000001000"))
        let signed = try card.exchange("00B2021C00").response
        _ = try card.exchange(Command.selectVisa)
        _ = try card.exchange(Command.visaOptions())
        let unsigned = try card.exchange("00B2021C00").response
        #expect(signed.count == unsigned.count)
        #expect(signed.position(of: [0x9F, 0x69, 0x07, 0x01]) != nil)
        #expect(unsigned.position(of: [0x9F, 0x69, 0x07, 0x00, 0x00]) != nil)
    }
}

/// What a Mastercard card decides in GENERATE AC (EMV Book 3, 6.5.5; EMV Book C-2, on-device CVM).
@Suite struct MChipDecisionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var requested = "50"
        var amount = "000000001000"
        var currency = "0978"
        var country = "0276"
        var terminalType = "22"
        var cvmResults = "1F0002"
        var cdcvm = ConsumerDeviceCVM.onRequest
        var isAuthenticated = false
        var declineLimit: UInt64?
        var kind = CryptogramKind.tc
        var interaction = "000000"
        var results: String?

        init(_ name: String, _ change: (inout Row) -> Void) {
            testDescription = name
            change(&self)
        }
    }

    static let rows: [Row] = [
        Row("TC asked for and given") { $0.results = "904000220000" },
        Row("TC asked for over the limit") {
            ($0.amount, $0.kind, $0.results) = ("000000002501", .arqc, "A04000222000")
        },
        Row("TC asked for in another currency") { ($0.currency, $0.kind) = ("0840", .arqc) },
        Row("TC asked for abroad") {
            ($0.country, $0.kind, $0.results) = ("0250", .arqc, "A04000242000")
        },
        Row("TC asked for over the limit by an offline-only terminal") {
            ($0.amount, $0.terminalType, $0.kind) = ("000000002501", "26", .aac)
        },
        Row("TC asked for over the decline limit") {
            ($0.amount, $0.declineLimit, $0.kind) = ("000000009001", 9000, .aac)
            $0.results = "800000223000"
        },
        Row("ARQC asked for") { ($0.requested, $0.kind) = ("90", .arqc) },
        Row("ARQC asked for over the decline limit") {
            ($0.requested, $0.amount, $0.declineLimit, $0.kind) = ("90", "000000009001", 9000, .aac)
        },
        Row("AAC asked for") { ($0.requested, $0.kind) = ("10", .aac) },
        Row("on-device CVM required and missing") {
            ($0.cvmResults, $0.kind, $0.interaction) = ("010002", .aac, "000100")
        },
        Row("on-device CVM required and done") {
            ($0.cvmResults, $0.isAuthenticated, $0.interaction) = ("010002", true, "001000")
            $0.results = "954000020000"
        },
        Row("on-device CVM done unasked") {
            ($0.isAuthenticated, $0.interaction) = (true, "001000")
        },
        Row("wallet that always authenticates") {
            ($0.cdcvm, $0.kind, $0.interaction) = (.always, .aac, "000100")
        },
    ]

    @Test(arguments: rows)
    func decides(_ row: Row) throws {
        var card = try makeCard(.mastercard) { application in
            application.consumerDeviceCVM = row.cdcvm
            application.risk.declineLimitMinorUnits = row.declineLimit
        }
        card.userAuthenticated = row.isAuthenticated
        _ = try card.exchange(Command.selectMastercard)
        _ = try card.exchange(Command.processingOptions)
        let (response, event) = try card.exchange(
            Command.generate(
                row.requested,
                amount: row.amount,
                currency: row.currency,
                country: row.country,
                terminalType: row.terminalType,
                cvmResults: row.cvmResults
            )
        )
        guard case .cryptogram(let cryptogram) = event else {
            Issue.record("no cryptogram but \(event)")
            return
        }
        #expect(cryptogram.kind == row.kind)
        #expect(cryptogram.needsUserAuthentication == (row.interaction == "000100"))
        let interaction = try #require(response.position(of: [0xDF, 0x4B, 0x03]))
        #expect(response[(interaction + 3)...(interaction + 5)].hex == row.interaction)
        let issuerData = try #require(response.position(of: [0x9F, 0x10, 0x12, 0x01, 0x14]))
        if let results = row.results {
            #expect(response[(issuerData + 5)...(issuerData + 10)].hex == results)
        }
        // Everything but an AAC is signed, since every request here asks for it.
        #expect((response.position(of: [0x9F, 0x4B, 0x81, 0x80]) != nil) == (row.kind != .aac))
        #expect((response.position(of: [0x9F, 0x26, 0x08]) != nil) == (row.kind == .aac))
    }

    @Test func plasticTellsNothingAboutDevices() throws {
        var card = try makeCard(.mastercard) { application in
            application.consumerDeviceCVM = .none
            application.interchangeProfile.supportsOnDeviceCardholderVerification = false
        }
        _ = try card.exchange(Command.selectMastercard)
        _ = try card.exchange(Command.processingOptions)
        let response = try card.exchange(Command.generate(cvmResults: "010002")).response
        #expect(response.suffix(2) == [0x90, 0x00])
        #expect(response.position(of: [0xDF, 0x4B]) == nil)
    }

    @Test func withoutAKeyNothingIsSigned() throws {
        var card = try makeCard(.mastercard) { application in
            application.interchangeProfile.supportsCDA = false
            application.risk.offlineLimitMinorUnits = nil
        }
        _ = try card.exchange(Command.selectMastercard)
        #expect(
            try card.exchange(Command.processingOptions).response.hex == "770A82023AC0940410010100"
                + "9000"
        )
        let response = try card.exchange(Command.generate()).response
        #expect(response.position(of: [0x9F, 0x4B]) == nil)
        #expect(response.position(of: [0x9F, 0x26, 0x08]) != nil)
        #expect(card.randomByteCount == 64)
    }
}

extension [UInt8] {
    /// Where some bytes first occur.
    fileprivate func position(of other: [UInt8]) -> Int? {
        guard count >= other.count else { return nil }
        return (0...(count - other.count)).first {
            self[$0..<($0 + other.count)].elementsEqual(other)
        }
    }
}
