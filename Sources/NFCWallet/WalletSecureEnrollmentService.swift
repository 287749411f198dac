/// Makes a wallet known to the server, before it gets any card.
public struct WalletSecureEnrollmentService: Sendable {
    /// How far an enrolment has come.
    public enum State: Hashable, Sendable {
        /// The server has been asked.
        case started
        /// The wallet may get cards.
        case completed
        /// It may not.
        case errorEncountered(ReplenishmentError)
    }

    private let wallet: Wallet
    private let server: any CardService

    /// Serves a wallet.
    public init(wallet: Wallet = .shared, server: any CardService) {
        self.wallet = wallet
        self.server = server
    }

    /// Whether the wallet is enrolled; false as well when that cannot be read.
    public var isEnrolled: Bool { (try? wallet.isEnrolled) ?? false }

    /// Enrols the wallet; one that is enrolled stays so.
    /// - Returns: What happens, in order.
    public func enroll() -> AsyncStream<State> {
        AsyncStream { continuation in
            continuation.yield(.started)
            do throws(WalletError) {
                do throws(CredentialError) { try server.enroll() } catch {
                    throw .credentials(error)
                }
                try wallet.update { $0.isEnrolled = true }
                continuation.yield(.completed)
            } catch {
                continuation.yield(.errorEncountered(ReplenishmentError(error)))
            }
            continuation.finish()
        }
    }
}

extension Wallet {
    /// Whether the wallet may get cards and keys.
    /// - Throws: `WalletError.keyStore`.
    public var isEnrolled: Bool {
        get throws(WalletError) { try contents.isEnrolled }
    }
}
