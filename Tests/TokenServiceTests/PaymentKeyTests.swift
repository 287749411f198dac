import CardEngine
import EMVCrypto
import EMVData
import NFCWallet
import Octets
import TestSupport
import Testing
import TokenService

private struct ExpectedKeys: Decodable, Sendable { var keys: [HexBytes] }

private typealias KeyCase = VectorCase<CardInput, ExpectedKeys>

private func keyCases() throws -> [KeyCase] {
    try VectorFile<NoParameters, CardInput, ExpectedKeys>.load("payment-keys").groups
        .flatMap(\.cases)
}

struct PaymentKeyTests {
    private func version(_ name: String?) throws -> ApplicationCryptogram {
        try #require(ApplicationCryptogram.allCases.first { "\($0)" == name })
    }

    /// A service with the token of the named case.
    private func service(_ id: String = "mchip-cvn14") throws -> TokenService {
        let input = try #require(keyCases().first { $0.id == id }).input
        let service = try TokenService(ranges: [input.range()], host: input.host())
        try service.issue(input.token(version: version(input.version)))
        return service
    }

    private func counters(
        of service: TokenService,
        after counter: UInt16,
        count: Int
    ) throws -> [UInt16] {
        var counters: [UInt16] = []
        try service.replenish(CardInput.card, after: counter, count: count) { key in
            counters.append(key.key.transactionCounter)
        }
        return counters
    }

    @Test(arguments: try keyCases())
    private func `each counter gets the key its card would derive`(_ vector: KeyCase) throws {
        let counters = try #require(vector.input.counters)
        for (counter, key) in zip(counters, vector.expected.keys) {
            let service = try service(vector.id)
            let counter = UInt16(counter.bytes[0]) << 8 | UInt16(counter.bytes[1])
            let key = DoubleLengthKey(
                left: UInt64(bigEndian: key.bytes.span, at: 0),
                right: UInt64(bigEndian: key.bytes.span, at: 8)
            )
            var isEqual: [Bool] = []
            try service.replenish(CardInput.card, after: counter - 1, count: 1) {
                isEqual.append(
                    $0.key.transactionCounter == counter
                        && $0.key.cryptogramKey.isEqual(to: key)
                )
            }
            #expect(isEqual == [true], "\(counter)")
        }
    }

    @Test func `keys come with rising counters, and none comes twice`() throws {
        let service = try service()
        #expect(try counters(of: service, after: 0, count: 3) == [1, 2, 3])
        #expect(try counters(of: service, after: 0, count: 0) == [])
        #expect(try counters(of: service, after: 0, count: 2) == [4, 5])
        #expect(try counters(of: service, after: 9, count: 2) == [10, 11])
    }

    @Test func `after the last counter there are no keys`() throws {
        let service = try service()
        #expect(try counters(of: service, after: 0xFFFD, count: 9) == [0xFFFE, 0xFFFF])
        #expect(try counters(of: service, after: 0xFFFF, count: 9) == [])
        #expect(try counters(of: service, after: 0, count: 9) == [])
    }

    @Test func `only an active token gets keys`() throws {
        let service = try service()
        let unknown = DigitalCard.ID(rawValue: "unknown")
        #expect(throws: CredentialError.unknownCard) {
            try service.replenish(unknown, after: 0, count: 1) { _ in }
        }
        try service.setStatus(.suspended, of: CardInput.card)
        #expect(throws: CredentialError.cardNotActive) {
            try counters(of: service, after: 0, count: 1)
        }
        try service.setStatus(.active, of: CardInput.card)
        #expect(try counters(of: service, after: 0, count: 1) == [1])
        try service.setStatus(.deleted, of: CardInput.card)
        #expect(throws: CredentialError.cardNotActive) {
            try counters(of: service, after: 0, count: 1)
        }
    }
}

struct TokenTests {
    private func input() throws -> CardInput { try #require(keyCases().first).input }

    @Test func `a token is issued once, and for a card that has none`() throws {
        let input = try input()
        let service = try TokenService(ranges: [input.range()], host: input.host())
        try service.issue(input.token())
        #expect(try service.token(of: CardInput.card)?.number == input.number())
        #expect(try service.token(input.number())?.card == CardInput.card)
        #expect(throws: TokenServiceError.alreadyIssued) {
            try service.issue(input.token(card: DigitalCard.ID(rawValue: "other")))
        }
        var other = input
        other.pan = "4761739001010028"
        #expect(throws: TokenServiceError.alreadyIssued) { try service.issue(other.token()) }
        other.pan = "4999999999999996"
        #expect(throws: TokenServiceError.unknownRange) {
            try service.issue(other.token(card: DigitalCard.ID(rawValue: "other")))
        }
    }

    @Test(arguments: [ApplicationCryptogram.mchipCVN10, .mchipCVN11])
    func `no token for cards whose keys hang on the terminal`(
        _ version: ApplicationCryptogram
    ) throws {
        let input = try input()
        let service = try TokenService(ranges: [input.range()], host: input.host())
        #expect(throws: TokenServiceError.keysNotForeseeable) {
            try service.issue(input.token(version: version))
        }
    }

    @Test func `a deleted token stays deleted`() throws {
        let input = try input()
        let service = try TokenService(ranges: [input.range()], host: input.host())
        #expect(throws: TokenServiceError.unknownToken) {
            try service.setStatus(.suspended, of: CardInput.card)
        }
        try service.issue(input.token())
        try service.setStatus(.deleted, of: CardInput.card)
        #expect(throws: TokenServiceError.unknownToken) {
            try service.setStatus(.active, of: CardInput.card)
        }
        #expect(service.token(of: CardInput.card)?.status == .deleted)
    }
}
