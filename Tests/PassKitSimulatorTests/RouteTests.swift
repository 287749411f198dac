import EMVData
import NFCWallet
import PassKitSimulator
import Testing
import TokenService
import VirtualPOS

/// How a card gets into the wallet.
enum Route: CaseIterable {
    case manual, inApp, walletExtension
}

@Suite("From the issuer's app to a payment", .timeLimit(.minutes(5)))
struct RouteTests {
    /// Adds the first card.
    private func add(
        _ route: Route,
        _ desk: ProvisioningDesk,
        _ host: SimulatedWalletHost
    )
        async throws -> PKSecureElementPass?
    {
        switch route {
        case .manual:
            return try? host.add(desk.plastic(), cardholderName: "CARDHOLDER/ALICE")
        case .inApp:
            let app = try SheetApp(desk.makeApp(host))
            try await app.add(host)
            return app.pass
        case .walletExtension:
            let app = GuideApp(desk, host)
            app.start()
            return try? await host.add(from: app.installed)
        }
    }

    @Test("Green: the card pays at once", arguments: Route.allCases)
    func green(_ route: Route) async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let pass = try #require(await add(route, desk, host))
        #expect(pass.passActivationState == .activated)
        #expect(pass.primaryAccountNumberSuffix == "0036")
        #expect(pass.deviceAccountNumberSuffix != "0036")
        let payment = try await desk.pay(desk.phone)
        #expect(payment.report?.result == .approvedOnline)
        #expect(payment.error == nil)
    }

    @Test("Yellow: nothing is offered to the terminal before the code", arguments: Route.allCases)
    func yellow(_ route: Route) async throws {
        let desk = try ProvisioningDesk(.yellow)
        let host = desk.makeHost()
        let pass = try #require(await add(route, desk, host))
        #expect(pass.passActivationState == .requiresActivation)
        #expect(try desk.phone.wallet.paymentCount(of: card(of: pass)) == 0)
        try await expectNoPayment(desk)

        #expect(
            host.activationMethods(of: pass) == [.otpBySMS, .otpByEmail, .customerService]
        )
        try host.sendCode(for: pass, by: .otpBySMS)
        let code = try #require(desk.post.last)
        #expect(throws: ProvisioningError.digitization(.invalidInput(attemptsLeft: 2))) {
            try host.activate(pass, code: "no code")
        }
        try await expectNoPayment(desk)
        try host.activate(pass, code: code)
        #expect(host.passes().map(\.passActivationState) == [.activated])
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
    }

    @Test("Orange: only the issuer's people activate the card", arguments: Route.allCases)
    func orange(_ route: Route) async throws {
        let desk = try ProvisioningDesk(.orange)
        let host = desk.makeHost()
        let pass = try #require(await add(route, desk, host))
        #expect(pass.passActivationState == .requiresActivation)
        #expect(host.activationMethods(of: pass) == [.customerService])
        #expect(throws: ProvisioningError.self) { try host.sendCode(for: pass, by: .otpBySMS) }
        try await expectNoPayment(desk)
        try host.sendCode(for: pass, by: .customerService)
        try host.activate(pass, code: "")
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
    }

    @Test("Red: no token, no pass and no card", arguments: Route.allCases)
    func red(_ route: Route) async throws {
        let desk = try ProvisioningDesk(.red)
        let host = desk.makeHost()
        #expect(try await add(route, desk, host) == nil)
        #expect(host.passes().isEmpty)
        #expect(try desk.phone.wallet.cards.isEmpty)
        let number = try #require(PrimaryAccountNumber(text: ProvisioningDesk.cards[0].3))
        #expect(desk.tokens.token(standingFor: number) == nil)
        #expect(try await desk.pay(desk.phone).error == .noDefaultCard)
    }

    @Test("With RSA a card gets there as well")
    func rsa() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let app = try SheetApp(desk.makeApp(host), 1)
        try await app.add(host, .RSA_V2)
        #expect(app.pass?.passActivationState == .activated, "\(app.error as Any)")
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
    }

    @Test("Reasons make a card yellow or orange, and the issuer may think otherwise")
    func reasons() async throws {
        var user = WalletUser()
        for (reasons, issuer, state) in [
            ([], nil, PKSecureElementPass.PassActivationState.activated),
            ([.outsideHomeCountry], nil, .requiresActivation),
            ([.outsideHomeCountry], .green, .activated),
            ([.highRisk, .suspicious], nil, .requiresActivation),
            ([], .yellow, .requiresActivation),
        ] as [(Set<ReasonCode>, DigitizationDecision.Colour?, _)] {
            let desk = try ProvisioningDesk(issuer)
            let host = desk.makeHost()
            user.reasons = reasons
            let pass = try host.add(desk.plastic(), cardholderName: "A", user: user)
            #expect(pass.passActivationState == state)
            #expect(
                (host.activationMethods(of: pass) == [.customerService])
                    == reasons.contains(.highRisk)
            )
        }
    }

    private func card(of pass: PKSecureElementPass) -> DigitalCard.ID {
        DigitalCard.ID(rawValue: pass.deviceAccountIdentifier)
    }

    /// The wallet says `cardNotActive` and the terminal finds no application.
    private func expectNoPayment(_ desk: ProvisioningDesk) async throws {
        let payment = try await desk.pay(desk.phone)
        #expect(payment.error == .cardNotActive)
        #expect(payment.report == nil)
        #expect(await desk.directory(desk.phone) == nil)
    }
}
