import EMVData
public import NFCWallet

extension SimulatedWalletHost {
    // MARK: Who the user is

    /// The ways in which the user may prove who he is, for a pass that requires it.
    public func activationMethods(of pass: PKSecureElementPass) -> [IDVMethod] {
        guard let device = device(onWatch: pass.isRemotePass) else { return [] }
        let record = (try? device.records.passes())?.first {
            $0.serialNumber == pass.serialNumber
        }
        return record?.methods.compactMap(IDVMethod.init(rawValue:)) ?? []
    }

    /// Has the issuer send a code, or ask the user.
    /// - Throws: `ProvisioningError`.
    public func sendCode(
        for pass: PKSecureElementPass,
        by method: IDVMethod
    ) throws(ProvisioningError) {
        guard activationMethods(of: pass).contains(method) else {
            throw .refused(.wallet, reason: "the issuer does not offer this way")
        }
        try simulation.perform(.wallet, .applePayServer, "sendCode", method.rawValue) {
            () throws(ProvisioningError) in
            try server.sendCode(
                method,
                for: DigitalCard.ID(rawValue: pass.deviceAccountIdentifier)
            )
        }
    }

    /// Activates a pass with the code that came to the user, or with the issuer's data.
    /// - Throws: `ProvisioningError`.
    public func activate(
        _ pass: PKSecureElementPass,
        code: String
    ) throws(ProvisioningError) {
        guard let device = device(onWatch: pass.isRemotePass) else { throw .unknownPass }
        // A suspension that comes meanwhile waits: it would be lifted here.
        try device.records.exclusively { () throws(ProvisioningError) in
            try activateAlone(pass, code, on: device)
        }
    }

    private func activateAlone(
        _ pass: PKSecureElementPass,
        _ code: String,
        on device: SimulatedDevice
    ) throws(ProvisioningError) {
        guard
            let record = (try? device.records.passes())?
                .first(where: { $0.serialNumber == pass.serialNumber }),
            record.activationState == .requiresActivation
        else { throw .unknownPass }
        let card = DigitalCard.ID(rawValue: record.cardID)
        try simulation.perform(.wallet, .applePayServer, "activate") {
            () throws(ProvisioningError) in try server.activate(card, code: code)
        }
        try finishActivation(card, on: device)
    }

    // MARK: What happens to tokens

    /// Applies a change of a token, once however often it comes.
    /// - Returns: Whether the message need not come again; one for a pass that is not there yet comes later.
    public func receive(_ event: TokenLifecycleEvent) -> Bool {
        for device in devices {
            do throws(ProvisioningError) {
                // From the look at what was applied before to the note of this, nobody else applies anything.
                let isTaken = try device.records.exclusively {
                    () throws(ProvisioningError) -> Bool? in try take(event, on: device)
                }
                if let isTaken { return isTaken }
            } catch {
                return false
            }
        }
        return false
    }

    /// Applies a change on one device.
    /// - Returns: True; nil where the device has no such pass.
    private func take(
        _ event: TokenLifecycleEvent,
        on device: SimulatedDevice
    ) throws(ProvisioningError) -> Bool? {
        let passes: [PassRecord]
        do { passes = try device.records.passes() } catch { throw .store }
        guard let record = passes.first(where: { $0.cardID == event.card.rawValue }) else {
            return nil
        }
        let subject = event.change.subject
        let isNew = record.appliedEvents[subject].map { $0 < event.number } ?? true
        guard isNew, record.activationState != .deactivated else { return true }
        // A card that is not in the secure element yet is on its way there.
        guard try device.secureElement.cards()[event.card] != nil else { throw .unknownPass }
        try apply(event, on: device)
        try change(event.card, on: device) { $0.appliedEvents[subject] = event.number }
        return true
    }

    private func apply(
        _ event: TokenLifecycleEvent,
        on device: SimulatedDevice
    ) throws(ProvisioningError) {
        let card = event.card
        switch event.change {
        case .tokenCreated: break
        case .tokenActivated, .tokenResumed:
            try bring(card, to: .active, .activated, on: device)
        case .tokenSuspended: try bring(card, to: .suspended, .suspended, on: device)
        case .tokenDeleted: try bring(card, to: .retired, .deactivated, on: device)
        case .cardReplaced(let suffix):
            try changePass("account …\(suffix)") { () throws(ProvisioningError) in
                try change(card, on: device) { $0.primaryAccountNumberSuffix = suffix }
            }
        case .expiryRenewed(let lastDay):
            try changeCard("\(lastDay)") { () throws(ProvisioningError) in
                try device.secureElement.renew(card, until: lastDay)
            }
            try changePass("\(lastDay)") { () throws(ProvisioningError) in
                try change(card, on: device) { $0.lastDay = lastDay.description }
            }
        case .keysRevoked:
            try changeCard("no keys") { () throws(ProvisioningError) in
                try device.secureElement.dropKeys(of: card)
            }
            fetchKeys(of: card, on: device)
        }
    }

    /// Brings a card and its pass into a state.
    private func bring(
        _ card: DigitalCard.ID,
        to state: DigitalCard.State,
        _ passState: PKSecureElementPass.PassActivationState,
        on device: SimulatedDevice
    ) throws(ProvisioningError) {
        try changeCard("\(state)") { () throws(ProvisioningError) in
            try device.secureElement.setState(state, of: card)
        }
        if state == .active { fetchKeys(of: card, on: device) }
        try changePass("\(passState)") { () throws(ProvisioningError) in
            try setState(passState, of: card, on: device)
        }
    }

    private func changeCard(
        _ detail: String,
        _ body: () throws(ProvisioningError) -> Void
    ) throws(ProvisioningError) {
        try simulation.perform(.wallet, .secureElement, "changeCard", detail, body)
    }

    private func changePass(
        _ detail: String,
        _ body: () throws(ProvisioningError) -> Void
    ) throws(ProvisioningError) {
        try simulation.perform(.wallet, .wallet, "changePass", detail, body)
    }

    /// Changes the pass of a card.
    private func change(
        _ card: DigitalCard.ID,
        on device: SimulatedDevice,
        _ body: (inout PassRecord) -> Void
    ) throws(ProvisioningError) {
        try update(device) { passes in
            for index in passes.indices where passes[index].cardID == card.rawValue {
                body(&passes[index])
            }
        }
    }
}
