/// The app's word that its user is about to pay: readers are told to its session, and no other app is started.
///
/// It holds for 15 s, until it is let go of, or until the app leaves the foreground; for 15 s after that there is
/// none anew.
public final class NFCPresentmentIntentAssertion: Sendable {
    private let system: NFCSystem
    private let number: Int

    private init(_ system: NFCSystem, _ number: Int) {
        self.system = system
        self.number = number
    }

    deinit { system.endAssertion(number) }

    /// Takes an assertion from the phone's system.
    /// - Parameter system: The system of the wallet that pays.
    /// - Returns: The assertion; keep it for as long as it is to hold.
    /// - Throws: `PresentmentIntentError`.
    public static func acquire(
        from system: NFCSystem
    ) throws(PresentmentIntentError) -> NFCPresentmentIntentAssertion {
        NFCPresentmentIntentAssertion(system, try system.beginAssertion())
    }

    /// Whether it still holds.
    public var isValid: Bool { system.isValid(number) }
}

/// Why there is no assertion.
public enum PresentmentIntentError: Error, Hashable, Sendable {
    /// The app is not in the foreground.
    case notInForeground
    /// The last one still holds.
    case alreadyHeld
    /// The last one ended less than 15 s ago.
    case coolingDown
}
