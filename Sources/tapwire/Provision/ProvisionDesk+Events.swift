import NFCWallet
import PassKitSimulator

extension ProvisionDesk {
    /// How often what a device has not taken is sent again.
    private static let maximumRounds = 5

    /// Has what the scenario says happen to the token of a pass, and brings it to the device.
    /// - Returns: The pass as it is then.
    func happen(
        to pass: PKSecureElementPass
    ) throws(ProvisioningError) -> PKSecureElementPass {
        guard !scenario.events.isEmpty else { return pass }
        for event in scenario.events {
            try happen(event, to: DigitalCard.ID(rawValue: pass.deviceAccountIdentifier))
            if scenario.delivery == .inOrder { push.deliver(to: host) }
        }
        let all = push.waiting
        switch scenario.delivery {
        case .inOrder: break
        case .reversed: push.deliver(all.reversed(), to: host)
        case .twice: push.deliver(all + all, to: host)
        }
        for _ in 0..<Self.maximumRounds where !push.waiting.isEmpty { push.deliver(to: host) }
        return current(pass)
    }

    /// What was to come to the device and did not.
    var waitingEvents: [TokenLifecycleEvent] { scenario.events.isEmpty ? [] : push.waiting }

    private func happen(
        _ event: ProvisionScenario.Event,
        to card: DigitalCard.ID
    ) throws(ProvisioningError) {
        switch event {
        case .suspend: try server.setState(.suspended, of: card)
        case .resume: try server.setState(.active, of: card)
        case .delete: try server.setState(.retired, of: card)
        case .replaceCard(let account):
            guard let number = StoredWallet.account(scenario.scheme, account) else {
                throw .refused(.issuerServer, reason: "there is no such account")
            }
            try server.replaceAccount(of: card, by: number)
        case .renew(let lastDay): try server.renew(card, until: lastDay)
        case .revokeKeys: try server.revokeKeys(of: card)
        }
    }
}
