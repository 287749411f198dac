import EMVCrypto
import EMVData
import Octets
import Profiles
import TestSupport

/// A built-in card with another number, other keys and another mind about offline payments.
struct RandomProfile {
    let scheme: Scheme
    let card: CardProfile
    let masterKey: [UInt8]
    let derivation: MasterKeyDerivation
    /// The number of the account the card's token stands for.
    let account: PrimaryAccountNumber

    init(_ generator: inout SeededGenerator) {
        let scheme = Scheme.allCases.randomElement(using: &generator) ?? .visa
        self.scheme = scheme
        let masterKey = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        self.masterKey = masterKey
        let derivation = Bool.random(using: &generator) ? MasterKeyDerivation.optionA : .optionB
        self.derivation = derivation
        var profile = CardProfile.builtIn(scheme)
        var application = profile.applications[0]

        let lead = application.pan.digits.prefix(6)
        let identificationNumber =
            lead + (0..<2).map { _ in UInt8.random(in: 0...9, using: &generator) }
        application.pan = Self.number(startingWith: identificationNumber, &generator)
        account = Self.number(startingWith: identificationNumber, &generator)
        let digits = (0..<2).map { _ in UInt8.random(in: 0...9, using: &generator) }
        application.panSequenceNumber = digits[0] << 4 | digits[1]
        let offlineLimits: [UInt64?] = [nil, 0, 2500, 20000]
        let declineLimits: [UInt64?] = [nil, nil, nil, 5000]
        application.risk = CardRisk(
            offlineLimitMinorUnits: offlineLimits.randomElement(using: &generator) ?? nil,
            declineLimitMinorUnits: declineLimits.randomElement(using: &generator) ?? nil,
            allowsOfflineAbroad: Bool.random(using: &generator)
        )
        if case .visa(var details) = application.details {
            details.cryptogramVersion = [10, 17, 18, 43].randomElement(using: &generator) ?? 18
            application.details = .visa(details)
            let devices = ConsumerDeviceCVM.allCases
            application.consumerDeviceCVM = devices.randomElement(using: &generator) ?? .onRequest
        }
        profile.applications = [application]

        guard let key = DoubleLengthKey(masterKey.span) else {
            preconditionFailure("sixteen bytes")
        }
        profile.issuers = [
            IssuerProfile(
                name: "random issuer",
                scheme: scheme,
                identificationNumber: [UInt8](identificationNumber),
                masterKey: IssuerMasterKey(key, derivation: derivation)
            )
        ]
        card = profile
    }

    /// Draws a number of sixteen digits with a right check digit.
    private static func number(
        startingWith lead: some Sequence<UInt8>,
        _ generator: inout SeededGenerator
    ) -> PrimaryAccountNumber {
        var digits = [UInt8](lead)
        while digits.count < 15 { digits.append(UInt8.random(in: 0...9, using: &generator)) }
        for check in 0...9 as ClosedRange<UInt8> {
            let number = PrimaryAccountNumber(digits: digits + [check])
            if let number, number.hasValidCheckDigit { return number }
        }
        preconditionFailure("one of ten digits is the check digit")
    }
}
