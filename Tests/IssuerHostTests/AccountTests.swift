import EMVData
import IssuerHost
import Testing

struct AccountTests {
    /// Pays outside of an expectation, which cannot change what it looks at.
    private func pay(
        _ account: inout Account,
        _ minorUnits: UInt64,
        _ type: TransactionType = .purchase,
        on date: String = "2026-11-30"
    ) throws -> Decision {
        try account.pay(amount(minorUnits), type: type, date: day(date))
    }

    private func account(_ change: (inout Account) -> Void = { _ in }) throws -> Account {
        var account = try Account(
            number: #require(PrimaryAccountNumber(text: "4761739001010010")),
            sequenceNumber: 0x01,
            lastDay: #require(TransactionDate(year: 2026, month: 11, day: 30)),
            availableMinorUnits: 1_000
        )
        change(&account)
        return account
    }

    private func amount(_ minorUnits: UInt64) throws -> Amount {
        try #require(Amount(minorUnits: minorUnits, currency: .eur))
    }

    private func day(_ text: String) throws -> TransactionDate {
        try #require(TransactionDate(text: text))
    }

    @Test func `what can be spent is spent to the last unit`() throws {
        var account = try account()
        var decision = try pay(&account, 1_001)
        #expect(decision.code == .insufficientFunds)
        #expect(account.availableMinorUnits == 1_000)
        decision = try pay(&account, 1_000)
        #expect(decision.isApproved)
        #expect(account.availableMinorUnits == 0)
        decision = try pay(&account, 0)
        #expect(decision.isApproved)
        decision = try pay(&account, 1, .cash)
        #expect(decision.code == .insufficientFunds)
    }

    @Test func `one payment has its own limit`() throws {
        var account = try account { $0.paymentLimitMinorUnits = 500 }
        var decision = try pay(&account, 501)
        #expect(decision.code == .exceedsAmountLimit)
        decision = try pay(&account, 500)
        #expect(decision.isApproved)
        decision = try pay(&account, 501, .refund)
        #expect(decision.isApproved)
    }

    @Test func `a card is good through its last day`() throws {
        var account = try account()
        var decision = try pay(&account, 1, on: "2026-11-30")
        #expect(decision.isApproved)
        decision = try pay(&account, 1, on: "2026-12-01")
        #expect(decision == Decision(.expiredCard, "the card was good until 2026-11-30"))
    }

    @Test(arguments: [
        (Account.Status.blocked, ResponseCode.restrictedCard),
        (.lost, .lostCard), (.stolen, .stolenCard),
    ])
    func `an account that is not active pays nothing`(
        _ status: Account.Status,
        _ code: ResponseCode
    ) throws {
        var account = try account { $0.status = status }
        for type in [TransactionType.purchase, .refund, .inquiry] {
            let decision = try pay(&account, 1, type)
            #expect(decision.code == code)
        }
        #expect(account.availableMinorUnits == 1_000)
    }

    @Test func `a refund is booked, an inquiry is not, anything else is not served`() throws {
        var account = try account()
        var decision = try pay(&account, 50, .refund)
        #expect(decision.isApproved)
        #expect(account.availableMinorUnits == 1_050)
        decision = try pay(&account, 50, .inquiry)
        #expect(decision.isApproved)
        #expect(account.availableMinorUnits == 1_050)
        decision = try pay(&account, 50, TransactionType(rawValue: 0x42))
        #expect(decision.code == .notPermitted)

        account.availableMinorUnits = .max
        decision = try pay(&account, 1, .refund)
        #expect(decision.code == .notPermitted)
        #expect(account.availableMinorUnits == .max)
    }
}
