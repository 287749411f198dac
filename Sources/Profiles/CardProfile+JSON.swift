import EMVData
import Octets

extension CardProfile {
    /// Reads a profile from JSON.
    /// - Throws: `ProfilesError` for the first thing that is missing, unknown or malformed.
    public init(json text: [UInt8]) throws(ProfilesError) {
        var object = try JSONObject(parsing: text)
        name = try object.line("name")
        isPublic = try object.boolean("public")
        uid = try object.hex("uid", 4...10)
        historicalBytes = try object.optionalHex("historicalBytes", 0...15) ?? []
        applications = []
        for element in try object.elements("applications") {
            let application = try JSONObject(element.value, path: element.path)
            applications.append(try ApplicationProfile(application))
        }
        issuers = []
        if object.has("issuers") {
            for element in try object.elements("issuers") {
                issuers.append(try IssuerProfile(JSONObject(element.value, path: element.path)))
            }
        }
        notes = try object.has("notes") ? object.texts("notes") : []
        try object.finish()
    }
}

extension ApplicationProfile {
    init(_ json: consuming JSONObject) throws(ProfilesError) {
        var object = json
        let scheme = try object.choice("scheme", of: Scheme.self)
        aid = try object.hex("aid", 5...16)
        label = try object.string("label")
        priority = UInt8(try object.integer("priority", in: 1...15))
        kernelIdentifier = try object.optionalHex("kernelIdentifier", 1...8)
        languages = try object.optionalString("languages")

        let digits = try object.digits("pan", 12...19)
        guard let number = PrimaryAccountNumber(digits: digits) else {
            throw ProfilesError(object.path(to: "pan"), "must be 12 to 19 digits")
        }
        pan = number
        let sequenceNumber = try object.integer("panSequenceNumber", in: 0...99)
        panSequenceNumber = UInt8((sequenceNumber / 10) << 4 | sequenceNumber % 10)
        expirationDate = try object.date("expirationDate")
        effectiveDate = try object.optionalDate("effectiveDate")
        serviceCode = try object.digits("serviceCode", 3...3)
        trackDiscretionaryData = try object.digits("trackDiscretionaryData", 0...19)
        cardholderName = try object.optionalString("cardholderName")
        issuerCountry = UInt16(try object.integer("issuerCountry", in: 1...999))
        currency = try object.currency("currency")

        interchangeProfile = try object.bits("interchangeProfile")
        usageControl = try object.bits("usageControl")
        processingOptionsList = try object.list("pdol", 0...252)
        derivationKeyIndex = UInt8(try object.integer("derivationKeyIndex", in: 0...255))
        consumerDeviceCVM = try object.choice("consumerDeviceCVM", of: ConsumerDeviceCVM.self)
        risk = try CardRisk(object.object("risk"))
        switch scheme {
        case .visa: details = .visa(try VisaDetails(&object))
        case .mastercard: details = .mastercard(try MastercardDetails(&object))
        }
        recordObjects = try object.dataObjects("recordObjects")
        retrievableObjects = try object.dataObjects("retrievableObjects")
        try object.finish()
    }
}

extension CardRisk {
    init(_ json: consuming JSONObject) throws(ProfilesError) {
        var object = json
        offlineLimitMinorUnits = try object.optionalInteger(
            "offlineLimitMinorUnits",
            in: 0...maximumAmount
        )
        declineLimitMinorUnits = try object.optionalInteger(
            "declineLimitMinorUnits",
            in: 0...maximumAmount
        )
        allowsOfflineAbroad = try object.boolean("allowsOfflineAbroad")
        try object.finish()
    }
}

extension ApplicationProfile.VisaDetails {
    fileprivate init(_ object: inout JSONObject) throws(ProfilesError) {
        cryptogramVersion = Int(try object.integer("cryptogramVersion", in: 0...255))
        guard [10, 17, 18, 43].contains(cryptogramVersion) else {
            throw ProfilesError(
                object.path(to: "cryptogramVersion"),
                "must be 10, 17, 18 or 43, not \(cryptogramVersion)"
            )
        }
        transactionQualifiers = try object.bits("transactionQualifiers")
        acceptsOnlinePIN = try object.boolean("acceptsOnlinePIN")
        acceptsSignature = try object.boolean("acceptsSignature")
        formFactor = try object.optionalHex("formFactor", 4...4)
    }
}

extension ApplicationProfile.MastercardDetails {
    fileprivate init(_ object: inout JSONObject) throws(ProfilesError) {
        riskManagementList = try object.list("cdol1", 1...252)
        let bytes = try object.hex("cvmList", 8...252)
        do throws(EMVDataError) {
            cvmList = try CVMList(parsing: bytes)
        } catch {
            throw ProfilesError(
                object.path(to: "cvmList"),
                "must be two amounts of four bytes and two bytes for each rule"
            )
        }
        issuerActionCodes = try ActionCodes(object.object("issuerActionCodes"))
        let version = try object.hex("applicationVersion", 2...2)
        applicationVersion = UInt16(version[0]) << 8 | UInt16(version[1])
        capabilities = try object.optionalHex("capabilities", 3...3)
    }
}

/// The largest amount a terminal can send: twelve digits.
let maximumAmount: UInt64 = 999_999_999_999

extension JSONObject {
    /// A currency by its three letters, or by its number in three digits.
    mutating func currency(_ name: String) throws(ProfilesError) -> Currency {
        let text = try string(name)
        if let currency = Currency(alphabetic: text) { return currency }
        if text.utf8.count == 3, let digits = PackedDigits.digits(of: text) {
            return Currency(rawValue: digits.reduce(0) { $0 * 10 + UInt16($1) })
        }
        throw ProfilesError(
            path(to: name),
            "must be a currency of ISO 4217 such as \"EUR\", not \"\(text)\""
        )
    }

    /// A data object made of bits, in hexadecimal digits.
    mutating func bits<Bits: BitField>(_ name: String) throws(ProfilesError) -> Bits {
        let bytes = try hex(name, Bits.byteCount...Bits.byteCount)
        guard let bits = Bits(bytes: bytes) else {
            throw ProfilesError(path(to: name), "must have \(Bits.byteCount) bytes")
        }
        return bits
    }

    /// A data object list, in hexadecimal digits.
    mutating func list(
        _ name: String,
        _ counts: ClosedRange<Int>
    ) throws(ProfilesError) -> DataObjectList {
        let bytes = try hex(name, counts)
        do throws(EMVDataError) {
            return try DataObjectList(parsing: bytes)
        } catch {
            throw ProfilesError(
                path(to: name),
                "is no list of tags and lengths: the entry at byte \(error.offset + 1) is malformed"
            )
        }
    }
}
