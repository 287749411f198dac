import BERTLV
import EMVCrypto
import EMVData
import Octets

/// One application of a card that was read, while it becomes one of ours.
struct ApplicationCopy {
    /// Why there is no copy, a phrase.
    struct Refusal: Error {
        var reason: String
    }

    /// The copy.
    private(set) var profile: ApplicationProfile
    /// The account number that was read.
    let accountNumber: PrimaryAccountNumber
    /// What the copy has otherwise than the card, one sentence each.
    private(set) var differences: [String]

    /// Copies an application.
    /// - Parameters:
    ///   - reading: What was read.
    ///   - numbers: What stands for account numbers; nil keeps what was read.
    /// - Throws: `Refusal`.
    init(
        _ reading: CardContents.Application,
        _ numbers: TestAccountNumbers?
    ) throws(Refusal) {
        var source = ApplicationSource(reading)
        let scheme = try source.scheme()
        let interchange = try source.interchangeProfile()
        let account = try source.account()
        accountNumber = account.number
        var shown = account
        if let numbers {
            guard let number = numbers.number(for: account.number, of: scheme) else {
                throw Refusal(
                    reason: "its account number has \(account.number.digits.count) digits, too few"
                )
            }
            shown.replace(number)
        }
        let details: ApplicationProfile.Details
        switch scheme {
        case .visa: details = .visa(try source.visa())
        case .mastercard: details = .mastercard(try source.mastercard(interchange))
        }
        let isDevice =
            switch scheme {
            case .visa: interchange.isMobilePhone || source.performsDeviceCVM
            case .mastercard: interchange.supportsOnDeviceCardholderVerification
            }
        profile = ApplicationProfile(
            aid: reading.name,
            label: source.label(scheme),
            priority: source.priority,
            kernelIdentifier: source.kernelIdentifier,
            languages: source.languages,
            pan: shown.number,
            panSequenceNumber: source.sequenceNumber(),
            expirationDate: account.expirationDate,
            effectiveDate: source.effectiveDate(before: account.expirationDate),
            serviceCode: account.serviceCode,
            trackDiscretionaryData: shown.discretionaryData,
            cardholderName: source.cardholderName(isKept: numbers == nil),
            issuerCountry: source.issuerCountry(),
            currency: source.currency(),
            interchangeProfile: interchange,
            usageControl: source.usageControl(),
            processingOptionsList: try source.processingOptionsList(),
            derivationKeyIndex: source.issuerData?.derivationKeyIndex ?? 1,
            consumerDeviceCVM: isDevice ? .onRequest : .none,
            risk: CardRisk(
                offlineLimitMinorUnits: nil,
                declineLimitMinorUnits: nil,
                allowsOfflineAbroad: false
            ),
            details: details,
            recordObjects: source.recordObjects(numbers == nil ? nil : shown.number),
            retrievableObjects: source.retrievableObjects(isKept: numbers == nil)
        )
        source.compare(track: account)
        differences = source.differences
        try settle()
    }

    /// Makes sure that a card can be made of the copy, if need be one that does not authenticate itself offline.
    private mutating func settle() throws(Refusal) {
        guard let error = problem(profile) else { return }
        var unsigned = profile
        unsigned.interchangeProfile.supportsDDA = false
        unsigned.interchangeProfile.supportsCDA = false
        guard unsigned != profile, problem(unsigned) == nil else {
            throw Refusal(reason: "it cannot be emulated: \(error)")
        }
        profile = unsigned
        differences.append("The copy has no offline data authentication: \(error).")
    }

    /// What is in the way of a card; nil where nothing is.
    private func problem(_ application: ApplicationProfile) -> ProfilesError? {
        let issuer = IssuerProfile(
            name: "",
            scheme: application.scheme,
            identificationNumber: Array(application.pan.digits.prefix(6)),
            masterKey: IssuerProfile.testKey(of: application.scheme)
        )
        do throws(ProfilesError) {
            let card = CardProfile(
                name: "",
                isPublic: true,
                uid: [0x08, 0, 0, 0],
                applications: [application],
                issuers: [issuer]
            )
            _ = try CardPersonalization(card)
            return nil
        } catch {
            let member = error.path.split(separator: ".").dropFirst().joined(separator: ".")
            return ProfilesError(member, error.problem)
        }
    }
}
