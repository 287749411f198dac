import CardEngine
import EMVCrypto
import EMVData
import ISO7816
import Octets
import Profiles
import Synchronization
import Testing

/// Payment keys and random bytes: each once, and no payment without them.
@Suite struct KeyTests {
    @Test(arguments: Scheme.allCases)
    func noPaymentWithoutKeys(_ scheme: Scheme) throws {
        var card = try makeCard(scheme, keyCount: 0)
        let options = scheme == .visa ? Command.visaOptions() : Command.processingOptions
        _ = try card.exchange(
            scheme == .visa ? Command.selectVisa : Command.selectMastercard
        )
        let (response, event) = try card.exchange(options)
        #expect(response.hex == "6985")
        #expect(event == .paymentRefused(.conditionsNotSatisfied))
    }

    @Test(arguments: [(0x0000, 4), (0xFFFC, 3), (0xFFFE, 1), (0xFFFF, 0)] as [(UInt16, Int)])
    func theCounterEndsAtFFFF(_ lastCounter: UInt16, payments: Int) throws {
        var card = try makeCard(.visa, after: lastCounter)
        for payment in 0..<6 {
            _ = try card.exchange(Command.selectVisa)
            let status = try card.status(Command.visaOptions())
            #expect(status == (payment < payments ? "9000" : "6985"))
        }
        #expect(card.lastCounter() == lastCounter + UInt16(payments))
    }

    @Test func unusedKeysCanBeReservedAgain() throws {
        var card = try makeCard(.visa, after: 9, keyCount: 3)
        _ = try card.exchange(Command.selectVisa)
        _ = try card.exchange(Command.visaOptions())
        var counters: [UInt16] = []
        card.returnUnusedKeys { key in counters.append(key.transactionCounter) }
        #expect(counters == [11, 12])
        #expect(card.reservedKeyCount() == 0)
        let key = DoubleLengthKey(left: 1, right: 2)
        card.reserve(PaymentKey(transactionCounter: 11, cryptogramKey: key))
        #expect(card.reservedKeyCount() == 1)
    }

    @Test func aSignatureWithoutRandomBytesIsRefused() throws {
        var visa = try makeCard(.visa, random: [1, 2, 3])
        _ = try visa.exchange(Command.selectVisa)
        #expect(try visa.status(Command.visaOptions(amount: "000000001000")) == "6985")
        #expect(visa.reservedKeyCount() == 4)
        visa.addRandomBytes([4].span)
        #expect(try visa.status(Command.visaOptions(amount: "000000001000")) == "9000")
        #expect(visa.randomByteCount == 0)
        _ = try visa.exchange(Command.selectVisa)
        #expect(try visa.status(Command.visaOptions(amount: "000000009999")) == "9000")

        var mastercard = try makeCard(.mastercard, random: [UInt8](repeating: 1, count: 7))
        _ = try mastercard.exchange(Command.selectMastercard)
        #expect(try mastercard.status(Command.processingOptions) == "6985")
        #expect(mastercard.reservedKeyCount() == 4)
        mastercard.addRandomBytes([2].span)
        #expect(try mastercard.status(Command.processingOptions) == "9000")
        #expect(try mastercard.status(Command.generate()) == "9000")
        #expect(mastercard.randomByteCount == 0)
    }

    @Test func theRandomPoolTakesNoMoreThanItHolds() throws {
        var card = try makeCard(.visa, random: [UInt8](repeating: 7, count: 300))
        #expect(card.randomByteCount == Card.maximumRandomBytes)
        card.addRandomBytes([1].span)
        #expect(card.randomByteCount == Card.maximumRandomBytes)
    }

    @Test func applicationsHaveTheirOwnCounters() throws {
        var profile = CardProfile.builtIn(.visa)
        profile.applications += CardProfile.builtIn(.mastercard).applications
        var card = try makeCard(profile)
        _ = try card.exchange(Command.selectVisa)
        _ = try card.exchange(Command.visaOptions())
        #expect(card.lastCounter(forApplication: 0) == 1)
        #expect(card.lastCounter(forApplication: 1) == 0)
        _ = try card.exchange(Command.selectMastercard)
        #expect(try card.exchange(Command.readCounter).response.hex == "9F360200009000")
    }

    @Test func reservingACounterTwiceTraps() async {
        await #expect(processExitsWith: .failure) {
            var card = try makeCard(.visa, after: 7)
            let key = DoubleLengthKey(left: 0, right: 0)
            card.reserve(PaymentKey(transactionCounter: 8, cryptogramKey: key))
        }
    }

    @Test func reservingMoreKeysThanFitTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = try makeCard(.visa, keyCount: Card.maximumReservedKeys + 1)
        }
    }

    @Test func worksBehindAMutex() throws {
        let shared = Mutex(try makeCard(.visa))
        let command = try bytes(Command.selectVisa)
        let response = [UInt8](capacity: Card.maximumResponseCount) { output in
            _ = shared.withLock { $0.respond(to: command.span, into: &output) }
        }
        #expect(response.suffix(2) == [0x90, 0x00])
    }
}
