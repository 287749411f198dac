import Foundation
import NFCWallet
import PassKitSimulator
import Synchronization
import Testing
import VirtualPOS

@Suite("What the servers refuse", .timeLimit(.minutes(5)))
struct RefusalTests {
    /// Adds the first card in the app, with what the issuer's server made changed.
    private func add(
        _ desk: ProvisioningDesk,
        _ scheme: PKEncryptionScheme = .ECC_V2,
        _ tamper: @escaping (PKAddPaymentPassRequest) -> Void
    ) async throws -> ProvisioningError? {
        let host = desk.makeHost()
        let app = try SheetApp(desk.makeApp(host))
        app.tamper = tamper
        try await app.add(host, scheme)
        #expect((app.pass == nil) == (app.error != nil))
        #expect(host.passes().isEmpty == (app.pass == nil))
        return app.error?.cause
    }

    @Test("A part that is missing", arguments: [PKEncryptionScheme.ECC_V2, .RSA_V2])
    func incomplete(_ scheme: PKEncryptionScheme) async throws {
        let desk = try ProvisioningDesk(.green)
        let tampers: [(PKAddPaymentPassRequest) -> Void] = [
            { $0.encryptedPassData = nil }, { $0.activationData = nil },
            {
                $0.ephemeralPublicKey = nil
                $0.wrappedKey = nil
            },
        ]
        for tamper in tampers {
            #expect(try await add(desk, scheme, tamper) == .request(.incomplete))
        }
        #expect(try await add(desk, scheme) { _ in } == nil)
    }

    @Test("A payload that was changed, cut or made too long")
    func tampered() async throws {
        let desk = try ProvisioningDesk(.green)
        let tampers: [(PKAddPaymentPassRequest) -> Void] = [
            { $0.encryptedPassData?[0] ^= 1 },
            { $0.encryptedPassData = $0.encryptedPassData?.dropLast() },
            { $0.encryptedPassData = Data() },
            { $0.encryptedPassData = Data(repeating: 0, count: 100_000) },
            { $0.ephemeralPublicKey?[5] ^= 1 },
            { $0.ephemeralPublicKey = Data() },
        ]
        for tamper in tampers {
            #expect(try await add(desk, .ECC_V2, tamper) == .request(.undecipherable))
        }
    }

    @Test("A request that comes twice, and one whose nonce is too old")
    func nonces() async throws {
        let desk = try ProvisioningDesk(.yellow)
        let host = desk.makeHost()
        let app = try SheetApp(desk.makeApp(host))
        var kept: PassRequest?
        app.tamper = { kept = PassRequest($0) }
        try await app.add(host)
        #expect(app.pass != nil)
        let again = try #require(kept)
        let device = DeviceReport(device: desk.phone.device.identifier, cards: [])
        #expect(throws: ProvisioningError.request(.replayedNonce)) {
            try desk.server.checkCard(.encrypted(again, .ECC_V2), from: device)
        }
        // The same at another device, and in the other scheme.
        let other = DeviceReport(device: DeviceIdentifier(rawValue: "other"), cards: [])
        #expect(throws: ProvisioningError.request(.wrongNonceSignature)) {
            try desk.server.checkCard(.encrypted(again, .ECC_V2), from: other)
        }
        #expect(throws: ProvisioningError.request(.incomplete)) {
            try desk.server.checkCard(.encrypted(again, .RSA_V2), from: device)
        }
        #expect(throws: ProvisioningError.request(.wrongScheme)) {
            try desk.server.checkCard(
                .encrypted(again, PKEncryptionScheme(rawValue: "?")),
                from: device
            )
        }

        let late = try ProvisioningDesk(.green)
        #expect(
            try await add(late) { _ in late.date.advance(by: 5 * 60) } == .request(.expiredNonce)
        )
        #expect(try await add(late) { _ in late.date.advance(by: 5 * 60 - 1) } == nil)
    }

    @Test("A nonce of nobody, and a signature of another nonce")
    func foreignNonces() async throws {
        let desk = try ProvisioningDesk(.green)
        let token = try desk.issuer.logIn(consumerID: "alice", issuerID: "issuer-1")
        let device = DeviceReport(device: desk.phone.device.identifier, cards: [])
        let good = desk.server.challenge(.ECC_V2, for: device.device)
        let other = desk.server.challenge(.ECC_V2, for: device.device)
        var mixed = good
        mixed.nonceSignature = other.nonceSignature
        var invented = good
        invented.nonce = Data(repeating: 7, count: 32)
        // Another server with the same keys has not sent it.
        let twin = try ProvisioningDesk(.green)
        let foreign = twin.server.challenge(.ECC_V2, for: device.device)
        for (challenge, error) in [
            (mixed, PassDataError.wrongNonceSignature), (invented, .wrongNonceSignature),
            (foreign, .unknownNonce),
        ] {
            let response = try desk.issuer.encryptPass("visa-a", for: challenge, accessToken: token)
            let request = try #require(PKAddPaymentPassRequest(issuerResponse: response))
            #expect(throws: ProvisioningError.request(error)) {
                try desk.server.checkCard(.encrypted(PassRequest(request), .ECC_V2), from: device)
            }
        }
    }

    @Test("The issuer encrypts for nobody but the Apple Pay server it knows")
    func strangers() async throws {
        let stranger = ApplePayIdentity(now: 1_796_025_600)
        let desk = try ProvisioningDesk(.green, identity: stranger)
        let token = try desk.issuer.logIn(consumerID: "alice", issuerID: "issuer-1")
        let challenge = desk.server.challenge(.ECC_V2, for: desk.phone.device.identifier)
        #expect(throws: ProvisioningError.request(.untrustedChain)) {
            try desk.issuer.encryptPass("visa-a", for: challenge, accessToken: token)
        }
        let good = try ProvisioningDesk(.green)
        var late = good.server.challenge(.ECC_V2, for: desk.phone.device.identifier)
        good.date.advance(by: 31 * 86_400)
        let newToken = try good.issuer.logIn(consumerID: "alice", issuerID: "issuer-1")
        #expect(throws: ProvisioningError.request(.expiredCertificate)) {
            try good.issuer.encryptPass("visa-a", for: late, accessToken: newToken)
        }
        late.certificates = []
        #expect(throws: ProvisioningError.request(.malformedCertificate)) {
            try good.issuer.encryptPass("visa-a", for: late, accessToken: newToken)
        }
    }

    @Test("Activation data of another account, changed or too old")
    func activationData() async throws {
        let desk = try ProvisioningDesk(.green)
        let wrong = ProvisioningError.request(.wrongActivationData)
        #expect(try await add(desk) { $0.activationData?[20] ^= 1 } == wrong)
        #expect(try await add(desk) { $0.activationData = Data() } == wrong)
        let token = try desk.issuer.logIn(consumerID: "bob", issuerID: "issuer-1")
        let challenge = desk.server.challenge(.ECC_V2, for: desk.phone.device.identifier)
        let response = try desk.issuer.encryptPass("visa-b", for: challenge, accessToken: token)
        let other = try #require(PKAddPaymentPassRequest(issuerResponse: response)).activationData
        #expect(try await add(desk) { $0.activationData = other } == wrong)
    }

    @Test("Access tokens: changed anywhere, too old, of another issuer")
    func accessTokens() throws {
        let desk = try ProvisioningDesk(.green)
        let token = try desk.issuer.logIn(consumerID: "alice", issuerID: "issuer-1")
        #expect(try desk.issuer.cards(accessToken: token).map(\.cardID) == ["visa-a"])
        for index in 0..<token.count {
            #expect(throws: ProvisioningError.self) {
                try desk.issuer.cards(accessToken: token.prefix(index))
            }
        }
        var changed = token
        changed[changed.count / 2] ^= 1
        #expect(throws: ProvisioningError.self) { try desk.issuer.cards(accessToken: changed) }
        let challenge = desk.server.challenge(.ECC_V2, for: desk.phone.device.identifier)
        #expect(throws: ProvisioningError.self) {
            try desk.issuer.encryptPass("mc-b", for: challenge, accessToken: token)
        }
        desk.date.advance(by: 5 * 60)
        #expect(throws: ProvisioningError.self) { try desk.issuer.cards(accessToken: token) }
        #expect(throws: ProvisioningError.self) {
            try desk.issuer.logIn(consumerID: "alice", issuerID: "issuer-2")
        }
    }

    @Test("Each party that refuses, fails or cannot be reached leaves nothing behind")
    func scripted() async throws {
        let desk = try ProvisioningDesk(.green)
        let calls: [(Party, String)] = [
            (.applePayServer, "challenge"), (.issuerServer, "encryptPass"),
            (.applePayServer, "checkCard"), (.tokenService, "checkEligibility"), (.user, "terms"),
            (.applePayServer, "linkAndProvision"), (.tokenService, "digitize"),
            (.issuerServer, "authorizeService"), (.secureElement, "cards"),
        ]
        for (party, call) in calls {
            for behaviour in [
                Behaviour.refuse("no"), .fail(status: 500, message: "Broken"), .unreachable,
            ] {
                desk.simulation.script(party, call, behaviour)
                #expect(try await add(desk) { _ in } != nil, "\(party) \(call)")
                #expect(try desk.phone.wallet.cards.isEmpty)
            }
        }
        desk.connectivity.isOnline = false
        #expect(try await add(desk) { _ in } == .unreachable(.applePayServer))
        desk.connectivity.isOnline = true
        var user = WalletUser()
        user.acceptsTerms = { _ in false }
        #expect(throws: ProvisioningError.cancelled) {
            try desk.makeHost().add(desk.plastic(), cardholderName: "A", user: user)
        }
        #expect(try await add(desk) { _ in } == nil)
        #expect(try await desk.pay(desk.phone).report != nil)
    }

    @Test("An app that never answers, and one without the entitlement")
    func silentApp() async throws {
        let desk = try ProvisioningDesk(.green)
        let host = desk.makeHost()
        let app = try SheetApp(desk.makeApp(host))
        app.isSilent = true
        desk.simulation.script(
            .issuerApp,
            "generateRequestWithCertificateChain",
            .delay(.seconds(20))
        )
        try await app.add(host)
        #expect(app.error?.code == .systemCancelled)
        let process = AppProcess(
            .issuerApp,
            bundleIdentifier: "com.example.other",
            entitlements: Entitlements(mayProvisionPasses: false),
            host: host,
            issuerServer: desk.issuer,
            simulation: desk.simulation
        )
        let configuration = try app.configuration()
        let sheet = process.run {
            PKAddPaymentPassViewController(requestConfiguration: configuration, delegate: app)
        }
        #expect(sheet == nil)
        #expect(
            PKAddPaymentPassRequestConfiguration(encryptionScheme: .init(rawValue: "DES")) == nil
        )
    }

    @Test("A secure element whose store fails once the card is in it keeps no card without a pass")
    func storeFails() async throws {
        let desk = try ProvisioningDesk(.green, stores: .init(records: FailingRecords()))
        let host = desk.makeHost()
        #expect(throws: ProvisioningError.store) {
            try host.add(desk.plastic(), cardholderName: "A")
        }
        #expect(host.passes().isEmpty)
        #expect(try desk.phone.wallet.cards.isEmpty)
        try host.add(desk.plastic(), cardholderName: "A")
        #expect(try await desk.pay(desk.phone).report?.result == .approvedOnline)
    }
}

/// A wallet's records that fail once, at the first change after the first card.
private final class FailingRecords: WalletRecords {
    private let base = MemoryRecords()
    private let hasFailed = Mutex(false)

    func contents() -> WalletContents { base.contents() }
    func update<Value: Sendable>(
        _ change: (inout WalletContents) -> Value
    ) throws(PaymentKeyStoreError) -> Value {
        let fails = hasFailed.withLock { hasFailed in
            guard !hasFailed, !base.contents().cards.isEmpty else { return false }
            hasFailed = true
            return true
        }
        if fails { throw PaymentKeyStoreError() }
        return base.update(change)
    }
    func record(_ entry: HistoryEntry) { base.record(entry) }
    func history(of card: DigitalCard.ID) -> [HistoryEntry] { base.history(of: card) }
    func removeHistory(of card: DigitalCard.ID) { base.removeHistory(of: card) }
}
