/// Fetches payment keys for cards that run short of them.
///
/// Call it when the app starts, after each payment, when a card becomes the default, when the network is back, and when
/// the server pushes `WalletPush.replenishmentNeeded`.
public struct ReplenishmentService: Sendable {
    private let wallet: Wallet

    /// Serves a wallet.
    public init(wallet: Wallet = .shared) { self.wallet = wallet }

    /// Fetches keys where few are left.
    /// - Parameters:
    ///   - id: The card.
    ///   - isForced: Whether keys are fetched however many are left.
    /// - Returns: Whether keys were fetched.
    /// - Throws: `ReplenishmentError`; the card has the keys it had.
    @discardableResult
    public func replenish(
        digitalCardID id: DigitalCard.ID,
        isForced: Bool = false
    ) throws(ReplenishmentError) -> Bool {
        guard wallet.configuration.isEnvironmentSafe() else { throw .deviceEnvironmentUnsafe }
        let isEnrolled: Bool
        do throws(WalletError) {
            isEnrolled = try wallet.isEnrolled
        } catch {
            throw .unknown
        }
        guard isEnrolled else { throw .missingWalletSecureEnrollment }
        do throws(WalletError) {
            let info = try wallet.paymentKeyInfo(of: id)
            guard isForced || info.needsReplenishment else { return false }
            try wallet.replenish(id, count: wallet.configuration.replenishmentCount)
            return true
        } catch {
            throw ReplenishmentError(error)
        }
    }
}

/// Why no keys were fetched.
public enum ReplenishmentError: Error, Hashable, Sendable {
    /// The server cannot be reached; the keys that are left still pay.
    case networkError
    /// The server refused, or failed.
    case serverError
    /// The request was wrong: the server, or the wallet, has no such card.
    case clientError
    /// The wallet is not enrolled.
    case missingWalletSecureEnrollment
    /// The device has been tampered with.
    case deviceEnvironmentUnsafe
    /// The store failed.
    case unknown

    init(_ error: WalletError) {
        self =
            switch error {
            case .credentials(.networkError): .networkError
            case .credentials(.serverError), .credentials(.cardNotActive),
                .credentials(.replenishmentLimitReached):
                .serverError
            case .credentials(.clientError), .credentials(.unknownCard), .unknownCard: .clientError
            case .illegalTransition, .keyStore: .unknown
            }
    }
}
