public import Foundation
public import PassKitSimulator

/// The extension that authenticates the user: a view controller of the issuer conforms to it.
public protocol D1IssuerProvisioningExtensionAuthorizationProviding:
    PKIssuerProvisioningExtensionAuthorizationProviding
{}

extension D1IssuerProvisioningExtensionAuthorizationProviding {
    /// Logs in with the access token of the one issuer; the token is overwritten.
    /// - Parameters:
    ///   - issuerToken: The token of the issuer's server.
    ///   - completion: Called once with what failed; nil when nothing did.
    public func login(_ issuerToken: inout Data?, completion: (D1Error?) -> Void) {
        var tokens = issuerToken.map { [$0] } ?? []
        let count = issuerToken?.count ?? 0
        issuerToken?.resetBytes(in: 0..<count)
        issuerToken = nil
        login(&tokens, completion: completion)
    }

    /// Logs in with one access token for each issuer; the tokens are overwritten.
    ///
    /// Cards of one issuer share its token, whichever of the consumers in it they belong to.
    /// - Parameters:
    ///   - issuerTokens: The tokens of the issuers' servers.
    ///   - completion: Called once with what failed; nil when nothing did.
    public func login(_ issuerTokens: inout [Data], completion: (D1Error?) -> Void) {
        let tokens = issuerTokens
        for index in issuerTokens.indices {
            let count = issuerTokens[index].count
            issuerTokens[index].resetBytes(in: 0..<count)
        }
        issuerTokens = []
        do throws(D1Error) {
            let session = try ExtensionSession(AppProcess.current, in: "login")
            guard !tokens.isEmpty else { throw D1Error(.invalidAccessToken, in: "login") }
            for token in tokens {
                let logins = Self.logins(of: token).filter(session.logins.contains)
                guard !logins.isEmpty else { throw D1Error(.invalidAccessToken, in: "login") }
                for login in logins {
                    let status = session.keep(token, for: login)
                    guard status == .success else {
                        throw D1Error(
                            .walletExtensionAppGroupIDNotFound,
                            in: "login",
                            cause: .storage(status.rawValue)
                        )
                    }
                }
            }
            completion(nil)
        } catch {
            completion(error)
        }
    }

    /// Who a token names (`iss`, with `consumers` or `sub`); nobody where it is none.
    private static func logins(of token: Data) -> [ExtensionSession.Login] {
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, token.count <= 4_096 else { return [] }
        var text = String(decoding: parts[1], as: UTF8.self)
            .replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let data = Data(base64Encoded: text),
            let claims = try? JSONDecoder().decode(Claims.self, from: data)
        else { return [] }
        return (claims.consumers ?? [claims.sub]).map {
            ExtensionSession.Login(issuerID: claims.iss, consumerID: $0)
        }
    }
}

/// What is read of an access token.
private struct Claims: Decodable {
    var iss: String
    var sub: String
    /// All consumers a token is good for; those of one consumer need not have it.
    var consumers: [String]?
}
