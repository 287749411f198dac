import BERTLV
import EMVData
import Octets

/// The data objects of an application that was read, and what a profile makes of each.
///
/// It notes what it has to assume, because the card did not tell it.
struct ApplicationSource {
    private let reading: CardContents.Application
    private let objects: [TLV]
    /// What the copy has otherwise than the card, one sentence each.
    private(set) var differences: [String] = []

    init(_ reading: CardContents.Application) {
        self.reading = reading
        objects = reading.objects
    }

    private typealias Refusal = ApplicationCopy.Refusal

    /// The first object of a tag, where it has that many bytes.
    private func value(_ tag: Tag, _ counts: ClosedRange<Int> = 0...255) -> [UInt8]? {
        guard let value = TLV.first(tag, in: objects)?.value, counts.contains(value.count) else {
            return nil
        }
        return value
    }

    /// An object, or what is assumed for it where the card has none.
    private mutating func value<Value>(
        _ tag: Tag,
        else assumed: Value,
        _ text: String,
        _ read: ([UInt8]) -> Value?
    ) -> Value {
        if let value = value(tag).flatMap(read) { return value }
        differences.append("\(tag) was not read; the copy has \(text).")
        return assumed
    }
}

// MARK: Whose it is

extension ApplicationSource {
    func scheme() throws(ApplicationCopy.Refusal) -> Scheme {
        guard let scheme = Scheme.allCases.first(where: { reading.name.starts(with: $0.rid) })
        else {
            throw Refusal(reason: "only Visa's and Mastercard's applications can be emulated")
        }
        return scheme
    }

    /// Account number and track.
    func account() throws(ApplicationCopy.Refusal) -> CopiedAccount {
        let tracks = [Tag.track2EquivalentData, .track2Data].compactMap { tag in
            value(tag).flatMap { try? Track2(parsing: $0) }
        }
        let stated = value(.applicationPAN).flatMap { try? PrimaryAccountNumber(parsing: $0) }
        guard let number = stated ?? tracks.first?.accountNumber else {
            throw Refusal(reason: "its account number could not be read (5A, 57)")
        }
        guard 12...19 ~= number.digits.count else {
            throw Refusal(
                reason: "its account number has \(number.digits.count) digits, not 12 to 19"
            )
        }
        let track = tracks.first
        let date =
            value(.applicationExpirationDate).flatMap(Self.date)
            ?? track.flatMap(\.lastDay)
        guard let date else {
            throw Refusal(reason: "its expiry date could not be read (5F24, 57)")
        }
        // Track 2 has 37 digits at most; separator, date and service code are eight of them.
        let room = 37 - number.digits.count - 8
        return CopiedAccount(
            number: number,
            expirationDate: date,
            serviceCode: track?.serviceCode ?? [2, 0, 1],
            discretionaryData: Array((track?.discretionaryData ?? []).prefix(room))
        )
    }

    /// Notes where the copy's track is another one than the card's.
    mutating func compare(track account: CopiedAccount) {
        guard let value = value(.track2EquivalentData) else { return }
        let copied = Track2(
            accountNumber: account.number,
            expiryYear: UInt8(account.expirationDate.year % 100),
            expiryMonth: UInt8(account.expirationDate.month),
            serviceCode: account.serviceCode,
            discretionaryData: account.discretionaryData
        )
        guard (try? Track2(parsing: value)) != copied else { return }
        differences.append(
            "57 differs from 5A and 5F24 on the card, or is damaged; not on the copy."
        )
    }

    func label(_ scheme: Scheme) -> String {
        let bytes = value(.applicationLabel, 1...16) ?? [UInt8](scheme.rawValue.uppercased().utf8)
        return Self.text(bytes)
    }

    var priority: UInt8 {
        max(1, (value(.applicationPriority, 1...1)?[0] ?? 1) & 0x0F)
    }

    var kernelIdentifier: [UInt8]? {
        value(.kernelIdentifier).flatMap { $0.count == 1 || 3...8 ~= $0.count ? $0 : nil }
    }

    var languages: String? {
        guard let bytes = value(.languagePreference), [2, 4, 6, 8].contains(bytes.count) else {
            return nil
        }
        let text = Self.text(bytes).lowercased()
        return text.utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 } ? text : nil
    }

    mutating func sequenceNumber() -> UInt8 {
        value(.panSequenceNumber, else: 0, "00") { bytes in
            bytes.count == 1 && PackedDigits.number(bytes) != nil ? bytes[0] : nil
        }
    }

    func effectiveDate(before end: TransactionDate) -> TransactionDate? {
        value(.applicationEffectiveDate).flatMap(Self.date)
            .flatMap { $0 <= end ? $0 : nil }
    }

    func cardholderName(isKept: Bool) -> String? {
        guard let bytes = value(.cardholderName, 2...26) else { return nil }
        return isKept ? Self.text(bytes) : "TEST CARD/COPY"
    }

    mutating func issuerCountry() -> UInt16 {
        value(.issuerCountryCode, else: 276, "Germany") { bytes in
            guard bytes.count == 2, let number = PackedDigits.number(bytes), number > 0 else {
                return nil
            }
            return UInt16(exactly: number)
        }
    }

    mutating func currency() -> Currency {
        value(.applicationCurrencyCode, else: .eur, "EUR") { bytes in
            PackedDigits.number(bytes).flatMap { 1...999 ~= $0 ? Currency(bytes: bytes) : nil }
        }
    }

    mutating func usageControl() -> ApplicationUsageControl {
        let everything = ApplicationUsageControl(bytes: [0xFF, 0xC0]) ?? ApplicationUsageControl()
        return value(.applicationUsageControl, else: everything, "FFC0") {
            ApplicationUsageControl(bytes: $0)
        }
    }

    /// A day; cards may give the 31st of any month, which is its last day then.
    private static func date(_ bytes: [UInt8]) -> TransactionDate? {
        TransactionDate(bytes: bytes).flatMap { date in
            TransactionDate(year: date.year, month: date.month, day: date.day)
                ?? TransactionDate(lastOf: date.month, year: date.year)
        }
    }

    /// Bytes as text, with a question mark for each that is no letter, digit or sign.
    private static func text(_ bytes: [UInt8]) -> String {
        String(
            decoding: bytes.map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") },
            as: UTF8.self
        )
    }
}

// MARK: What it does

extension ApplicationSource {
    func interchangeProfile() throws(ApplicationCopy.Refusal) -> ApplicationInterchangeProfile {
        let template = TLV.first(.responseTemplate1, in: reading.processingOptions)?.value
        let bytes = value(.applicationInterchangeProfile) ?? template.map { Array($0.prefix(2)) }
        guard let profile = bytes.flatMap({ ApplicationInterchangeProfile(bytes: $0) }) else {
            throw Refusal(reason: "it gave no processing options (82)")
        }
        return profile
    }

    func processingOptionsList() throws(ApplicationCopy.Refusal) -> DataObjectList {
        guard let bytes = value(.processingOptionsList) else { return DataObjectList(entries: []) }
        guard let list = try? DataObjectList(parsing: bytes) else {
            throw Refusal(reason: "the list of data it wants (9F38) cannot be read")
        }
        return list
    }

    /// The issuer application data of the response.
    var issuerData: IssuerApplicationData? {
        value(.issuerApplicationData).flatMap { IssuerApplicationData(bytes: $0) }
    }

    private var transactionQualifiers: CardTransactionQualifiers? {
        value(.cardTransactionQualifiers).flatMap { CardTransactionQualifiers(bytes: $0) }
    }

    /// Whether the device has verified its user already.
    var performsDeviceCVM: Bool { transactionQualifiers?.consumerDeviceCVMPerformed ?? false }

    mutating func visa() throws(ApplicationCopy.Refusal) -> ApplicationProfile.VisaDetails {
        var qualifiers = transactionQualifiers ?? CardTransactionQualifiers()
        // These are decided anew in every transaction.
        qualifiers.requiresOnlinePIN = false
        qualifiers.requiresSignature = false
        qualifiers.consumerDeviceCVMPerformed = false
        return ApplicationProfile.VisaDetails(
            cryptogramVersion: try cryptogramVersion(),
            transactionQualifiers: qualifiers,
            acceptsOnlinePIN: true,
            acceptsSignature: true,
            formFactor: value(.formFactorIndicator, 4...4)
        )
    }

    private mutating func cryptogramVersion() throws(ApplicationCopy.Refusal) -> Int {
        let list = try processingOptionsList()
        // Version 17 signs two objects of the terminal's, the others eight.
        let assumed = list.contains(.terminalVerificationResults) ? 18 : 17
        guard let data = issuerData else {
            differences.append(
                "9F10 was not read; the copy makes cryptograms of version \(assumed)."
            )
            return assumed
        }
        switch (data.format, data.cryptogramVersion) {
        case (.visa, 10), (.visa, 17), (.visa, 18): return Int(data.cryptogramVersion)
        case (.visaDevice, 0x43): return 43
        default:
            differences.append(
                "Its cryptograms are of version \([data.cryptogramVersion].hex), the copy's of version \(assumed)."
            )
            return assumed
        }
    }

    mutating func mastercard(
        _ interchange: ApplicationInterchangeProfile
    ) throws(ApplicationCopy.Refusal) -> ApplicationProfile.MastercardDetails {
        guard interchange.supportsEMVMode else {
            throw Refusal(reason: "it pays in magnetic stripe mode only, which cannot be emulated")
        }
        guard let bytes = value(.cardRiskManagementList1, 1...252),
            let list = try? DataObjectList(parsing: bytes)
        else {
            throw Refusal(reason: "the list of data for its cryptogram (8C) could not be read")
        }
        let noVerification = CVMList(rules: [])
        func code(_ tag: Tag, _ assumed: UInt8) -> [UInt8] {
            // EMV Book 3, 10.7: where the issuer gives none, it never declines and always goes online.
            value(tag, 5...5) ?? [UInt8](repeating: assumed, count: 5)
        }
        return ApplicationProfile.MastercardDetails(
            riskManagementList: list,
            cvmList: value(.cvmList, else: noVerification, "no rule") { try? CVMList(parsing: $0) },
            issuerActionCodes: ActionCodes(
                denial: code(.issuerActionCodeDenial, 0x00),
                online: code(.issuerActionCodeOnline, 0xFF),
                default: code(.issuerActionCodeDefault, 0xFF)
            ),
            applicationVersion: value(.applicationVersionNumber, else: 2, "0002") { bytes in
                bytes.count == 2 ? UInt16(bytes[0]) << 8 | UInt16(bytes[1]) : nil
            },
            capabilities: value(.applicationCapabilitiesInformation, 3...3)
        )
    }
}

// MARK: Further objects

extension ApplicationSource {
    /// What only the card's own issuer can have signed.
    private static let signedTags: Set<Tag> = [
        .signedStaticApplicationData, .iccPINEnciphermentCertificate, .iccPINEnciphermentExponent,
        .iccPINEnciphermentRemainder,
    ]

    /// The objects of the records that a profile has no member for.
    /// - Parameter number: What stands for the account number in them; nil keeps what was read.
    /// - Returns: The objects, each tag once.
    mutating func recordObjects(_ number: PrimaryAccountNumber?) -> [DataObject] {
        var redaction = Redaction(number == nil ? .nothing : .cardholderData)
        _ = redaction.mask(objects)
        var found: [DataObject] = []
        for object in reading.records.flatMap(\.objects) where !object.tag.isConstructed {
            let tag = object.tag
            guard !ApplicationPersonalization.ownTags.contains(tag),
                !found.contains(where: { $0.tag == tag })
            else { continue }
            guard !Self.signedTags.contains(tag), object.value.count <= 250 else {
                differences.append("The copy has no \(tag).")
                continue
            }
            let masked = redaction.mask([object])[0].value
            found.append(DataObject(tag, number.flatMap { Self.track(tag, masked, $0) } ?? masked))
        }
        return found
    }

    /// A masked track with another account number in it; nil for any other object.
    private static func track(
        _ tag: Tag,
        _ masked: [UInt8],
        _ number: PrimaryAccountNumber
    ) -> [UInt8]? {
        switch tag {
        case .track2Data:
            guard var track = try? Track2(parsing: masked) else { return nil }
            track.accountNumber = number
            return track.bytes
        case .track1Data:
            guard var track = try? Track1(parsing: masked) else { return nil }
            track.accountNumber = number
            return track.bytes
        default: return nil
        }
    }

    /// The objects that GET DATA gives.
    /// - Parameter isKept: Whether what is the cardholder's is kept.
    /// - Returns: The objects, each tag once.
    func retrievableObjects(isKept: Bool) -> [DataObject] {
        var redaction = Redaction(isKept ? .nothing : .cardholderData)
        _ = redaction.mask(objects)
        var found: [DataObject] = []
        for object in reading.retrieved
        where object.tag.byteCount <= 2 && object.tag != .applicationTransactionCounter
            && !object.tag.isConstructed && object.value.count <= 250
            && !found.contains(where: { $0.tag == object.tag })
        {
            found.append(DataObject(object.tag, redaction.mask([object])[0].value))
        }
        return found
    }
}

/// The account of a copy.
struct CopiedAccount {
    /// The account number.
    private(set) var number: PrimaryAccountNumber
    /// The expiry date.
    let expirationDate: TransactionDate
    /// The service code, three digits.
    let serviceCode: [UInt8]
    /// What follows it in track 2.
    private(set) var discretionaryData: [UInt8]

    init(
        number: PrimaryAccountNumber,
        expirationDate: TransactionDate,
        serviceCode: [UInt8],
        discretionaryData: [UInt8]
    ) {
        self.number = number
        self.expirationDate = expirationDate
        self.serviceCode = serviceCode
        self.discretionaryData = discretionaryData
    }

    /// Puts a test number in place of the account's, and zeros in place of the issuer's digits.
    mutating func replace(_ number: PrimaryAccountNumber) {
        self.number = number
        discretionaryData = [UInt8](repeating: 0, count: discretionaryData.count)
    }
}

extension Track2 {
    /// The last day of the expiry month.
    fileprivate var lastDay: TransactionDate? {
        TransactionDate(lastOf: Int(expiryMonth), year: 2000 + Int(expiryYear))
    }
}

extension TransactionDate {
    /// The last day of a month; nil outside the years that a date can have.
    fileprivate init?(lastOf month: Int, year: Int) {
        let day = (28...31).last { Self(year: year, month: month, day: $0) != nil }
        guard let day else { return nil }
        self.init(year: year, month: month, day: day)
    }
}
