public import NFCWallet
import SecureStore
import Synchronization

/// The Wallet app of a simulated phone, to which a watch may be paired.
public final class SimulatedWalletHost: WalletHost {
    /// How long Wallet waits for an extension.
    public struct Limits: Hashable, Sendable {
        /// For `status`.
        public var status: Duration = .milliseconds(100)
        /// For `passEntries` and `remotePassEntries`.
        public var passEntries: Duration = .seconds(20)
        /// For the request of a card.
        public var generate: Duration = .seconds(20)
        /// For all calls of the extension without a user interface together, from `status` to the request of the card.
        public var handlerExtension: Duration = .seconds(30)
        /// For the user to authenticate.
        public var authentication: Duration = .seconds(300)

        /// Takes what is known of Apple's limits.
        public init() {}
    }

    /// What apps have stored on the phone.
    public let storage: DeviceStorage
    /// Who asks for a face, a finger or the passcode.
    public let authenticator: any Authenticator
    let simulation: Simulation
    let phone: SimulatedDevice
    let watch: (any PairedDevice)?
    let server: any ApplePayServer
    let limits: Limits
    private let state = Mutex(State())

    private struct State {
        var lastListener = 0
        var listeners: [Int: AsyncStream<PKPassLibraryNotificationName>.Continuation] = [:]
    }

    /// Starts Wallet; passes that a process left half done are put in order.
    public init(
        _ simulation: Simulation,
        phone: SimulatedDevice,
        watch: (any PairedDevice)? = nil,
        server: any ApplePayServer,
        storage: DeviceStorage = DeviceStorage(),
        authenticator: any Authenticator = SimulatedAuthenticator(),
        limits: Limits = Limits()
    ) {
        self.simulation = simulation
        self.phone = phone
        self.watch = watch
        self.server = server
        self.storage = storage
        self.authenticator = authenticator
        self.limits = limits
        recover()
    }

    // MARK: Passes

    /// Whether a watch is paired and can be reached.
    public var hasReachableWatch: Bool { watch.map { $0.isPaired && $0.isReachable } ?? false }

    /// The phone, and the watch where it is paired and reached.
    var devices: [SimulatedDevice] {
        [phone] + (hasReachableWatch ? watch.map { [$0.device] } ?? [] : [])
    }

    /// The passes that an app may see, on the phone or on the watch.
    public func passes(
        visibleTo bundleIdentifier: String,
        onWatch: Bool
    ) -> [PKSecureElementPass] {
        passes(onWatch: onWatch) { $0.isVisible(to: bundleIdentifier) }
    }

    /// All passes, as Wallet itself shows them.
    public func passes(onWatch: Bool = false) -> [PKSecureElementPass] {
        passes(onWatch: onWatch) { _ in true }
    }

    private func passes(
        onWatch: Bool,
        _ isMeant: (PassRecord) -> Bool
    ) -> [PKSecureElementPass] {
        guard let device = device(onWatch: onWatch) else { return [] }
        let records = (try? device.records.passes()) ?? []
        return records.filter(isMeant).map { $0.pass(on: device.name, isRemote: onWatch) }
    }

    func device(onWatch: Bool) -> SimulatedDevice? {
        guard onWatch else { return phone }
        return hasReachableWatch ? watch?.device : nil
    }

    /// Whether a device that is there has no live pass of an account.
    public func canAddPass(primaryAccountIdentifier: String) -> Bool {
        devices.contains { !hasLivePass(primaryAccountIdentifier, on: $0) }
    }

    func hasLivePass(_ primaryAccountIdentifier: String, on device: SimulatedDevice) -> Bool {
        ((try? device.records.passes()) ?? []).contains {
            $0.primaryAccountIdentifier == primaryAccountIdentifier
                && $0.activationState != .deactivated
        }
    }

    /// Changes the passes of a device and tells those who listen.
    @discardableResult
    func update<Value: Sendable>(
        _ device: SimulatedDevice,
        _ change: (inout [PassRecord]) -> Value
    ) throws(ProvisioningError) -> Value {
        let value: Value
        do throws(SecureStoreError) {
            value = try device.records.update(change)
        } catch {
            throw .store
        }
        tell(
            device === phone
                ? .PKPassLibraryDidChange : .PKPassLibraryRemotePaymentPassesDidChange
        )
        return value
    }

    /// Changes the state of a pass, through the lawful states on the way.
    func setState(
        _ next: PKSecureElementPass.PassActivationState,
        of card: DigitalCard.ID,
        on device: SimulatedDevice
    ) throws(ProvisioningError) {
        try update(device) { passes in
            guard let index = passes.firstIndex(where: { $0.cardID == card.rawValue }) else {
                return
            }
            let steps: [PKSecureElementPass.PassActivationState] =
                switch (passes[index].activationState, next) {
                case (.requiresActivation, .activated): [.activating, .activated]
                case (.requiresActivation, .suspended): [.activating, .activated, .suspended]
                case (.activating, .suspended): [.activated, .suspended]
                default: [next]
                }
            for step in steps where passes[index].activationState.canBecome(step) {
                passes[index].activationState = step
            }
        }
    }

    /// Fetches payment keys where few are left; without the network there are none for now.
    func fetchKeys(of card: DigitalCard.ID, on device: SimulatedDevice) {
        guard device.secureElement.needsKeys(card) else { return }
        try? simulation.perform(.wallet, .tokenService, "replenish", device.name) {
            () throws(ProvisioningError) in device.secureElement.fetchKeys(of: card)
        }
    }

    // MARK: Changes

    /// What changes, from now on.
    public func makeChanges() -> AsyncStream<PKPassLibraryNotificationName> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PKPassLibraryNotificationName.self,
            bufferingPolicy: .bufferingNewest(64)
        )
        let number = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = continuation
            return state.lastListener
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    private func tell(_ name: PKPassLibraryNotificationName) {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.yield(name) }
    }

    /// The phone has come back to the app; what happened elsewhere is put in order, and apps read their passes anew.
    public func enterForeground() {
        recover()
        tell(.didEnterForeground)
    }

    /// Puts passes in order that a process left half done, or that were changed elsewhere: the secure element is right.
    private func recover() {
        for device in devices {
            // Whoever is adding a card is waited for: only what he has left behind is put in order.
            try? device.records.exclusively { () throws(ProvisioningError) in recover(device) }
        }
    }

    private func recover(_ device: SimulatedDevice) {
        guard let cards = try? device.secureElement.cards(),
            let passes = try? device.records.passes()
        else { return }
        for pass in passes where pass.activationState != .deactivated {
            let card = DigitalCard.ID(rawValue: pass.cardID)
            switch cards[card] {
            case .active:
                // The network may have been away when the card was activated.
                fetchKeys(of: card, on: device)
                if pass.activationState != .activated {
                    try? setState(.activated, of: card, on: device)
                }
            case .suspended: try? setState(.suspended, of: card, on: device)
            case .inactive: break
            case nil where [.activating, .requiresActivation].contains(pass.activationState):
                // It never got there.
                try? update(device) { $0.removeAll { $0.cardID == pass.cardID } }
            case nil, .retired, .unknown: try? setState(.deactivated, of: card, on: device)
            }
        }
    }
}
