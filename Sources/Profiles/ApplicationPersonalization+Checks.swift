import BERTLV
import EMVData
import Octets

extension ApplicationPersonalization {
    func failure(_ member: String, _ problem: String) -> ProfilesError {
        ProfilesError("\(path).\(member)", problem)
    }

    func checkNames() throws(ProfilesError) {
        let rid = profile.scheme.rid
        guard 5...16 ~= profile.aid.count, profile.aid.starts(with: rid) else {
            throw failure(
                "aid",
                "must have 5 to 16 bytes and start with the RID of \(profile.scheme.rawValue), \(rid.hex)"
            )
        }
        guard Self.isText(profile.label, 1...16) else {
            throw failure("label", "must be 1 to 16 letters, digits or signs of ASCII")
        }
        guard 1...15 ~= profile.priority else {
            throw failure("priority", "must be 1, the highest, to 15")
        }
        if let identifier = profile.kernelIdentifier {
            guard identifier.count == 1 || 3...8 ~= identifier.count else {
                throw failure("kernelIdentifier", "must have one or 3 to 8 bytes")
            }
        }
        if let languages = profile.languages {
            guard [2, 4, 6, 8].contains(languages.utf8.count),
                languages.utf8.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 })
            else {
                throw failure(
                    "languages",
                    "must be one to four codes of two small letters, as \"ende\""
                )
            }
        }
        if let name = profile.cardholderName {
            guard Self.isText(name, 2...26) else {
                throw failure("cardholderName", "must be 2 to 26 letters, digits or signs of ASCII")
            }
        }
    }

    func checkAccount() throws(ProfilesError) {
        guard 12...19 ~= profile.pan.digits.count else {
            throw failure("pan", "must be 12 to 19 digits")
        }
        guard profile.serviceCode.count == 3 else {
            throw failure("serviceCode", "must be 3 digits")
        }
        // Track 2 holds 37 digits: PAN, separator, YYMM, service code, discretionary data (ISO/IEC 7813).
        let room = 37 - profile.pan.digits.count - 8
        guard profile.trackDiscretionaryData.count <= room else {
            throw failure(
                "trackDiscretionaryData",
                "must be at most \(room) digits beside this PAN"
            )
        }
        if let effectiveDate = profile.effectiveDate {
            guard effectiveDate <= profile.expirationDate else {
                throw failure("expirationDate", "lies before effectiveDate")
            }
        }
    }

    func checkRisk() throws(ProfilesError) {
        guard isSigning || profile.risk.offlineLimitMinorUnits == nil else {
            let bit = profile.scheme == .visa ? "20 (DDA)" : "01 (CDA)"
            throw failure(
                "risk.offlineLimitMinorUnits",
                "needs offline data authentication: bit \(bit) in byte 1 of interchangeProfile"
            )
        }
        guard profile.scheme == .mastercard else { return }
        let interchange = profile.interchangeProfile
        guard interchange.supportsEMVMode else {
            throw failure("interchangeProfile", "must have bit 80 (EMV mode) in byte 2")
        }
        let isDevice = profile.consumerDeviceCVM != .none
        guard interchange.supportsOnDeviceCardholderVerification == isDevice else {
            let text = isDevice ? "must have" : "must not have"
            throw failure(
                "interchangeProfile",
                "\(text) bit 02 (on-device cardholder verification) in byte 1, since consumerDeviceCVM is "
                    + "\"\(profile.consumerDeviceCVM.rawValue)\""
            )
        }
    }

    func checkObjects() throws(ProfilesError) {
        try checkLength(of: profile.processingOptionsList, "pdol")
        for object in profile.recordObjects where Self.ownTags.contains(object.tag) {
            throw failure("recordObjects.\(object.tag)", "is set by the profile's other members")
        }
        for object in profile.retrievableObjects {
            guard object.tag.byteCount <= 2, object.tag != .applicationTransactionCounter else {
                throw failure(
                    "retrievableObjects.\(object.tag)",
                    "cannot be set: GET DATA takes tags of one or two bytes, and 9F36 is the card's own"
                )
            }
        }
    }

    /// What personalisation itself puts into responses and records; no object may come twice in a transaction.
    static let ownTags: Set<Tag> = [
        .track2EquivalentData, .applicationPAN, .cardholderName, .applicationExpirationDate,
        .applicationEffectiveDate, .issuerCountryCode, .panSequenceNumber,
        .applicationInterchangeProfile, .dedicatedFileName, .applicationFileLocator,
        .cardRiskManagementList1, .cvmList, .certificationAuthorityKeyIndex,
        .issuerPublicKeyCertificate, .issuerPublicKeyRemainder, .issuerPublicKeyExponent,
        .iccPublicKeyCertificate, .iccPublicKeyRemainder, .iccPublicKeyExponent,
        .applicationUsageControl, .applicationVersionNumber, .issuerActionCodeDefault,
        .issuerActionCodeDenial, .issuerActionCodeOnline, .issuerApplicationData,
        .applicationCryptogram, .cryptogramInformationData, .applicationTransactionCounter,
        .applicationCurrencyCode, .staticDataAuthenticationTagList,
        .signedDynamicApplicationData, .cardAuthenticationRelatedData, .cardTransactionQualifiers,
        .posCardholderInteractionInformation,
    ]

    private static func isText(_ text: String, _ counts: ClosedRange<Int>) -> Bool {
        counts.contains(text.utf8.count) && text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }
}
