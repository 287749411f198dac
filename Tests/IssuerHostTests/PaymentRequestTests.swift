import BERTLV
import EMVData
import IssuerHost
import Octets
import TestSupport
import Testing

struct PaymentRequestTests {
    @Test func `a request is read as sent`() throws {
        let request = try PaymentRequest(requestCase("host-sale-emv-visa").input.request())
        #expect(request.accountNumber.text == "4761739001010010")
        #expect(request.sequenceNumber == 0x01)
        #expect(request.amount.description == "100.00 USD")
        #expect(request.date.description == "2017-01-05")
        #expect(request.type == .purchase)
        #expect(request.counter == 0xE0)
    }

    @Test(arguments: [
        DataTag.amountAuthorised, .transactionCurrencyCode, .transactionDate, .transactionType,
        .applicationTransactionCounter, .applicationCryptogram, .issuerApplicationData,
        .unpredictableNumber, .terminalVerificationResults, .applicationInterchangeProfile,
        .amountOther, .terminalCountryCode, .applicationPAN,
    ])
    func `a request that lacks an object, or has too little or too much of it, is a format error`(
        _ tag: DataTag
    ) throws {
        let input = try requestCase("visa-cvn10").input
        let value = try #require(input.request().value(tag))
        // 9F10 and 5A vary in length: what they may not be is tested where they are read.
        let isFixed = tag != .issuerApplicationData && tag != .applicationPAN
        let wrong: [[UInt8]?] =
            isFixed ? [nil, [], Array(value.dropLast()), value + [0x00]] : [nil]
        for value in wrong {
            let books = try input.books()
            let response = books.authorize(try input.request(replacing: tag, with: value))
            #expect(response?.responseCode == "30", "\(value?.hex ?? "missing")")
            #expect(response?.reason.contains("\(tag)") == true)
        }
    }

    @Test(arguments: [
        (DataTag.amountAuthorised, "00000000000A"), (.transactionDate, "261301"),
        (.transactionCurrencyCode, "097A"), (.panSequenceNumber, "0A"),
        (.panSequenceNumber, "0001"), (.panSequenceNumber, ""),
        (.applicationPAN, "47617390010100A0"), (.applicationPAN, "47"),
        (.track2EquivalentData, "1234567890123456"),
    ])
    func `a value that is none is a format error`(_ tag: DataTag, _ value: String) throws {
        let input = try requestCase("visa-cvn10").input
        let request = try input.request(replacing: tag, with: [UInt8](hex: value))
        #expect(throws: PaymentRequestError.malformed(tag)) { try PaymentRequest(request) }
    }

    @Test func `track 2 stands in for the account number and may not contradict it`() throws {
        let input = try requestCase("visa-cvn10").input
        let track2 = try [UInt8](hex: "1234567890123456D30122011234567F")
        var objects = try input.request().chipData
        objects.append(TLV(.track2EquivalentData, track2))
        #expect(
            try PaymentRequest(AuthorizationRequest(chipData: objects)).accountNumber.text
                == "1234567890123456"
        )
        objects.removeAll { $0.tag == .applicationPAN }
        #expect(
            try PaymentRequest(AuthorizationRequest(chipData: objects)).accountNumber.text
                == "1234567890123456"
        )
        objects.append(TLV(.applicationPAN, [0x47, 0x61, 0x73, 0x90, 0x01, 0x01, 0x00, 0x10]))
        #expect(throws: PaymentRequestError.contradictoryAccountNumbers) {
            try PaymentRequest(AuthorizationRequest(chipData: objects))
        }
    }

    @Test func `without a sequence number it is zero`() throws {
        let input = try requestCase("visa-cvn10").input
        let request = try PaymentRequest(input.request(replacing: .panSequenceNumber, with: nil))
        #expect(request.sequenceNumber == 0)
    }
}
