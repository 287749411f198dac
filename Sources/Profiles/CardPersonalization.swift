import BERTLV
public import CardEngine
import EMVCrypto
import EMVData

/// A profile made into a card: everything checked, computed and signed, ready to be answered from.
///
/// Issuer and card certificates are signed with the keys of our test PKI. What a wallet puts in later is
/// not here: payment keys, random bytes, the state of user authentication.
public struct CardPersonalization: Sendable {
    /// What the card was made from.
    public let profile: CardProfile
    /// What the card says.
    public let image: CardImage
    /// The issuer of each application, in the order of the applications.
    public let issuers: [IssuerProfile]
    private let signingKeys: [SigningKey?]

    /// Makes a card of a profile.
    /// - Throws: `ProfilesError` with the path of what cannot be personalised.
    public init(_ profile: CardProfile) throws(ProfilesError) {
        try Self.check(profile)
        var issuers: [IssuerProfile] = []
        var applications: [CardApplication] = []
        var entries: [TLV] = []
        var signingKeys: [SigningKey?] = []
        for (index, application) in profile.applications.enumerated() {
            let path = "applications[\(index)]"
            let issuer = try Self.issuer(of: application, in: profile, path: path)
            let personalization = try ApplicationPersonalization(application, issuer, path: path)
            issuers.append(issuer)
            applications.append(try personalization.application())
            entries.append(personalization.directoryEntry)
            signingKeys.append(
                personalization.isSigning ? SigningKey(personalization.keys.card) : nil
            )
        }
        let directory = TLV(
            .fileControlInformation,
            [
                TLV(.dedicatedFileName, [UInt8]("2PAY.SYS.DDF01".utf8)),
                TLV(
                    .fileControlInformationProprietary,
                    [TLV(.issuerDiscretionaryData, entries)]
                ),
            ]
        ).encoded
        guard directory.count <= maximumResponseDataCount else {
            throw ProfilesError(
                "applications",
                "their directory has \(directory.count) bytes, of which \(maximumResponseDataCount) fit"
            )
        }
        self.profile = profile
        self.issuers = issuers
        self.signingKeys = signingKeys
        image = CardImage(
            uid: profile.uid,
            historicalBytes: profile.historicalBytes,
            directory: directory,
            applications: applications
        )
    }

    /// Makes the card, with its keys for offline data authentication and without payment keys.
    public func makeCard() -> Card {
        var card = Card(image: image)
        for (index, key) in signingKeys.enumerated() {
            guard let key else { continue }
            card.install(key.makeSigner(), forApplication: index)
        }
        return card
    }

    private static func check(_ profile: CardProfile) throws(ProfilesError) {
        guard [4, 7, 10].contains(profile.uid.count) else {
            throw ProfilesError("uid", "must have 4, 7 or 10 bytes, not \(profile.uid.count)")
        }
        guard profile.historicalBytes.count <= 15 else {
            throw ProfilesError("historicalBytes", "must have at most 15 bytes")
        }
        guard 1...CardImage.maximumApplicationCount ~= profile.applications.count else {
            throw ProfilesError(
                "applications",
                "must be 1 to \(CardImage.maximumApplicationCount), not \(profile.applications.count)"
            )
        }
        for (index, application) in profile.applications.enumerated()
        where profile.applications[..<index].contains(where: { $0.aid == application.aid }) {
            throw ProfilesError("applications[\(index)].aid", "another application has this AID")
        }
    }

    /// Finds the issuer of an application: the longest identification number that fits, the profile's own first.
    private static func issuer(
        of application: ApplicationProfile,
        in profile: CardProfile,
        path: String
    ) throws(ProfilesError) -> IssuerProfile {
        let candidates = profile.issuers + IssuerProfile.builtIn
        let issuer =
            candidates
            .filter { $0.scheme == application.scheme && $0.issues(application.pan.digits) }
            .max { $0.identificationNumber.count < $1.identificationNumber.count }
        guard let issuer else {
            let known = candidates.filter { $0.scheme == application.scheme }
                .map { $0.identificationNumber.map(String.init).joined() }
            throw ProfilesError(
                "\(path).pan",
                "no issuer has this number; the \(application.scheme.rawValue) numbers known start with "
                    + known.joined(separator: ", ")
                    + ", and \"issuers\" of the profile can add more"
            )
        }
        return issuer
    }
}

/// How many bytes of data a response holds.
let maximumResponseDataCount = 256

extension IssuerProfile {
    /// Makes the payment key of one transaction of a card.
    ///
    /// - Precondition: The application's cryptogram is made with a key that the counter alone decides, as those
    ///   of all profiles are.
    public func makePaymentKey(
        for application: ApplicationProfile,
        counter: UInt16
    ) -> PaymentKey {
        let cardKey = masterKey.cardKey(
            pan: application.pan.digits,
            sequenceNumber: application.panSequenceNumber
        )
        if application.cryptogram.usesLimitedUseKeys,
            let index = LimitedUseKeyIndex(year: 0, hour: 1, counter: 0)
        {
            var cipher = TripleDES(key: cardKey)
            return PaymentKey(
                transactionCounter: counter,
                cryptogramKey: cipher.limitedUseKey(index),
                derivationData: index.derivationData
            )
        }
        return PaymentKey(
            transactionCounter: counter,
            cryptogramKey: application.cryptogram.sessionKey(
                cardKey: cardKey,
                counter: counter,
                unpredictableNumber: 0
            )
        )
    }
}
