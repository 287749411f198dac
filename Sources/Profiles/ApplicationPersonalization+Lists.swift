import BERTLV
import CardEngine
import EMVData

extension ApplicationPersonalization {
    /// What Visa and M/Chip cryptograms start with, in order, and how long each object is (EMV Book 2, 8.1.1).
    private static let cryptogramObjects: [(Tag, Int)] = [
        (.amountAuthorised, 6), (.amountOther, 6), (.terminalCountryCode, 2),
        (.terminalVerificationResults, 5), (.transactionCurrencyCode, 2), (.transactionDate, 3),
        (.transactionType, 1), (.unpredictableNumber, 4),
    ]

    func qvsdc(
        _ visa: ApplicationProfile.VisaDetails,
        _ fileLocator: [UInt8]
    ) throws(ProfilesError) -> QVSDCApplication {
        let list = profile.processingOptionsList
        let version = visa.cryptogramVersion
        guard let cryptogramVersion = QVSDCApplication.CryptogramVersion(number: version) else {
            throw failure("cryptogramVersion", "must be 10, 17, 18 or 43, not \(version)")
        }
        _ = try field(.terminalTransactionQualifiers, 4, of: list, "pdol", "a Visa card")
        let objects =
            cryptogramVersion == .cvn17
            ? [(.amountAuthorised, 6), (.unpredictableNumber, 4)] : Self.cryptogramObjects
        let fields = try self.fields(objects, of: list, "pdol", "CVN \(version)")
        if isSigning {
            _ = try field(.transactionCurrencyCode, 2, of: list, "pdol", "fast DDA")
        }
        var responseObjects = [
            TLV(.track2EquivalentData, track2),
            TLV(.panSequenceNumber, [profile.panSequenceNumber]),
        ]
        if let formFactor = visa.formFactor {
            guard formFactor.count == 4 else { throw failure("formFactor", "must have 4 bytes") }
            responseObjects.append(TLV(.formFactorIndicator, formFactor))
        }
        return QVSDCApplication(
            cryptogramVersion: cryptogramVersion,
            derivationKeyIndex: profile.derivationKeyIndex,
            cryptogramFields: fields,
            terminalFields: terminalFields(list),
            responseObjects: responseObjects.flatMap(\.encoded),
            fileLocator: fileLocator,
            transactionQualifiers: visa.transactionQualifiers.rawValue,
            acceptsOnlinePIN: visa.acceptsOnlinePIN,
            acceptsSignature: visa.acceptsSignature
        )
    }

    func mchip(
        _ mastercard: ApplicationProfile.MastercardDetails,
        _ fileLocator: [UInt8]
    ) throws(ProfilesError) -> MChipApplication {
        let list = mastercard.riskManagementList
        let fields = try self.fields(Self.cryptogramObjects, of: list, "cdol1", "the cryptogram")
        if profile.consumerDeviceCVM == .onRequest {
            _ = try field(.cvmResults, 3, of: list, "cdol1", "consumerDeviceCVM \"onRequest\"")
        }
        try checkLength(of: list, "cdol1")
        return MChipApplication(
            derivationKeyIndex: profile.derivationKeyIndex,
            fileLocator: fileLocator,
            riskDataCount: list.count,
            cryptogramFields: fields,
            terminalFields: terminalFields(list)
        )
    }

    /// Checks that the values of a list fit a command, in a template where there is one.
    func checkLength(of list: DataObjectList, _ member: String) throws(ProfilesError) {
        guard list.count <= 252 else {
            throw failure(member, "asks for \(list.count) bytes, of which 252 fit a command")
        }
    }

    private func fields(
        _ objects: [(Tag, Int)],
        of list: DataObjectList,
        _ member: String,
        _ user: String
    ) throws(ProfilesError) -> [CardApplication.Field] {
        var fields: [CardApplication.Field] = []
        for (tag, count) in objects {
            fields.append(try field(tag, count, of: list, member, user))
        }
        return fields
    }

    /// Finds an object that must be in a list with its full length.
    private func field(
        _ tag: Tag,
        _ count: Int,
        of list: DataObjectList,
        _ member: String,
        _ user: String
    ) throws(ProfilesError) -> CardApplication.Field {
        guard list.contains(tag) else {
            throw failure(member, "does not ask for \(tag), which \(user) needs")
        }
        guard let offset = offset(of: tag, count, in: list) else {
            throw failure(member, "must ask for \(count) bytes of \(tag), which \(user) needs")
        }
        return CardApplication.Field(offset..<offset + count)
    }

    private func terminalFields(_ list: DataObjectList) -> TerminalFields {
        var fields = TerminalFields()
        fields.transactionQualifiers = offset(of: .terminalTransactionQualifiers, 4, in: list)
        fields.amount = offset(of: .amountAuthorised, 6, in: list)
        fields.currency = offset(of: .transactionCurrencyCode, 2, in: list)
        fields.country = offset(of: .terminalCountryCode, 2, in: list)
        fields.date = offset(of: .transactionDate, 3, in: list)
        fields.transactionType = offset(of: .transactionType, 1, in: list)
        fields.unpredictableNumber = offset(of: .unpredictableNumber, 4, in: list)
        fields.terminalType = offset(of: .terminalType, 1, in: list)
        fields.cvmResults = offset(of: .cvmResults, 3, in: list)
        return fields
    }

    /// Where an object of this length starts in the values of a list; nil when it is not asked for.
    private func offset(of tag: Tag, _ count: Int, in list: DataObjectList) -> Int? {
        var offset = 0
        for entry in list.entries {
            if entry.tag == tag, entry.length == count { return offset }
            offset += entry.length
        }
        return nil
    }
}

extension QVSDCApplication.CryptogramVersion {
    /// The version of a number as Visa counts, 10, 17, 18 or 43; nil for others.
    init?(number: Int) {
        switch number {
        case 10: self = .cvn10
        case 17: self = .cvn17
        case 18: self = .cvn18
        case 43: self = .cvn43
        default: return nil
        }
    }
}
