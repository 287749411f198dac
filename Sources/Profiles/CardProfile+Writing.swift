import BERTLV
import EMVData
import Octets

extension CardProfile {
    /// The profile as a file that `init(json:)` reads.
    ///
    /// - Throws: `ProfilesError` for an issuer with a key of its own: keys are not written.
    public func json() throws(ProfilesError) -> String {
        var members: [JSONValue.Member] = [
            .init("name", .string(name)), .init("public", .boolean(isPublic)),
        ]
        if !notes.isEmpty { members.append(.init("notes", .array(notes.map { .string($0) }))) }
        members += [
            .init("uid", .string(uid.hex)), .init("historicalBytes", .string(historicalBytes.hex)),
            .init("applications", .array(applications.map(\.json))),
        ]
        if !issuers.isEmpty {
            var values: [JSONValue] = []
            for (index, issuer) in issuers.enumerated() {
                guard issuer.masterKey === IssuerProfile.testKey(of: issuer.scheme) else {
                    throw ProfilesError(
                        "issuers[\(index)].masterKey",
                        "is not written; only the test issuer's key is everybody's"
                    )
                }
                values.append(issuer.json)
            }
            members.append(.init("issuers", .array(values)))
        }
        return JSONValue.object(members).text
    }
}

extension IssuerProfile {
    /// The issuer without its key, which is then that of the scheme's test issuer.
    fileprivate var json: JSONValue {
        .object([
            .init("name", .string(name)), .init("scheme", .string(scheme.rawValue)),
            .init("identificationNumber", .string(identificationNumber.digitText)),
        ])
    }
}

extension ApplicationProfile {
    fileprivate var json: JSONValue {
        let sequenceNumber = panSequenceNumber >> 4 * 10 + panSequenceNumber & 0x0F
        var members: [JSONValue.Member] = [
            .init("scheme", .string(scheme.rawValue)), .init("aid", .string(aid.hex)),
            .init("label", .string(label)), .init("priority", .init(priority)),
            .init("kernelIdentifier", .init(kernelIdentifier?.hex)),
            .init("languages", .init(languages)), .init("pan", .string(pan.text)),
            .init("panSequenceNumber", .init(sequenceNumber)),
            .init("expirationDate", .string("\(expirationDate)")),
            .init("effectiveDate", .init(effectiveDate.map { "\($0)" })),
            .init("serviceCode", .string(serviceCode.digitText)),
            .init("trackDiscretionaryData", .string(trackDiscretionaryData.digitText)),
            .init("cardholderName", .init(cardholderName)),
            .init("issuerCountry", .init(issuerCountry)),
            .init("currency", .string(currency.profileText)),
            .init("interchangeProfile", .string(interchangeProfile.bytes.hex)),
            .init("usageControl", .string(usageControl.bytes.hex)),
            .init("pdol", .string(processingOptionsList.spacedHex)),
            .init("derivationKeyIndex", .init(derivationKeyIndex)),
            .init("consumerDeviceCVM", .string(consumerDeviceCVM.rawValue)),
            .init("risk", risk.json),
        ]
        members += details.members
        members += [
            .init("recordObjects", Self.json(recordObjects)),
            .init("retrievableObjects", Self.json(retrievableObjects)),
        ]
        return .object(members)
    }

    private static func json(_ objects: [DataObject]) -> JSONValue {
        .object(objects.map { .init($0.tag.bytes.hex, .string($0.value.hex)) })
    }
}

extension ApplicationProfile.Details {
    fileprivate var members: [JSONValue.Member] {
        switch self {
        case .visa(let visa):
            [
                .init("cryptogramVersion", .init(visa.cryptogramVersion)),
                .init("transactionQualifiers", .string(visa.transactionQualifiers.bytes.hex)),
                .init("acceptsOnlinePIN", .boolean(visa.acceptsOnlinePIN)),
                .init("acceptsSignature", .boolean(visa.acceptsSignature)),
                .init("formFactor", .init(visa.formFactor?.hex)),
            ]
        case .mastercard(let mastercard):
            [
                .init("cdol1", .string(mastercard.riskManagementList.spacedHex)),
                .init("cvmList", .string(mastercard.cvmList.bytes.hex)),
                .init("issuerActionCodes", mastercard.issuerActionCodes.json),
                .init(
                    "applicationVersion",
                    .string(
                        [
                            UInt8(mastercard.applicationVersion >> 8),
                            UInt8(mastercard.applicationVersion & 0xFF),
                        ].hex
                    )
                ),
                .init("capabilities", .init(mastercard.capabilities?.hex)),
            ]
        }
    }
}

extension ActionCodes {
    fileprivate var json: JSONValue {
        .object([
            .init("denial", .string(denial.hex)), .init("online", .string(online.hex)),
            .init("default", .string(`default`.hex)),
        ])
    }
}

extension CardRisk {
    fileprivate var json: JSONValue {
        .object([
            .init("offlineLimitMinorUnits", .init(offlineLimitMinorUnits)),
            .init("declineLimitMinorUnits", .init(declineLimitMinorUnits)),
            .init("allowsOfflineAbroad", .boolean(allowsOfflineAbroad)),
        ])
    }
}

extension Currency {
    /// The three letters, or the number in three digits.
    fileprivate var profileText: String {
        let digits = String(rawValue)
        return alphabetic ?? String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    }
}

extension DataObjectList {
    /// The bytes in hexadecimal, entry by entry.
    fileprivate var spacedHex: String {
        entries.map { DataObjectList(entries: [$0]).bytes.hex }.joined(separator: " ")
    }
}

extension [UInt8] {
    /// Digits, one an element, as text.
    fileprivate var digitText: String { map(String.init).joined() }
}
