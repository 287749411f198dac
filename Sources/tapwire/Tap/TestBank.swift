import EMVData
import IssuerHost
import NFCWallet
import Profiles
import TokenService

/// The issuer of test cards: an account behind each, and the token that stands for it on the card.
final class TestBank: AuthorizationHost {
    /// Makes the payment keys of the cards.
    let tokens: TokenService

    /// Opens an account for each card; a second card of the same number shares the first one's.
    /// - Parameters:
    ///   - cards: The cards.
    ///   - availableMinorUnits: How much each account has, in the smallest unit of any currency.
    /// - Throws: `TokenServiceError` for a card that cannot be a token.
    init(_ cards: [CardPersonalization], availableMinorUnits: UInt64) throws {
        let applications = cards.map { $0.profile.applications[0] }
        let host = IssuerHost(
            issuers: cards.flatMap(\.issuers),
            accounts: applications.map { application in
                Account(
                    number: application.pan.accountBehind,
                    sequenceNumber: 0,
                    lastDay: application.expirationDate,
                    availableMinorUnits: availableMinorUnits
                )
            }
        )
        tokens = TokenService(ranges: cards.flatMap(\.issuers), host: host)
        for application in applications where tokens.token(application.pan) == nil {
            try tokens.issue(
                Token(
                    number: application.pan,
                    sequenceNumber: application.panSequenceNumber,
                    lastDay: application.expirationDate,
                    version: application.cryptogram,
                    account: application.pan.accountBehind,
                    card: application.digitalCardID
                )
            )
        }
    }

    /// Answers for the cards it knows; nil for all others, even of its own number range.
    func authorize(_ request: AuthorizationRequest) -> AuthorizationResponse? {
        guard let number = try? PaymentRequest.accountNumber(in: request),
            tokens.token(number) != nil
        else { return nil }
        return tokens.authorize(request)
    }
}

extension ApplicationProfile {
    /// What the wallet calls the card.
    var digitalCardID: DigitalCard.ID { DigitalCard.ID(rawValue: pan.text) }
}

extension PrimaryAccountNumber {
    /// The account this number stands for: the next one of the same issuer.
    fileprivate var accountBehind: PrimaryAccountNumber {
        var digits = self.digits
        for index in digits.indices.dropLast().reversed() where index >= 8 {
            digits[index] = (digits[index] + 1) % 10
            if digits[index] != 0 { break }
        }
        for check in 0...9 as ClosedRange<UInt8> {
            digits[digits.count - 1] = check
            if let number = PrimaryAccountNumber(digits: digits), number.hasValidCheckDigit {
                return number
            }
        }
        return self
    }
}
