import EMVData
import Octets
import TerminalKernels
import Testing

/// The encodings of EMV Book C-2, A.1.
@Suite("Encodings of an outcome")
struct EncodingTests {
    @Test("Outcome Parameter Set: nothing set is F0F0… with the status (A.1.108)")
    func parameterSet() throws {
        #expect(Outcome(.approved).parameterSet.hex == "10F0F0F000F0FF00")
        var outcome = Outcome(.onlineRequest)
        outcome.start = .d
        outcome.onlineResponseData = .any
        outcome.cvm = .confirmationCodeVerified
        outcome.uiRequestOnOutcome = UserInterfaceRequest(.authorising, .processing)
        outcome.uiRequestOnRestart = UserInterfaceRequest(.processing, .processing)
        outcome.dataRecord = []
        outcome.discretionaryData = []
        outcome.isReceiptNeeded = true
        outcome.alternateInterface = .magneticStripe
        outcome.fieldOffHoldTime = 13
        outcome.removalTimeout = 50
        #expect(outcome.parameterSet.hex == "30302030F8200D32")
    }

    @Test("User Interface Request Data, 22 bytes (A.1.195)")
    func userInterfaceRequest() throws {
        let plain = UserInterfaceRequest(.presentCard, .readyToRead)
        #expect(plain.bytes().hex == "1502000000000000000000000000000000000000" + "0000")
        let amount = try #require(Amount(minorUnits: 1234, currency: .eur))
        var request = UserInterfaceRequest(
            .approved,
            .notReady,
            holdTime: 13,
            languagePreference: [UInt8]("enfr".utf8),
            value: .amount(amount)
        )
        #expect(request.bytes().hex == "0300000013656E667200000000100000000012340978")
        #expect(request.bytes().count == 22)
        #expect(
            request.bytes(valueQualifier: .number).hex
                == "0300000013656E667200000000010000000012340978"
        )
        request.value = .balance(amount)
        #expect(request.bytes()[13] == 0x20)
        #expect(request.bytes(valueQualifier: .number)[13] == 0x02)
        request.languagePreference = [UInt8]("enfrdeesit".utf8)
        request.holdTime = 1_000_000
        #expect(request.bytes().hex == "0300999999656E66726465657320000000001234" + "0978")
    }

    @Test("Error Indication, 6 bytes (A.1.64)")
    func errorIndication() {
        #expect(ErrorIndication().bytes.hex == "0000000000FF")
        let error = ErrorIndication(
            l1: .protocolViolation,
            l2: .statusBytes,
            l3: .amountNotPresent,
            statusWord: 0x6A82,
            message: .tryAnotherCard
        )
        #expect(error.bytes.hex == "0303036A821C")
    }
}
