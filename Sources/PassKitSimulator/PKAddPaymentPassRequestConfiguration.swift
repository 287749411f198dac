public import Foundation

/// How a pass's data is encrypted; agreed with the token service, not chosen by the app.
public struct PKEncryptionScheme: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String
    /// Wraps a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Elliptic curves, version 2.
    public static var ECC_V2: Self { Self(rawValue: "EV_ECC_v2") }
    /// RSA, version 2.
    public static var RSA_V2: Self { Self(rawValue: "EV_RSA_v2") }
}

/// A payment network.
public struct PKPaymentNetwork: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String
    /// Wraps a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Visa.
    public static var visa: Self { Self(rawValue: "Visa") }
    /// Mastercard.
    public static var masterCard: Self { Self(rawValue: "MasterCard") }
}

/// What the user is asked to do, beside the card's data.
public enum PKAddPaymentPassStyle: Int, Hashable, Sendable {
    /// Pay.
    case payment = 0
    /// Enter and pay.
    case access = 1
}

/// A line about the card that Wallet shows.
public struct PKLabeledValue: Hashable, Sendable {
    /// What it is.
    public let label: String
    /// What it says.
    public let value: String
    /// Joins the two.
    public init(label: String, value: String) {
        self.label = label
        self.value = value
    }
}

/// What Wallet shows of a card that is to be added, and whose account it is; never an account number.
public final class PKAddPaymentPassRequestConfiguration {
    /// How the pass's data is encrypted.
    public let encryptionScheme: PKEncryptionScheme
    /// Which kind of pass it is.
    public var style = PKAddPaymentPassStyle.payment
    /// The name on the card.
    public var cardholderName: String?
    /// The last four or five digits of the account number.
    public var primaryAccountSuffix: String?
    /// Lines to show.
    public var cardDetails: [PKLabeledValue] = []
    /// What the card is called.
    public var localizedDescription: String?
    /// Names the account, once it has been on a device; only devices without it are offered.
    public var primaryAccountIdentifier: String?
    /// The payment network.
    public var paymentNetwork: PKPaymentNetwork?

    /// Starts empty; nil for an encryption scheme nobody knows.
    public init?(encryptionScheme: PKEncryptionScheme) {
        guard encryptionScheme == .ECC_V2 || encryptionScheme == .RSA_V2 else { return nil }
        self.encryptionScheme = encryptionScheme
    }

    init(_ values: PassConfiguration) {
        encryptionScheme = values.encryptionScheme
        style = values.style
        cardholderName = values.cardholderName
        primaryAccountSuffix = values.primaryAccountSuffix
        cardDetails = values.cardDetails
        localizedDescription = values.localizedDescription
        primaryAccountIdentifier = values.primaryAccountIdentifier
        paymentNetwork = values.paymentNetwork
    }
}

/// The values of a configuration, for other threads.
struct PassConfiguration: Hashable, Sendable {
    var encryptionScheme: PKEncryptionScheme
    var style: PKAddPaymentPassStyle
    var cardholderName: String?
    var primaryAccountSuffix: String?
    var cardDetails: [PKLabeledValue]
    var localizedDescription: String?
    var primaryAccountIdentifier: String?
    var paymentNetwork: PKPaymentNetwork?

    init(_ configuration: PKAddPaymentPassRequestConfiguration) {
        encryptionScheme = configuration.encryptionScheme
        style = configuration.style
        cardholderName = configuration.cardholderName
        primaryAccountSuffix = configuration.primaryAccountSuffix
        cardDetails = configuration.cardDetails
        localizedDescription = configuration.localizedDescription
        primaryAccountIdentifier = configuration.primaryAccountIdentifier
        paymentNetwork = configuration.paymentNetwork
    }
}

/// What the issuer's server has encrypted for the Apple Pay server.
public final class PKAddPaymentPassRequest {
    /// The account and the server's nonce, encrypted.
    public var encryptedPassData: Data?
    /// The issuer's word that it knows the user, which the token service passes on to the issuer.
    public var activationData: Data?
    /// The issuer's ephemeral key as a point of P-256, 65 bytes; of ECC_V2 alone.
    public var ephemeralPublicKey: Data?
    /// The key of the encrypted data, wrapped; of RSA_V2 alone.
    public var wrappedKey: Data?

    /// Starts empty.
    public init() {}
}

/// The values of a request, for other threads and servers.
public struct PassRequest: Hashable, Sendable {
    /// The account and the server's nonce, encrypted.
    public var encryptedPassData: Data?
    /// The issuer's word that it knows the user.
    public var activationData: Data?
    /// The issuer's ephemeral key.
    public var ephemeralPublicKey: Data?
    /// The wrapped key.
    public var wrappedKey: Data?

    /// Takes the values of a request.
    public init(_ request: PKAddPaymentPassRequest) {
        encryptedPassData = request.encryptedPassData
        activationData = request.activationData
        ephemeralPublicKey = request.ephemeralPublicKey
        wrappedKey = request.wrappedKey
    }
}

extension PKAddPaymentPassRequest {
    /// No answer of an issuer is longer, in bytes.
    static var maximumResponseByteCount: Int { 16_384 }

    /// Reads the usual answer of an issuer's server, JSON with Base64; nil for anything else.
    ///
    /// Apple leaves its form to issuers; this is the one that most of them have.
    public convenience init?(issuerResponse text: Data) {
        guard text.count <= Self.maximumResponseByteCount,
            let members = try? JSONDecoder().decode([String: Data].self, from: text)
        else { return nil }
        self.init()
        encryptedPassData = members["encryptedPassData"]
        activationData = members["activationData"]
        ephemeralPublicKey = members["ephemeralPublicKey"]
        wrappedKey = members["wrappedKey"]
    }
}
