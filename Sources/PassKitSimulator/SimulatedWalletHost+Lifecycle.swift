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
        guard let device = device(onWatch: pass.isRemotePass),
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
            let record = (try? device.records.passes())?
                .first { $0.cardID == event.card.rawValue }
            guard let record else { continue }
            let subject = event.change.subject
            let isNew = record.appliedEvents[subject].map { $0 < event.number } ?? true
            guard isNew, record.activationState != .deactivated else { return true }
            do throws(ProvisioningError) {
                try apply(event, to: record, on: device)
                try update(device) { passes in
                    guard let index = passes.firstIndex(where: { $0.cardID == record.cardID })
                    else { return }
                    passes[index].appliedEvents[subject] = event.number
                }
                return true
            } catch {
                return false
            }
        }
        return false
    }

    private func apply(
        _ event: TokenLifecycleEvent,
        to record: PassRecord,
        on device: SimulatedDevice
    ) throws(ProvisioningError) {
        let element = device.secureElement
        let card = event.card
        // A card that is not in the secure element yet is on its way there.
        guard try element.cards()[card] != nil else { throw .unknownPass }
        switch event.change {
        case .tokenCreated: break
        case .tokenActivated, .tokenResumed:
            try element.setState(.active, of: card)
            element.fetchKeys(of: card)
            try setState(.activated, of: card, on: device)
        case .tokenSuspended:
            try element.setState(.suspended, of: card)
            try setState(.suspended, of: card, on: device)
        case .tokenDeleted:
            try element.setState(.retired, of: card)
            try setState(.deactivated, of: card, on: device)
        case .cardReplaced(let suffix):
            try update(device) { passes in
                for index in passes.indices where passes[index].cardID == record.cardID {
                    passes[index].primaryAccountNumberSuffix = suffix
                }
            }
        case .expiryRenewed(let lastDay):
            try update(device) { passes in
                for index in passes.indices where passes[index].cardID == record.cardID {
                    passes[index].lastDay = lastDay.description
                }
            }
        case .keysRevoked:
            try element.dropKeys(of: card)
            element.fetchKeys(of: card)
        }
    }
}
