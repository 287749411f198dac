import BERTLV
import EMVData
import Octets
import Profiles
import TerminalKernels
import Testing
import TokenService
import Transport
import VirtualPOS

@Suite("Refusals by the issuer")
struct IssuerRefusalTests {
    @Test("Visa: a wrong cryptogram is declined")
    func visaCryptogram() async throws {
        var desk = Desk(.visa)
        desk.tamper = damage(.applicationCryptogram)
        let report = try await desk.pay(1234)
        #expect(report.outcome.status == .onlineRequest)
        #expect(report.result == .declinedOnline)
        #expect(report.response?.responseCode == "82")
        #expect(report.messages.last == .notAuthorised)
        #expect(report.receipt?.responseCode == "82")
    }

    @Test("Mastercard: a wrong cryptogram is declined where the reader has no CDA to find it out")
    func mastercardCryptogram() async throws {
        var desk = Desk(.mastercard)
        desk.makePlastic()
        desk.set(.securityCapability, [0x00])
        desk.tamper = damage(.applicationCryptogram)
        let report = try await desk.pay(1234)
        #expect(report.verificationResults?.offlineDataAuthenticationNotPerformed == true)
        #expect(report.outcome.status == .onlineRequest)
        #expect(report.result == .declinedOnline)
        #expect(report.response?.responseCode == "82")
        #expect(report.messages.last == .notAuthorised)
    }

    @Test(
        "A recorded card, played once more, repeats its counter and is declined",
        arguments: [Desk(.visa), Desk(.mastercard)]
    )
    func replay(desk: Desk) async throws {
        let tokens = try desk.makeTokens()
        let first = try await desk.pay(1234, tokens: tokens)
        #expect(first.result == .approvedOnline)
        let number = try #require(first.request?.value(.unpredictableNumber))
            .reduce(0) { $0 << 8 | UInt32($1) }

        var card = ScriptedCard(first.exchanges)
        let second = try desk.tap(
            first.transaction,
            &card,
            tokens,
            unpredictableNumbers: [number]
        )
        #expect(card.isFinished)
        #expect(second.request == first.request)
        #expect(second.result == .declinedOnline)
        #expect(second.response?.responseCode == "63")
        #expect(second.messages.last == .notAuthorised)
    }

    @Test("A payment above what the account has is declined")
    func funds() async throws {
        let report = try await Desk(.visa).pay(200_000)
        #expect(report.result == .declinedOnline)
        #expect(report.response?.responseCode == "51")
    }

    @Test("Without anybody to ask, nothing is approved and nothing declined")
    func nobody() async throws {
        let desk = Desk(.visa)
        let first = try await desk.pay(1234)
        var card = ScriptedCard(first.exchanges)
        let number = try #require(first.request?.value(.unpredictableNumber))
            .reduce(0) { $0 << 8 | UInt32($1) }
        let report = try desk.tap(first.transaction, &card, nil, unpredictableNumbers: [number])
        #expect(report.result == .unanswered)
        #expect(report.request != nil)
        #expect(report.response == nil)
        #expect(report.receipt?.responseCode == nil)
        #expect(report.messages.last == .authorising)
    }
}

@Suite("Refusals offline")
struct OfflineRefusalTests {
    @Test("Visa: an expired card that approves offline is declined (C-3, 5.5.1.1)")
    func visaExpired() async throws {
        var desk = Desk(.visa)
        desk.application.expirationDate = try #require(
            TransactionDate(year: 2026, month: 6, day: 30)
        )
        let report = try await desk.pay(500)
        #expect(report.cardQualifiers?.goesOnlineIfExpired == false)
        #expect(report.outcome.status == .declined)
        #expect(report.result == .declinedOffline)
        #expect(report.messages.last == .notAuthorised)
        #expect(report.receipt?.responseCode == "Z1")
    }

    @Test("Visa: the same card goes online where its CTQ says so (C-3, 5.5.1.1)")
    func visaExpiredOnline() async throws {
        var desk = Desk(.visa)
        desk.application.expirationDate = try #require(
            TransactionDate(year: 2026, month: 6, day: 30)
        )
        desk.changeQualifiers { $0.goesOnlineIfExpired = true }
        let report = try await desk.pay(500)
        #expect(report.cardQualifiers?.goesOnlineIfExpired == true)
        #expect(report.outcome.status == .onlineRequest)
        #expect(report.response?.responseCode == "54")
        #expect(report.result == .declinedOnline)
    }

    @Test(
        "Mastercard: an expired card sets TVR B2b7 and goes online by the action codes (C-2, 7.7)"
    )
    func mastercardExpired() async throws {
        var desk = Desk(.mastercard)
        desk.application.expirationDate = try #require(
            TransactionDate(year: 2026, month: 6, day: 30)
        )
        let report = try await desk.pay(500)
        #expect(report.verificationResults?.expiredApplication == true)
        #expect(report.outcome.status == .onlineRequest)
        #expect(report.result == .declinedOnline)
        #expect(report.response?.responseCode == "54")
        #expect(report.messages == [.presentCard, .clearDisplay, .authorising, .notAuthorised])
    }

    @Test("Mastercard: an expired card is declined where the action codes deny it (C-2, 7.8)")
    func mastercardExpiredDenied() async throws {
        var desk = Desk(.mastercard)
        desk.application.expirationDate = try #require(
            TransactionDate(year: 2026, month: 6, day: 30)
        )
        desk.configure { $0.actionCodes?.denial = [0, 0x40, 0, 0, 0] }
        let report = try await desk.pay(500)
        #expect(report.verificationResults?.expiredApplication == true)
        #expect(report.outcome.status == .declined)
        #expect(report.messages.last == .notAuthorised)
    }

    @Test("Visa: a CVM is required and card and reader share none (C-3, 5.7.1)")
    func visaCVM() async throws {
        var desk = Desk(.visa)
        desk.application.consumerDeviceCVM = .none
        desk.usesDeviceCVM = false
        desk.configure {
            $0.transactionQualifiers = $0.transactionQualifiers.map { [0x28] + $0.dropFirst() }
        }
        let report = try await desk.pay(5000)
        #expect(report.attempt?.report.dataObjects[.terminalTransactionQualifiers]?[1] == 0xC0)
        #expect(report.outcome.status == .declined)
        #expect(report.result == .declinedOffline)
        #expect(report.messages.last == .notAuthorised)
    }

    @Test("Mastercard: a CVM list whose only method the reader lacks sets TVR B3b8 (C-2, 7.5)")
    func mastercardCVM() async throws {
        var desk = Desk(.mastercard)
        desk.makePlastic()
        desk.change { details in
            details.cvmList = CVMList(
                amountX: 0,
                amountY: 0,
                rules: [CVMList.Rule(.onlinePIN, .always)]
            )
        }
        desk.set(.cvmCapabilityCVMRequired, [0x08])
        desk.configure { $0.actionCodes?.denial = [0, 0, 0x80, 0, 0] }
        let report = try await desk.pay(5001)
        #expect(report.verificationResults?.cardholderVerificationFailed == true)
        #expect(report.cryptogramKind == .aac)
        #expect(report.outcome.status == .tryAnotherInterface)
        #expect(report.messages.last == .insertCard)
    }

    @Test("Visa: without the authority's key an offline approval is declined (C-3, 5.6.2)")
    func visaCAKey() async throws {
        var desk = Desk(.visa)
        desk.configuration.caKeys = []
        let report = try await desk.pay(500)
        guard case .failed(.fastDynamicData, .unknownCAKey) = report.attempt?.report.authentication
        else {
            Issue.record("\(String(describing: report.attempt?.report.authentication))")
            return
        }
        #expect(report.outcome.status == .declined)
        #expect(report.outcome.error.l2 == .camFailed)
        #expect(report.messages.last == .notAuthorised)
    }

    @Test("Visa: the same goes online where the card's CTQ says so (C-3, 5.6.3)")
    func visaCAKeyOnline() async throws {
        var desk = Desk(.visa)
        desk.configuration.caKeys = []
        desk.changeQualifiers { $0.goesOnlineIfODAFails = true }
        let report = try await desk.pay(500)
        #expect(report.outcome.status == .onlineRequest)
    }

    @Test(
        "Mastercard: without the authority's key TVR says CDA failed, and a plastic card goes online (C-2, S456.25)"
    )
    func mastercardCAKey() async throws {
        var desk = Desk(.mastercard)
        desk.makePlastic()
        desk.configuration.caKeys = []
        let report = try await desk.pay(500)
        #expect(report.verificationResults?.cdaFailed == true)
        #expect(report.outcome.status == .onlineRequest)
        #expect(report.result == .approvedOnline)
    }

    @Test(
        "Mastercard: a phone whose word about its user cannot be signed is asked to decline (C-2, GAC.22)"
    )
    func mastercardPhoneCAKey() async throws {
        var desk = Desk(.mastercard)
        desk.configuration.caKeys = []
        let report = try await desk.pay(500)
        #expect(report.verificationResults?.cdaFailed == true)
        #expect(report.cryptogramKind == .aac)
        #expect(report.outcome.status == .declined)
        #expect(report.messages.last == .notAuthorised)
    }

    @Test("Visa: a tampered signature is declined (C-3, 5.6.3)")
    func visaSignature() async throws {
        var desk = Desk(.visa)
        desk.tamper = damage(.signedDynamicApplicationData)
        let report = try await desk.pay(500)
        guard case .failed(.fastDynamicData, .signature) = report.attempt?.report.authentication
        else {
            Issue.record("\(String(describing: report.attempt?.report.authentication))")
            return
        }
        #expect(report.outcome.status == .declined)
        #expect(report.messages.last == .notAuthorised)
    }

    @Test(
        "Mastercard: a tampered signature is declined, offline and online (C-2, S910.7)",
        arguments: [500, 1234] as [UInt64]
    )
    func mastercardSignature(minorUnits: UInt64) async throws {
        var desk = Desk(.mastercard)
        desk.tamper = damage(.signedDynamicApplicationData)
        let report = try await desk.pay(minorUnits)
        #expect(report.verificationResults?.cdaFailed == true)
        #expect(report.outcome.status == .declined)
        #expect(report.outcome.error.l2 == .camFailed)
        #expect(report.messages.last == .notAuthorised)
    }

    @Test("Visa: a card that declines (AAC) is declined (C-3, 5.4.3)")
    func visaAAC() async throws {
        var desk = Desk(.visa)
        desk.application.risk.declineLimitMinorUnits = 100
        let report = try await desk.pay(500)
        #expect(report.outcome.status == .declined)
        #expect(report.cryptogramKind == .aac)
        #expect(report.messages.last == .notAuthorised)
    }

    @Test("Mastercard: a phone that declines (AAC) is declined (C-2, S910.79)")
    func mastercardAAC() async throws {
        var desk = Desk(.mastercard)
        desk.application.risk.declineLimitMinorUnits = 100
        let report = try await desk.pay(500)
        #expect(report.outcome.status == .declined)
        #expect(report.cryptogramKind == .aac)
        #expect(report.messages.last == .notAuthorised)
    }

    @Test("Mastercard: a plastic card that declines shall be inserted (C-2, S910.79)")
    func mastercardPlasticAAC() async throws {
        var desk = Desk(.mastercard)
        desk.application.risk.declineLimitMinorUnits = 100
        desk.application.interchangeProfile.isMobilePhone = false
        let report = try await desk.pay(500)
        #expect(report.outcome.status == .tryAnotherInterface)
        #expect(report.outcome.alternateInterface == .contactChip)
        #expect(report.messages.last == .insertCard)
        #expect(report.result == .ended)
    }
}

@Suite("Limits and further attempts")
struct AttemptTests {
    @Test(
        "From the entry point's limit on another interface shall be tried (Book B, 3.1.1.5 and 3.1.1.13)",
        arguments: [Desk(.visa), Desk(.mastercard)],
        [1_000_000, 1_000_001] as [UInt64]
    )
    func entryPointLimit(desk: Desk, minorUnits: UInt64) async throws {
        let report = try await desk.pay(minorUnits)
        #expect(report.outcome.status == .tryAnotherInterface)
        #expect(report.messages == [.insertOrSwipe])
        #expect(report.exchanges.isEmpty)
        #expect(report.attempt == nil)
        #expect(report.receipt == nil)
        #expect(report.result == .ended)
    }

    @Test(
        "Above kernel 2's own limit the next application is tried, and there is none (C-2, S456.7)"
    )
    func kernelLimit() async throws {
        var desk = Desk(.mastercard)
        desk.set(.readerContactlessTransactionLimitOnDeviceCVM, [0, 0, 0, 0, 0x20, 0x00])
        #expect(try await desk.pay(2000).result == .approvedOnline)
        let report = try await desk.pay(2001)
        #expect(report.statuses == [.selectNext, .endApplication])
        #expect(report.attempt?.outcome.error.l2 == .maximumLimitExceeded)
        #expect(report.messages == [.presentCard, .tryAnotherCard])
        #expect(report.result == .ended)
    }

    @Test("Visa: a phone that wants its user first is to be presented again (C-3, 5.2.2.2)")
    func seePhone() async throws {
        var desk = Desk(.visa)
        desk.usesDeviceCVM = false
        let report = try await desk.pay(5000)
        #expect(report.outcome.status == .tryAgain)
        #expect(report.outcome.start == .b)
        #expect(report.outcome.error.statusWord == 0x6986)
        #expect(report.messages == [.presentCard, .seePhone, .presentAgain])
        #expect(report.statuses == [.tryAgain])
        #expect(report.receipt == nil)
        #expect(report.events.contains(.fieldOff(hold: .milliseconds(1300))))
        #expect(report.result == .ended)
    }

    @Test("Mastercard: a phone that wants its user first is to be presented again (C-2, S910.71)")
    func seePhoneMastercard() async throws {
        var desk = Desk(.mastercard)
        desk.usesDeviceCVM = false
        let report = try await desk.pay(5001)
        #expect(report.outcome.start == .b)
        #expect(report.outcome.status == .tryAgain)
        #expect(report.messages.contains(.seePhone))
        #expect(report.result == .ended)
    }

    @Test(
        "A card that leaves is asked for again, and pays (Book B, 3.5.1)",
        arguments: [Desk(.visa), Desk(.mastercard)],
        0..<4
    )
    func torn(desk: Desk, exchange: Int) async throws {
        let whole = try await desk.pay(500)
        let number = try #require(whole.attempt?.report.dataObjects[.unpredictableNumber])
            .reduce(0) { $0 << 8 | UInt32($1) }
        let index = min(exchange, whole.exchanges.count - 2)
        var torn = Array(whole.exchanges[...index])
        torn[index].result = .failure(.cardRemoved)
        var again = desk
        again.presentations = 2
        var card = ScriptedCard(torn + whole.exchanges)
        let report = try again.tap(
            whole.transaction,
            &card,
            nil,
            unpredictableNumbers: [number, number]
        )
        #expect(card.isFinished)
        #expect(report.result == .approvedOffline)
        #expect(report.messages.contains(.presentAgain))
        #expect(report.exchanges.count == torn.count + whole.exchanges.count)
    }

    @Test("A card that always leaves ends somewhere")
    func endless() async throws {
        var desk = Desk(.visa)
        desk.presentations = .max
        let select = try await desk.pay(500).exchanges[0].command
        let exchange = Exchange(command: select, result: .failure(.timeout))
        var card = ScriptedCard(Array(repeating: exchange, count: 1000))
        let report = try desk.tap(try desk.transaction(500), &card, nil)
        #expect(report.outcome.status == .endApplication)
        #expect(report.outcome.error.l1 == .timeout)
        #expect(card.position < 10)
    }

    @Test("Nobody presents a card")
    func nobodyComes() throws {
        var desk = Desk(.visa)
        desk.presentations = 0
        var card = ScriptedCard([])
        let report = try desk.tap(try desk.transaction(500), &card, nil)
        #expect(report.outcome.error.l3 == .stop)
        #expect(report.exchanges.isEmpty)
    }

    @Test("What no card can be blamed for is an error, and the card is given back")
    func broken() throws {
        let desk = Desk(.visa)
        var card = ScriptedCard([])
        #expect(throws: TransportError.self) {
            try desk.tap(try desk.transaction(500), &card, nil)
        }
        #expect(card.deviation != nil)
    }

    @Test("61xx and 6Cxx are dealt with, and every exchange is told")
    func lengths() throws {
        let desk = Desk(.visa)
        let select: [UInt8] = [0, 0xA4, 4, 0, 14] + Array("2PAY.SYS.DDF01".utf8) + [0]
        var card = ScriptedCard([
            Exchange(select, [0x61, 0x02]), Exchange([0, 0xC0, 0, 0, 2], [0x6C, 0x00]),
            Exchange([0, 0xC0, 0, 0, 0], [0x6A, 0x82]),
        ])
        let report = try desk.tap(try desk.transaction(500), &card, nil)
        #expect(card.isFinished)
        #expect(report.exchanges.count == 3)
        #expect(report.outcome.status == .endApplication)
        #expect(report.outcome.error.statusWord == 0x6A82)
        #expect(report.messages == [.presentCard, .tryAnotherCard])
    }

    @Test("Hold times are waited for through the surroundings, never slept")
    func waits() async throws {
        let desk = Desk(.visa)
        let whole = try await desk.pay(500)
        var torn = Array(whole.exchanges[...2])
        torn[2] = Exchange(torn[2].command, [0x69, 0x86])
        let number = try #require(whole.attempt?.report.dataObjects[.unpredictableNumber])
            .reduce(0) { $0 << 8 | UInt32($1) }
        var card = ScriptedCard(torn + whole.exchanges)
        var environment = POSEnvironment(
            caKeys: desk.configuration.caKeys,
            unpredictableNumbers: [number, number]
        )
        var waited: [Duration] = []
        var observed: [TapEvent] = []
        let report = try POSTerminal(desk.configuration).tap(
            whole.transaction,
            over: &card,
            host: nil,
            environment: &environment,
            surroundings: POSTerminal.Surroundings(
                clock: .continuous,
                wait: { waited.append($0) },
                presentCard: { $0 <= 2 },
                observe: { observed.append($0) }
            )
        )
        #expect(report.result == .approvedOffline)
        #expect(waited == [.milliseconds(1300)])
        #expect(observed == report.events)
    }
}

extension Desk {
    /// Makes the card one that knows nothing of its user.
    mutating func makePlastic() {
        usesDeviceCVM = false
        application.consumerDeviceCVM = .none
        application.interchangeProfile.supportsOnDeviceCardholderVerification = false
        application.interchangeProfile.isMobilePhone = false
    }

    /// Changes the Card Transaction Qualifiers of a Visa application.
    mutating func changeQualifiers(_ change: (inout CardTransactionQualifiers) -> Void) {
        guard case .visa(var details) = application.details else { return }
        change(&details.transactionQualifiers)
        application.details = .visa(details)
    }

    /// Changes what a Mastercard application has.
    mutating func change(_ change: (inout ApplicationProfile.MastercardDetails) -> Void) {
        guard case .mastercard(var details) = application.details else { return }
        change(&details)
        application.details = .mastercard(details)
    }
}
