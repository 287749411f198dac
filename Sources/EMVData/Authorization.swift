#if !hasFeature(Embedded)
public import BERTLV

/// What a terminal asks an issuer: DE 55 of an ISO 8583 authorisation request, and what stands beside it.
public struct AuthorizationRequest: Hashable, Sendable {
    /// The chip data objects, in the order sent (DE 55).
    public var chipData: [TLV]
    /// How the cardholder is to be verified by the issuer: true when an online PIN goes with the request.
    public var hasOnlinePIN: Bool

    /// Collects the parts.
    public init(chipData: [TLV], hasOnlinePIN: Bool = false) {
        self.chipData = chipData
        self.hasOnlinePIN = hasOnlinePIN
    }

    /// DE 55 as sent: the objects one after another.
    public var de55: [UInt8] { chipData.flatMap(\.encoded) }

    /// The value of an object; nil when it was not sent.
    public func value(_ tag: Tag) -> [UInt8]? { chipData.first { $0.tag == tag }?.value }
}

/// What an issuer answers.
public struct AuthorizationResponse: Hashable, Sendable {
    /// Authorisation Response Code (8A), two characters; 00 approves.
    public var responseCode: String
    /// Issuer Authentication Data (91), 8 to 16 bytes; nil when the issuer sends none.
    public var issuerAuthenticationData: [UInt8]?
    /// Why the issuer decided so, for people.
    public var reason: String

    /// Collects the parts.
    public init(responseCode: String, issuerAuthenticationData: [UInt8]? = nil, reason: String) {
        self.responseCode = responseCode
        self.issuerAuthenticationData = issuerAuthenticationData
        self.reason = reason
    }

    /// Whether the issuer approves (00, or 10 and 11 of ISO 8583).
    public var isApproved: Bool { ["00", "10", "11"].contains(responseCode) }
}

/// Whoever answers authorisation requests.
public protocol AuthorizationHost: AnyObject, Sendable {
    /// Decides on a request; nil when this host does not know the card and nobody can be asked.
    func authorize(_ request: AuthorizationRequest) -> AuthorizationResponse?
}

#endif
