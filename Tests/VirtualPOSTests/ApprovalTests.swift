import EMVData
import Emulation
import Octets
import Profiles
import TerminalKernels
import Testing
import TokenService
import Transport
import VirtualPOS

@Suite("Approvals")
struct ApprovalTests {
    @Test("Visa, above the floor limit: the issuer approves (C-3, 5.8.1)")
    func visaOnline() async throws {
        let report = try await Desk(.visa).pay(1234)
        #expect(report.result == .approvedOnline)
        #expect(report.outcome.status == .onlineRequest)
        #expect(report.messages == [.presentCard, .cardReadOK, .authorising, .approved])
        #expect(report.verificationResults?.rawValue == 0)
        #expect(report.cardQualifiers?.consumerDeviceCVMPerformed == true)
        #expect(report.outcome.cvm == .confirmationCodeVerified)
        #expect(report.response?.issuerAuthenticationData?.count == 8)
        #expect(report.events.contains(.issuerDataNotDelivered))
    }

    @Test("Visa with a limited-use key (CVN 43): the issuer derives the same key and approves")
    func visaLimitedUse() async throws {
        var desk = Desk(.visa)
        guard case .visa(var visa) = desk.application.details else { return }
        visa.cryptogramVersion = 43
        desk.application.details = .visa(visa)
        let report = try await desk.pay(1234)
        #expect(report.result == .approvedOnline)
        let issuerData = report.request?.value(.issuerApplicationData) ?? []
        #expect(issuerData.count == 32)
        #expect(issuerData.prefix(3) == [0x1F, 0x43, 0x01])
        #expect(report.response?.issuerAuthenticationData?.count == 8)
    }

    @Test("The issuer adds up what a limited-use key pays, and declines what is above its sum")
    func limitedSum() async throws {
        var desk = Desk(.visa)
        guard case .visa(var visa) = desk.application.details else { return }
        visa.cryptogramVersion = 43
        desk.application.details = .visa(visa)
        // The wallet's store in memory keeps no sums, so only the issuer does.
        func codes(
            _ payments: [UInt64],
            limit: UInt64,
            available: UInt64
        ) async throws -> [String?] {
            var policy = KeyPolicy()
            policy.amountLimitMinorUnits = limit
            let tokens = try desk.makeTokens(policy: policy, availableMinorUnits: available)
            let field = SoftwareField()
            let wallet = try desk.makeWallet(field, tokens)
            var codes: [String?] = []
            for minorUnits in payments {
                let report = try await desk.pay(minorUnits, with: wallet, in: field, tokens)
                codes.append(report.response?.responseCode)
            }
            return codes
        }
        #expect(
            try await codes([1234, 1234, 1233, 1232, 1234], limit: 3_700, available: 100_000)
                == ["00", "00", "61", "00", "61"]
        )
        // What the account behind does not pay is not taken off the sum.
        #expect(
            try await codes([1234, 2000, 2000, 1500], limit: 3_700, available: 3_000)
                == ["00", "51", "51", "00"]
        )
    }

    @Test("Visa, below the floor limit: the card approves and proves to be genuine (C-3, 5.6)")
    func visaOffline() async throws {
        let report = try await Desk(.visa).pay(500)
        #expect(report.result == .approvedOffline)
        #expect(report.outcome.status == .approved)
        #expect(report.messages == [.presentCard, .cardReadOK, .approved])
        #expect(report.attempt?.report.authentication == .successful(.fastDynamicData))
        #expect(report.verificationResults?.rawValue == 0)
        #expect(report.request == nil)
        #expect(report.receipt?.responseCode == "Y1")
    }

    @Test("Mastercard, above the floor limit: TVR says so and the issuer approves (C-2, 7.8)")
    func mastercardOnline() async throws {
        let report = try await Desk(.mastercard).pay(1234)
        #expect(report.result == .approvedOnline)
        #expect(report.outcome.status == .onlineRequest)
        #expect(report.messages == [.presentCard, .clearDisplay, .authorising, .approved])
        #expect(report.verificationResults?.floorLimitExceeded == true)
        #expect(report.attempt?.report.authentication == .successful(.combined))
        #expect(report.response?.issuerAuthenticationData?.count == 10)
    }

    @Test(
        "Mastercard, below the floor limit: the card approves with a signed cryptogram (C-2, 7.6)"
    )
    func mastercardOffline() async throws {
        let report = try await Desk(.mastercard).pay(500)
        #expect(report.result == .approvedOffline)
        #expect(report.outcome.status == .approved)
        #expect(report.messages == [.presentCard, .clearDisplay, .approved])
        #expect(report.attempt?.report.authentication == .successful(.combined))
        #expect(report.verificationResults?.floorLimitExceeded == false)
        #expect(report.receipt?.cryptogramKind == .tc)
        #expect(report.receipt?.responseCode == "Y1")
    }

    @Test(
        "Above the CVM limit the device has verified the cardholder",
        arguments: [Desk(.visa), Desk(.mastercard)]
    )
    func deviceCVM(desk: Desk) async throws {
        let report = try await desk.pay(5001)
        #expect(report.result == .approvedOnline)
        #expect(report.outcome.cvm == .confirmationCodeVerified)
        #expect(report.receipt?.cvm == .confirmationCodeVerified)
    }

    @Test(
        "Below the CVM limit nobody is asked: card and issuer approve without their user",
        arguments: [Desk(.visa), Desk(.mastercard)],
        [(500, .approvedOffline), (1234, .approvedOnline)] as [(UInt64, TapReport.Result)]
    )
    func withoutUser(desk: Desk, payment: (UInt64, TapReport.Result)) async throws {
        var desk = desk
        desk.usesDeviceCVM = false
        let report = try await desk.pay(payment.0)
        #expect(report.result == payment.1)
        #expect(report.outcome.cvm == .noCVM)
        #expect(report.cardQualifiers?.consumerDeviceCVMPerformed != true)
        #expect(report.receipt?.cvm == .noCVM)
        #expect(report.response?.isApproved ?? true)
    }

    @Test(
        "Refunds, cash and cashback go their way",
        arguments: [Desk(.visa), Desk(.mastercard)],
        [(TransactionType.refund, nil), (.cash, nil), (.cashback, 500)]
            as [(TransactionType, UInt64?)]
    )
    func types(desk: Desk, type: (TransactionType, UInt64?)) async throws {
        let report = try await desk.pay(2000, type.0, other: type.1)
        #expect(report.result == .approvedOnline)
        #expect(report.request?.value(.transactionType) == [type.0.rawValue])
        let other = type.1.flatMap { Amount(minorUnits: $0, currency: .eur) }
        #expect(report.receipt?.amountOther == other)
        if let other { #expect(report.request?.value(.amountOther) == other.numeric) }
    }

    @Test("A receipt has everything a cardholder is owed")
    func receipt() async throws {
        let report = try await Desk(.visa).pay(1234)
        let receipt = try #require(report.receipt)
        #expect(receipt.merchant == "TAPWIRE TEST SHOP")
        #expect(receipt.amount.description == "12.34 EUR")
        #expect(receipt.date.description == "2026-11-30")
        #expect(receipt.applicationLabel == "VISA CREDIT")
        #expect(receipt.applicationIdentifier.hex == "A0000000031010")
        #expect(receipt.maskedPAN == "476173******0010")
        #expect(receipt.transactionCounter == [0, 1])
        #expect(receipt.cryptogram == report.request?.value(.applicationCryptogram))
        #expect(receipt.cryptogramKind == .arqc)
        #expect(receipt.terminalVerificationResults == [0, 0, 0, 0, 0])
        #expect(receipt.responseCode == "00")
    }

    @Test("Every exchange is timed and in the report")
    func exchanges() async throws {
        let report = try await Desk(.mastercard).pay(1234)
        #expect(report.exchanges.count == 7)
        #expect(report.exchanges.allSatisfy { ($0.elapsed ?? .zero) > .zero })
        #expect(report.elapsed == report.exchanges.reduce(.zero) { $0 + ($1.elapsed ?? .zero) })
    }
}
