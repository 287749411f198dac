public import NFCWallet

/// What an app's developer has been granted.
public struct Entitlements: Hashable, Sendable {
    /// The groups whose container and keychain items its processes share (`com.apple.security.application-groups`).
    public var appGroups: Set<String>
    /// Whether it may add passes (`com.apple.developer.payment-pass-provisioning`).
    public var mayProvisionPasses: Bool

    /// Collects the parts.
    public init(appGroups: Set<String> = [], mayProvisionPasses: Bool = true) {
        self.appGroups = appGroups
        self.mayProvisionPasses = mayProvisionPasses
    }
}

/// A running process of the issuer on a device: its app, or one of the extensions.
///
/// Nothing but the container and the keychain items of an app group is shared between two of them.
public final class AppProcess: Sendable {
    /// The process whose code runs now; what on a phone is known without being told.
    @TaskLocal public static var current: AppProcess?

    /// Which of the issuer's processes it is.
    public let party: Party
    /// The bundle identifier.
    public let bundleIdentifier: String
    /// What it may do.
    public let entitlements: Entitlements
    /// The device with its Wallet.
    public let host: any WalletHost
    /// The way to the issuer's server.
    public let issuerServer: any IssuerServer
    /// What all parties share.
    public let simulation: Simulation

    /// Starts a process.
    public init(
        _ party: Party,
        bundleIdentifier: String,
        entitlements: Entitlements,
        host: any WalletHost,
        issuerServer: any IssuerServer,
        simulation: Simulation
    ) {
        self.party = party
        self.bundleIdentifier = bundleIdentifier
        self.entitlements = entitlements
        self.host = host
        self.issuerServer = issuerServer
        self.simulation = simulation
    }

    /// Runs code of the process.
    public func run<Value, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = AppProcess.$current.withValue(self) {
            Result { () throws(Failure) in try body() }
        }
        return try result.get()
    }

    /// Has the user show a face or a finger, or type the passcode; in place of `LAContext.evaluatePolicy`.
    /// - Parameter completion: Called once, maybe before this returns.
    public func authenticate(completion: @escaping @Sendable (AuthenticationResult) -> Void) {
        guard let number = try? simulation.begin(party, .user, "biometrics") else {
            return completion(.cancelled)
        }
        do throws(ProvisioningError) {
            // A prompt that nobody answers is taken away.
            if try simulation.act(.user, "biometrics") { throw .cancelled }
        } catch .cancelled {
            simulation.end(number, .cancelled)
            return completion(.cancelled)
        } catch {
            simulation.end(number, error)
            return completion(.failed)
        }
        host.authenticator.authenticate { [simulation] result in
            simulation.end(number, result == .succeeded ? nil : .notAuthenticated)
            completion(result)
        }
    }

    /// Calls the issuer's server.
    /// - Throws: `ProvisioningError`.
    public func callIssuer<Value>(
        _ name: String,
        _ detail: String = "",
        _ body: (any IssuerServer) throws(ProvisioningError) -> Value
    ) throws(ProvisioningError) -> Value {
        try simulation.perform(party, .issuerServer, name, detail) {
            () throws(ProvisioningError) in try body(issuerServer)
        }
    }
}
