import BERTLV
import EMVData
import Emulation
import IssuerHost
import NFCWallet
import Profiles
import TerminalKernels
import Testing
import TokenService
import Transport
import VirtualPOS

/// What the issuer sees of a payment that a phone made with the keys it was sent.
@Suite("What the issuer sees of a phone's payment")
struct IssuerViewTests {
    /// The kinds of payment keys.
    enum Keys: CaseIterable {
        case visaSingleUse, visaLimitedUse, mastercardSingleUse

        var desk: Desk {
            var desk = Desk(self == .mastercardSingleUse ? .mastercard : .visa)
            if self == .visaLimitedUse, case .visa(var visa) = desk.application.details {
                visa.cryptogramVersion = 43
                desk.application.details = .visa(visa)
            }
            return desk
        }
    }

    @Test(
        "It verifies the phone's cryptogram, with and without user authentication, and charges the account, not the token",
        arguments: Keys.allCases,
        [true, false]
    )
    func account(keys: Keys, isAuthenticated: Bool) async throws {
        var desk = keys.desk
        desk.usesDeviceCVM = isAuthenticated
        let token = desk.application.pan
        let account = try #require(PrimaryAccountNumber(text: "5555555555554444"))
        let issuers = try CardPersonalization(desk.profile).issuers
        let host = IssuerHost(
            issuers: issuers,
            accounts: [
                Account(
                    number: account,
                    sequenceNumber: 0,
                    lastDay: desk.application.expirationDate,
                    availableMinorUnits: 10_000
                )
            ]
        )
        let tokens = TokenService(ranges: issuers, host: host)
        try tokens.issue(
            Token(
                number: token,
                sequenceNumber: desk.application.panSequenceNumber,
                lastDay: desk.application.expirationDate,
                version: desk.application.cryptogram,
                account: account,
                card: DigitalCard.ID(rawValue: "card")
            )
        )
        let field = SoftwareField()
        let wallet = try desk.makeWallet(field, tokens)
        // Below the CVM limit, so that nobody has to authenticate.
        let report = try await desk.pay(1234, with: wallet, in: field, tokens)

        #expect(report.result == .approvedOnline)
        #expect(report.request.flatMap { try? PaymentRequest.accountNumber(in: $0) } == token)
        #expect(host[token] == nil)
        #expect(host[account]?.availableMinorUnits == 10_000 - 1234)
        // The answer is proved under the token's keys.
        #expect(report.response?.issuerAuthenticationData != nil)
        switch keys {
        case .visaSingleUse, .visaLimitedUse:
            #expect(report.cardQualifiers?.consumerDeviceCVMPerformed == isAuthenticated)
        case .mastercardSingleUse:
            let interaction = report.attempt?.report.dataObjects[
                .posCardholderInteractionInformation
            ].flatMap(POSCardholderInteractionInformation.init(bytes:))
            #expect(interaction?.onDeviceCVMSuccessful == isAuthenticated)
        }
        if keys == .visaLimitedUse {
            // Byte 5 of format 4 tells the issuer whether the device has verified its user.
            let issuerData = report.request?.value(.issuerApplicationData) ?? []
            #expect(issuerData.count == 32 && issuerData[4] & 0x04 == (isAuthenticated ? 4 : 0))
        }

        // The same request once more is nobody's payment.
        let request = try #require(report.request)
        #expect(tokens.authorize(request)?.responseCode == "63")
        // Nor is one whose amount somebody has changed.
        let changed = AuthorizationRequest(
            chipData: request.chipData.map { object in
                object.tag == .amountAuthorised
                    ? TLV(object.tag, [0, 0, 0, 0, 0, 1]) : object
            }
        )
        #expect(tokens.authorize(changed)?.responseCode == "82")
        #expect(host[account]?.availableMinorUnits == 10_000 - 1234)
    }
}
