import EMVData
public import NFCWallet

extension SimulatedWalletHost {
    // MARK: Manual

    /// Adds a card that the user has typed in.
    /// - Throws: `ProvisioningError`.
    @discardableResult
    public func add(
        _ card: PlasticCard,
        cardholderName: String,
        toWatch: Bool = false,
        user: WalletUser = WalletUser()
    ) throws(ProvisioningError) -> PKSecureElementPass {
        let device = try target(toWatch: toWatch)
        _ = try simulation.perform(.wallet, .applePayServer, "requiredFields") {
            () throws(ProvisioningError) in try server.requiredFields()
        }
        let name = card.number.text.hasPrefix("4") ? "Visa" : "Mastercard"
        return try provision(
            .typed(card, cardholderName: cardholderName),
            named: name,
            to: device,
            user
        )
    }

    func target(toWatch: Bool) throws(ProvisioningError) -> SimulatedDevice {
        guard let device = device(onWatch: toWatch) else { throw .notPaired }
        return device
    }

    // MARK: In-app

    /// Shows the sheet of an app and adds its card, with the app's help.
    ///
    /// How it ends is told to the delegate.
    public func present(
        _ controller: PKAddPaymentPassViewController,
        of process: AppProcess,
        toWatch: Bool = false,
        user: WalletUser = WalletUser()
    ) async {
        let result: Result<PKSecureElementPass, ProvisioningError>
        do throws(ProvisioningError) {
            let pass = try await add(controller, of: process, toWatch: toWatch, user)
            result = .success(pass)
        } catch {
            result = .failure(error)
        }
        process.run {
            switch result {
            case .success(let pass):
                controller.delegate?.addPaymentPassViewController(
                    controller,
                    didFinishAdding: pass,
                    error: nil
                )
            case .failure(let error):
                controller.delegate?.addPaymentPassViewController(
                    controller,
                    didFinishAdding: nil,
                    error: PKAddPaymentPassError(error)
                )
            }
        }
    }

    private func add(
        _ controller: PKAddPaymentPassViewController,
        of process: AppProcess,
        toWatch: Bool,
        _ user: WalletUser
    ) async throws(ProvisioningError) -> PKSecureElementPass {
        guard process.entitlements.mayProvisionPasses else { throw .missingEntitlement }
        let device = try target(toWatch: toWatch)
        let configuration = PassConfiguration(controller.requestConfiguration)
        let challenge = try prepare(configuration, on: device)
        let request = try await answer(
            .issuerApp,
            "generateRequestWithCertificateChain",
            within: limits.generate
        ) { give in
            process.run {
                controller.delegate?.addPaymentPassViewController(
                    controller,
                    generateRequestWithCertificateChain: challenge.certificates,
                    nonce: challenge.nonce,
                    nonceSignature: challenge.nonceSignature
                ) { give(PassRequest($0)) }
            }
        }
        return try provision(
            .encrypted(request, configuration.encryptionScheme),
            named: configuration.localizedDescription ?? "Card",
            to: device,
            user
        )
    }

    /// Gets what a card is encrypted for, unless the device has it.
    private func prepare(
        _ configuration: PassConfiguration,
        on device: SimulatedDevice
    ) throws(ProvisioningError) -> ProvisioningChallenge {
        if let identifier = configuration.primaryAccountIdentifier,
            hasLivePass(identifier, on: device)
        {
            throw .alreadyOnDevice
        }
        return try simulation.perform(.wallet, .applePayServer, "challenge") {
            () throws(ProvisioningError) in
            try server.challenge(configuration.encryptionScheme, for: device.identifier)
        }
    }

    // MARK: Extension

    /// Asks an issuer's extension whether it has cards, as when the user opens the page to add one.
    public func discover(_ application: IssuerApplication) async -> IssuerDiscovery {
        guard application.extensionEntitlements.mayProvisionPasses else {
            return IssuerDiscovery(
                isShown: false,
                requiresAuthentication: false,
                duration: .zero,
                error: .missingEntitlement
            )
        }
        let start = simulation.clock.now
        let process = handlerProcess(of: application)
        let handler = process.run { application.makeHandler() }
        var status: IssuerStatus?
        var problem: ProvisioningError?
        do throws(ProvisioningError) {
            status = try await answer(.handlerExtension, "status", within: limits.status) { give in
                process.run {
                    handler.status {
                        give(
                            IssuerStatus(
                                requiresAuthentication: $0.requiresAuthentication,
                                hasEntries: $0.passEntriesAvailable,
                                hasRemoteEntries: $0.remotePassEntriesAvailable
                            )
                        )
                    }
                }
            }
        } catch {
            problem = error
        }
        let duration = simulation.clock.now - start
        let hasCards =
            status.map { $0.hasEntries || ($0.hasRemoteEntries && hasReachableWatch) } ?? false
        return IssuerDiscovery(
            isShown: hasCards,
            requiresAuthentication: status?.requiresAuthentication ?? false,
            duration: duration,
            error: problem
        )
    }

    private func handlerProcess(of application: IssuerApplication) -> AppProcess {
        AppProcess(
            .handlerExtension,
            bundleIdentifier: application.bundleIdentifier + ".handler",
            entitlements: application.extensionEntitlements,
            host: self,
            issuerServer: application.issuerServer,
            simulation: simulation
        )
    }

    /// Adds a card of an issuer's extension: asks for its status, has the user authenticated, shows the cards.
    /// - Throws: `ProvisioningError`.
    @discardableResult
    public func add(
        from application: IssuerApplication,
        user: WalletUser = WalletUser()
    ) async throws(ProvisioningError) -> PKSecureElementPass {
        try await add(from: application, discover(application), user: user)
    }

    /// Adds a card of an issuer's extension that has told its status.
    /// - Throws: `ProvisioningError`.
    @discardableResult
    public func add(
        from application: IssuerApplication,
        _ discovery: IssuerDiscovery,
        user: WalletUser = WalletUser()
    ) async throws(ProvisioningError) -> PKSecureElementPass {
        if let error = discovery.error { throw error }
        guard discovery.isShown else {
            throw .noCards
        }
        let time = ExtensionTime(limits.handlerExtension, used: discovery.duration)
        if discovery.requiresAuthentication { try await authorize(application) }
        let process = handlerProcess(of: application)
        let handler = process.run { application.makeHandler() }
        var all = try await entries(of: handler, in: process, isRemote: false, time)
        if hasReachableWatch {
            all += try await entries(of: handler, in: process, isRemote: true, time)
        }
        // What is on the device already is not shown, whatever the extension says.
        let offers = all.filter { offer in
            guard let device = self.device(onWatch: offer.isForWatch) else { return false }
            return offer.configuration.primaryAccountIdentifier
                .map { !hasLivePass($0, on: device) } ?? true
        }
        guard !offers.isEmpty else { throw all.isEmpty ? .noCards : .alreadyOnDevice }
        guard let offer = user.choose(offers) else { throw .cancelled }
        let device = try target(toWatch: offer.isForWatch)
        let challenge = try prepare(offer.configuration, on: device)
        let request = try await answer(
            .handlerExtension,
            "generateAddPaymentPassRequest",
            within: limits.generate,
            of: time
        ) { give in
            process.run {
                handler.generateAddPaymentPassRequestForPassEntryWithIdentifier(
                    offer.identifier,
                    configuration: PKAddPaymentPassRequestConfiguration(offer.configuration),
                    certificateChain: challenge.certificates,
                    nonce: challenge.nonce,
                    nonceSignature: challenge.nonceSignature
                ) { give($0.map { PassRequest($0) }) }
            }
        }
        guard let request else { throw .noRequest }
        return try provision(
            .encrypted(request, offer.configuration.encryptionScheme),
            named: offer.title,
            to: device,
            user
        )
    }

    private func authorize(_ application: IssuerApplication) async throws(ProvisioningError) {
        guard let make = application.makeAuthorization else { throw .notAuthenticated }
        guard application.authorizationEntitlements.mayProvisionPasses else {
            throw .missingEntitlement
        }
        let process = AppProcess(
            .authorizationExtension,
            bundleIdentifier: application.bundleIdentifier + ".authorization",
            entitlements: application.authorizationEntitlements,
            host: self,
            issuerServer: application.issuerServer,
            simulation: simulation
        )
        let provider = process.run { make() }
        let result: PKIssuerProvisioningExtensionAuthorizationResult = try await answer(
            .authorizationExtension,
            "authenticate",
            within: limits.authentication
        ) { give in
            process.run {
                provider.completionHandler = { give($0) }
                application.useAuthorization(provider)
            }
        }
        guard result == .authorized else { throw .notAuthenticated }
    }

    private func entries(
        of handler: PKIssuerProvisioningExtensionHandler,
        in process: AppProcess,
        isRemote: Bool,
        _ time: ExtensionTime
    ) async throws(ProvisioningError) -> [PassOffer] {
        try await answer(
            .handlerExtension,
            isRemote ? "remotePassEntries" : "passEntries",
            within: limits.passEntries,
            of: time
        ) { give in
            process.run {
                let take: ([PKIssuerProvisioningExtensionPassEntry]) -> Void = { entries in
                    give(
                        entries.compactMap { entry -> PassOffer? in
                            guard
                                let entry = entry
                                    as? PKIssuerProvisioningExtensionPaymentPassEntry
                            else { return nil }
                            return PassOffer(
                                identifier: entry.identifier,
                                title: entry.title,
                                art: entry.art,
                                isForWatch: isRemote,
                                configuration: PassConfiguration(entry.addRequestConfiguration)
                            )
                        }
                    )
                }
                if isRemote {
                    handler.remotePassEntries(completion: take)
                } else {
                    handler.passEntries(completion: take)
                }
            }
        }
    }

    /// Has an app or extension do something, and waits for its answer no longer than it may take.
    ///
    /// The call is over when the answer comes or the time is up, whichever is first. An extension whose time is up by then is
    /// ended, and does nothing any more.
    private func answer<Value: Sendable>(
        _ party: Party,
        _ call: String,
        within limit: Duration,
        of time: ExtensionTime? = nil,
        _ ask: (@escaping @Sendable (Value) -> Void) -> Void
    ) async throws(ProvisioningError) -> Value {
        let number = try simulation.begin(.wallet, party, call)
        let start = simulation.clock.now
        defer {
            simulation.leave(number)
            time?.used += simulation.clock.now - start
        }
        var allowed = limit
        var late = ProvisioningError.timedOut(party, call: call, limit: limit)
        if let time, time.left < limit {
            allowed = time.left
            late = .timedOutInAll(party, call: call, limit: time.limit)
        }
        let pending = PendingAnswer<Value>()
        let finish: @Sendable (Result<Value, ProvisioningError>) -> Void = { [simulation] answer in
            pending.give(answer) {
                if case .failure(let error) = answer {
                    simulation.end(number, error)
                } else {
                    simulation.end(number, nil)
                }
            }
        }
        let timer = simulation.clock.call(after: allowed) { [late] in finish(.failure(late)) }
        defer { timer.cancel() }
        do throws(ProvisioningError) {
            if try simulation.act(party, call, within: allowed) { ask { finish(.success($0)) } }
        } catch {
            finish(.failure(error))
        }
        return try await pending.value().get()
    }

    // MARK: What all routes share

    /// Has a card checked, its terms accepted and a token made, and puts it into the device.
    private func provision(
        _ submission: CardSubmission,
        named name: String,
        to device: SimulatedDevice,
        _ user: WalletUser
    ) throws(ProvisioningError) -> PKSecureElementPass {
        // From the look at what there is to the card that is there: another program would take it for lost.
        try device.records.exclusively { () throws(ProvisioningError) in
            try provisionAlone(submission, named: name, to: device, user)
        }
    }

    private func provisionAlone(
        _ submission: CardSubmission,
        named name: String,
        to device: SimulatedDevice,
        _ user: WalletUser
    ) throws(ProvisioningError) -> PKSecureElementPass {
        let held = try simulation.perform(.wallet, .secureElement, "cards", device.name) {
            () throws(ProvisioningError) in Set(try device.secureElement.cards().keys)
        }
        let check = try simulation.perform(.wallet, .applePayServer, "checkCard") {
            () throws(ProvisioningError) in
            try server.checkCard(
                submission,
                from: DeviceReport(device: device.identifier, cards: held, reasons: user.reasons)
            )
        }
        try simulation.perform(.wallet, .user, "terms") { () throws(ProvisioningError) in
            guard user.acceptsTerms(check.termsAndConditions) else { throw .cancelled }
        }
        let made = try simulation.perform(.wallet, .applePayServer, "linkAndProvision") {
            () throws(ProvisioningError) in
            try server.linkAndProvision(check.requestID, acceptsTerms: true)
        }
        return try install(made, named: name, on: device)
    }

    private func install(
        _ made: ProvisionedCard,
        named name: String,
        on device: SimulatedDevice
    ) throws(ProvisioningError) -> PKSecureElementPass {
        let card = made.card.id
        let token = made.card.contents?.number.text ?? ""
        var record = PassRecord(
            serialNumber: "pass-" + card.rawValue,
            cardID: card.rawValue,
            primaryAccountIdentifier: made.primaryAccountIdentifier,
            primaryAccountNumberSuffix: made.primaryAccountSuffix,
            deviceAccountNumberSuffix: String(token.suffix(4)),
            localizedName: name,
            associatedApplicationIdentifiers: made.associatedApplicationIdentifiers,
            state: 0,
            methods: made.methods.map(\.rawValue)
        )
        record.activationState = made.colour == .green ? .activating : .requiresActivation
        // Its token was deleted and the device has not heard of that yet: the new pass takes its place.
        let outdated = ((try? device.records.passes()) ?? []).filter {
            $0.primaryAccountIdentifier == record.primaryAccountIdentifier
                && $0.cardID != record.cardID && $0.activationState != .deactivated
        }
        for pass in outdated {
            try simulation.perform(.wallet, .secureElement, "remove", device.name) {
                () throws(ProvisioningError) in
                let card = DigitalCard.ID(rawValue: pass.cardID)
                try device.secureElement.setState(.retired, of: card)
                try setState(.deactivated, of: card, on: device)
            }
        }
        do throws(ProvisioningError) {
            // The pass comes first: a card without one would be found by nobody.
            try simulation.perform(.wallet, .wallet, "addPass", made.colour.rawValue) {
                () throws(ProvisioningError) in
                try update(device) { passes in
                    // A deactivated pass of the account makes room for the new one.
                    passes.removeAll {
                        $0.primaryAccountIdentifier == record.primaryAccountIdentifier
                            && ($0.activationState == .deactivated || $0.cardID == record.cardID)
                    }
                    passes.append(record)
                }
            }
            try simulation.perform(.wallet, .secureElement, "install", device.name) {
                () throws(ProvisioningError) in try device.secureElement.install(made.card)
            }
        } catch {
            // A process that has ended cannot do this; then it is done when Wallet starts again.
            if error != .processEnded { takeBack(card, from: device) }
            throw error
        }
        if made.colour == .green { try finishActivation(card, on: device) }
        guard
            let pass = passes(onWatch: device !== phone).first(where: {
                $0.deviceAccountIdentifier == card.rawValue
            })
        else { throw .store }
        return pass
    }

    /// Removes a card that was not added wholly, and its pass.
    ///
    /// The secure element may have the card though it said nothing of it. While it may be there the pass is kept: the card
    /// could pay, and is put in order when Wallet starts again.
    private func takeBack(_ card: DigitalCard.ID, from device: SimulatedDevice) {
        do throws(ProvisioningError) {
            if try device.secureElement.cards()[card] != nil {
                try simulation.perform(.wallet, .secureElement, "remove", device.name) {
                    () throws(ProvisioningError) in
                    try device.secureElement.setState(.retired, of: card)
                }
            }
        } catch {
            guard let cards = try? device.secureElement.cards(), cards[card] == nil else { return }
        }
        // A pass that cannot be removed now is removed then, too.
        try? update(device) { $0.removeAll { $0.cardID == card.rawValue } }
    }

    /// Lets a card pay whose token is active.
    func finishActivation(
        _ card: DigitalCard.ID,
        on device: SimulatedDevice
    ) throws(ProvisioningError) {
        try simulation.perform(.wallet, .secureElement, "activate", device.name) {
            () throws(ProvisioningError) in
            guard try device.secureElement.cards()[card] != nil else { throw .unknownPass }
            try setState(.activating, of: card, on: device)
            try device.secureElement.setState(.active, of: card)
        }
        fetchKeys(of: card, on: device)
        try simulation.perform(.wallet, .wallet, "passActivated") {
            () throws(ProvisioningError) in try setState(.activated, of: card, on: device)
        }
    }
}

/// How long an extension has been at work for Wallet, and may be.
private final class ExtensionTime {
    let limit: Duration
    var used: Duration

    init(_ limit: Duration, used: Duration) {
        self.limit = limit
        self.used = used
    }

    var left: Duration { max(.zero, limit - used) }
}

private struct IssuerStatus: Sendable {
    var requiresAuthentication: Bool
    var hasEntries: Bool
    var hasRemoteEntries: Bool
}
