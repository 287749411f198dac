import BERTLV
import CardEngine
import EMVCrypto
import EMVData
import Octets

/// One application of a profile while it is checked and made into what the engine answers from.
struct ApplicationPersonalization {
    let profile: ApplicationProfile
    let issuer: IssuerProfile
    let path: String
    let keys: TestPKI

    init(
        _ profile: ApplicationProfile,
        _ issuer: IssuerProfile,
        path: String
    ) throws(ProfilesError) {
        self.profile = profile
        self.issuer = issuer
        self.path = path
        keys = TestPKI[profile.scheme]
        try checkNames()
        try checkAccount()
        try checkRisk()
        try checkObjects()
    }

    /// Whether the application authenticates itself offline: fast DDA for Visa, CDA for Mastercard.
    var isSigning: Bool {
        switch profile.scheme {
        case .visa: profile.interchangeProfile.supportsDDA
        case .mastercard: profile.interchangeProfile.supportsCDA
        }
    }

    func application() throws(ProfilesError) -> CardApplication {
        let (records, fileLocator) = try records()
        return CardApplication(
            name: profile.aid,
            selectionResponse: try selectionResponse(),
            processingDataCount: profile.processingOptionsList.count,
            interchangeProfile: profile.interchangeProfile.rawValue,
            records: records,
            retrievableObjects: profile.retrievableObjects.map {
                .init(tag: $0.tag, contents: TLV($0.tag, $0.value).encoded)
            },
            consumerDeviceCVM: consumerDeviceCVM,
            limits: limits,
            cryptography: try cryptography(fileLocator)
        )
    }

    /// The application's entry in the directory (61).
    var directoryEntry: TLV {
        var objects = [
            TLV(.applicationIdentifier, profile.aid),
            TLV(.applicationLabel, [UInt8](profile.label.utf8)),
            TLV(.applicationPriority, [profile.priority]),
        ]
        if let kernelIdentifier = profile.kernelIdentifier {
            objects.append(TLV(.kernelIdentifier, kernelIdentifier))
        }
        return TLV(.applicationTemplate, objects)
    }

    /// File Control Information (6F), the response to SELECT.
    private func selectionResponse() throws(ProfilesError) -> [UInt8] {
        var objects = [
            TLV(.applicationLabel, [UInt8](profile.label.utf8)),
            TLV(.applicationPriority, [profile.priority]),
        ]
        if let languages = profile.languages {
            objects.append(TLV(.languagePreference, [UInt8](languages.utf8)))
        }
        if !profile.processingOptionsList.entries.isEmpty {
            objects.append(TLV(.processingOptionsList, profile.processingOptionsList.bytes))
        }
        if case .mastercard(let mastercard) = profile.details,
            let capabilities = mastercard.capabilities
        {
            objects.append(
                TLV(
                    .issuerDiscretionaryData,
                    [TLV(.applicationCapabilitiesInformation, capabilities)]
                )
            )
        }
        let response = TLV(
            .fileControlInformation,
            [
                TLV(.dedicatedFileName, profile.aid),
                TLV(.fileControlInformationProprietary, objects),
            ]
        ).encoded
        guard response.count <= maximumResponseDataCount else {
            throw ProfilesError(
                "\(path).pdol",
                "is too long: the response to SELECT has \(response.count) bytes, of which "
                    + "\(maximumResponseDataCount) fit"
            )
        }
        return response
    }

    private var consumerDeviceCVM: CardApplication.ConsumerDeviceCVM {
        switch profile.consumerDeviceCVM {
        case .none: .none
        case .onRequest: .onRequest
        case .always: .always
        }
    }

    private var limits: CardLimits {
        let country = issuerCountry
        return CardLimits(
            offlineMinorUnits: profile.risk.offlineLimitMinorUnits,
            declineMinorUnits: profile.risk.declineLimitMinorUnits,
            currency: profile.currency.rawValue,
            country: UInt16(country[0]) << 8 | UInt16(country[1]),
            allowsOfflineAbroad: profile.risk.allowsOfflineAbroad
        )
    }

    /// Issuer country code (5F28).
    var issuerCountry: [UInt8] {
        PackedDigits.numeric(UInt64(profile.issuerCountry), byteCount: 2) ?? [0, 0]
    }

    private func cryptography(
        _ fileLocator: [UInt8]
    ) throws(ProfilesError) -> CardApplication.Cryptography {
        switch profile.details {
        case .visa(let visa): .qvsdc(try qvsdc(visa, fileLocator))
        case .mastercard(let mastercard): .mchip(try mchip(mastercard, fileLocator))
        }
    }
}
