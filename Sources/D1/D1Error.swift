public import Foundation
import PassKitSimulator

/// What went wrong in the SDK, with the numbers that its guide shows.
public struct D1Error: LocalizedError, Hashable, Sendable {
    /// The kinds of errors.
    public enum Kind: String, Hashable, Sendable {
        /// The main app does not belong to the app group.
        case invalidAppGroupID
        /// The extension finds nothing of the main app: 20009.
        case walletExtensionAppGroupIDNotFound
        /// A card operation failed: 40001.
        case cardOperationFailed
        /// A parameter is empty or contradicts another.
        case invalidParameter
        /// The access token is missing or not one.
        case invalidAccessToken
    }

    /// What is behind an error.
    public enum Cause: Hashable, Sendable {
        /// Security.framework's number, such as -25300 for an item that is not there.
        case storage(Int32)
        /// An HTTP status and the server's message.
        case server(status: Int, message: String)
        /// The server cannot be reached.
        case network
        /// Apple Pay's certificates were not accepted, or the like.
        case other(String)
    }

    /// The kind.
    public let kind: Kind
    /// The call of the extension that failed, such as `status`; nil outside of them.
    public let api: String?
    /// What is behind it; nil where nothing is.
    public let cause: Cause?

    init(_ kind: Kind, in api: String? = nil, cause: Cause? = nil) {
        self.kind = kind
        self.api = api
        self.cause = cause
    }

    /// The number; nil for kinds whose number the guide does not show.
    public var code: Int? {
        switch kind {
        case .walletExtensionAppGroupIDNotFound: 20_009
        case .cardOperationFailed: 40_001
        case .invalidAppGroupID, .invalidParameter, .invalidAccessToken: nil
        }
    }

    /// The call, the cause and the error with their numbers.
    public var errorDescription: String? {
        let call = api.map { "Error in \($0) API. " } ?? ""
        let reason = cause.map { "Cause: \($0.text) " } ?? ""
        let name = code.map { "[\($0)]" } ?? "\(kind.rawValue). "
        return call + reason + "Error: \(name)\(text)"
    }

    private var text: String {
        switch kind {
        case .invalidAppGroupID:
            "The app does not belong to the app group; add the group to its capabilities."
        case .walletExtensionAppGroupIDNotFound:
            "The extension finds nothing in its app group: the app has not called configure with a "
                + "walletExtensionConfig, or the extension lacks the app's group in its capabilities."
        case .cardOperationFailed: "The operation on the card failed."
        case .invalidParameter: "A parameter is empty, or does not fit the others."
        case .invalidAccessToken: "The access token is missing, or is none."
        }
    }
}

extension D1Error.Cause {
    fileprivate var text: String {
        switch self {
        case .storage(let status): "[2](\(status)) The storage cannot be used."
        case .server(let status, let message):
            "[3]The server answered with HTTP status \(status) and message '\(message)'."
        case .network: "[1]The server cannot be reached."
        case .other(let reason): "[4]\(reason)."
        }
    }

    init(_ error: ProvisioningError) {
        switch error {
        case .server(_, let status, let message): self = .server(status: status, message: message)
        case .unreachable: self = .network
        case .refused(let party, let reason): self = .other("The \(party.name) refused: \(reason)")
        case .request(let error): self = .other("The request is not accepted: \(error)")
        default: self = .other("\(error)")
        }
    }
}
