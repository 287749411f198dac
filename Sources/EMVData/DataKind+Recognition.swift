#if !hasFeature(Embedded)
import BERTLV
import ISO7816
import Octets

extension DataKind {
    /// A kind that bytes may be of.
    public struct Candidate: Hashable, Sendable {
        /// The kind.
        public let kind: DataKind
        /// How well they fit, from 1 to 100; below `plausible` it is little more than a chance.
        public let likelihood: Int

        /// From where on a kind is worth naming.
        public static var plausible: Int { 40 }
    }

    /// What bytes may be, the most probable first; empty when they are like nothing.
    ///
    /// Each candidate can be read as its kind to the last byte, but for what is hardly plausible: TLV that only begins
    /// well, and an Answer To Reset with a wrong check character.
    public static func candidates(for bytes: [UInt8]) -> [Candidate] {
        allCases.compactMap { kind in
            let likelihood = kind.likelihood(of: bytes)
            return likelihood > 0 ? Candidate(kind: kind, likelihood: likelihood) : nil
        }
        .enumerated()
        .sorted { ($1.element.likelihood, $0.offset) < ($0.element.likelihood, $1.offset) }
        .map(\.element)
    }

    private func likelihood(of bytes: [UInt8]) -> Int {
        switch self {
        case .tag: Self.tagLikelihood(bytes)
        case .objects: Self.objectsLikelihood(bytes)
        case .issuerData: Self.issuerDataLikelihood(bytes)
        case .list: Self.listLikelihood(bytes)
        case .command: Self.commandLikelihood(bytes)
        case .response: Self.responseLikelihood(bytes)
        case .statusWord: Self.isStatusWord(bytes) ? 96 : 0
        case .fileLocator: (try? ApplicationFileLocator(parsing: bytes)) == nil ? 0 : 70
        case .cvmList: Self.cvmListLikelihood(bytes)
        case .track1: (try? Track1(parsing: bytes)) == nil ? 0 : 95
        case .track2: Self.track2Likelihood(bytes)
        case .answerToReset: Self.answerLikelihood(bytes)
        case .applicationIdentifier: Self.identifierLikelihood(bytes)
        case .certificate: Self.certificateLikelihood(bytes)
        }
    }

    private static func tagLikelihood(_ bytes: [UInt8]) -> Int {
        guard let tag = Tag(bytes: bytes) else { return 0 }
        return DataObjectDefinition[tag] == nil ? 30 : 97
    }

    private static func isStatusWord(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 2, let response = try? ResponseAPDU(parsing: bytes) else {
            return false
        }
        return response.status.meaning(to: nil) != nil
    }

    /// The more of the objects are known and have a right length and format, the likelier are all of them.
    private static func objectsLikelihood(_ bytes: [UInt8]) -> Int {
        let survey = TLVSurvey(bytes)
        guard let first = survey.objects.first else {
            // Not even the first length can be read, but the tag is one of EMV's.
            var reader = TLVReader(bytes.span)
            guard let tag = try? reader.readTag(), reader.offset < bytes.count else { return 0 }
            return DataObjectDefinition[tag] == nil ? 0 : 20
        }
        guard survey.end == bytes.count, survey.objects.allSatisfy(\.isWhole) else {
            // Damaged: at least it begins as EMV's messages do.
            return DataObjectDefinition[first.tag] == nil ? 5 : 35
        }
        return 30 + 60 * fittingCount(survey.objects) / count(survey.objects)
    }

    private static func count(_ objects: [TLVSurvey.Object]) -> Int {
        objects.reduce(0) { $0 + 1 + count($1.objects) }
    }

    private static func fittingCount(_ objects: [TLVSurvey.Object]) -> Int {
        objects.reduce(0) { $0 + (fits($1) ? 1 : 0) + fittingCount($1.objects) }
    }

    private static func fits(_ object: TLVSurvey.Object) -> Bool {
        DataObjectDefinition.all(of: object.tag).contains { definition in
            definition.length.allows(object.length)
                && (object.tag.isConstructed || definition.format.fits(object.value))
        }
    }

    private static func issuerDataLikelihood(_ bytes: [UInt8]) -> Int {
        let prefixCount = issuerDataPrefixCount(bytes)
        let survey = TLVSurvey(Array(bytes.dropFirst(prefixCount)))
        let tags = Set(survey.objects.map(\.tag))
        guard survey.isSound, tags.contains(.applicationCryptogram), tags.contains(where: \.isHosts)
        else { return 0 }
        return 93
    }

    /// How many bytes in front of field 55 say its length: three characters, two bytes of packed digits, one or two
    /// bytes of a number; zero when the objects begin at once.
    public static func issuerDataPrefixCount(_ bytes: [UInt8]) -> Int {
        let characters = bytes.prefix(3).map { $0 &- UInt8(ascii: "0") }
        if characters.count == 3, characters.allSatisfy({ $0 <= 9 }),
            characters.reduce(0, { $0 * 10 + Int($1) }) == bytes.count - 3
        {
            return 3
        }
        guard bytes.count > 2 else { return 0 }
        let packed = PackedDigits.number(bytes.prefix(2))
        let number = UInt64(bytes[0]) << 8 | UInt64(bytes[1])
        if packed == UInt64(bytes.count - 2) || number == UInt64(bytes.count - 2) { return 2 }
        return Int(bytes[0]) == bytes.count - 1 ? 1 : 0
    }

    private static func listLikelihood(_ bytes: [UInt8]) -> Int {
        guard let list = try? DataObjectList(parsing: bytes), !list.entries.isEmpty else {
            return 0
        }
        // A template cannot be asked for: EMV Book 3, 5.4, step 2b.
        let fitting = list.entries.filter { entry in
            !entry.tag.isConstructed
                && DataObjectDefinition.all(of: entry.tag).contains {
                    $0.length.allows(entry.length)
                }
        }
        // One length that no book has does not hide that all tags are those of data objects.
        let isKnown =
            list.entries.count > 2
            && list.entries.allSatisfy {
                !$0.tag.isConstructed && DataObjectDefinition[$0.tag] != nil
            }
        return 40 * fitting.count / list.entries.count
            + (fitting == list.entries ? 42 : isKnown ? 8 : 0)
    }

    private static func commandLikelihood(_ bytes: [UInt8]) -> Int {
        guard let command = try? CommandAPDU(parsing: bytes) else { return 0 }
        return command.code.name == nil ? 10 : 88
    }

    private static func responseLikelihood(_ bytes: [UInt8]) -> Int {
        guard bytes.count > 2, let response = try? ResponseAPDU(parsing: bytes),
            response.status.meaning(to: nil) != nil
        else { return 0 }
        let survey = TLVSurvey(response.body)
        let isKnown = survey.objects.contains { DataObjectDefinition[$0.tag] != nil }
        if survey.isSound, isKnown { return 91 }
        return response.status == .success ? 38 : 2
    }

    private static func cvmListLikelihood(_ bytes: [UInt8]) -> Int {
        guard let list = try? CVMList(parsing: bytes), !list.rules.isEmpty else { return 0 }
        let isKnown = list.rules.allSatisfy {
            $0.condition.rawValue <= CVMCondition.overY.rawValue && $0.code.isKnown
        }
        // A rule a second time would never be reached.
        return isKnown && Set(list.rules).count == list.rules.count ? 72 : 0
    }

    private static func track2Likelihood(_ bytes: [UInt8]) -> Int {
        guard let track = try? Track2(parsing: bytes) else { return 0 }
        return track.accountNumber.hasValidCheckDigit ? 94 : 80
    }
}

extension DataKind {
    private static func answerLikelihood(_ bytes: [UInt8]) -> Int {
        do throws(AnswerToReset.Failure) {
            _ = try AnswerToReset(parsing: bytes)
            return 92
        } catch {
            return error == .checkCharacter ? Candidate.plausible - 1 : 0
        }
    }

    /// An elliptic curve certificate tells by its first bytes (Book E, 5.3); one of RSA looks like chance, and is as long
    /// as a modulus.
    private static func certificateLikelihood(_ bytes: [UInt8]) -> Int {
        let signatures = [32 + 32, 64 + 66]
        let suites: [UInt8: Int] = [0x10: 32, 0x11: 66]
        if bytes.starts(with: [0x12, 0x00]), bytes.count > 21, let key = suites[bytes[7]],
            signatures.contains(bytes.count - 21 - key)
        {
            return 96
        }
        if bytes.starts(with: [0x14, 0x00, 0x00]), signatures.contains(bytes.count - 49 - 32) {
            return 96
        }
        return isLikeChance(bytes) ? 36 : 0
    }

    /// Whether bytes are as long as a modulus, begin with no template of EMV's, and hold about as many different ones as
    /// chance would give.
    private static func isLikeChance(_ bytes: [UInt8]) -> Bool {
        guard 64...248 ~= bytes.count else { return false }
        var reader = TLVReader(bytes.span)
        if let tag = try? reader.readTag(), tag.isConstructed, DataObjectDefinition[tag] != nil {
            return false
        }
        // Of 256 values, n draws leave 256 · (255 / 256)ⁿ out.
        var left = 256.0
        for _ in bytes { left *= 255.0 / 256.0 }
        return Double(Set(bytes).count) > 0.87 * (256 - left)
    }

    /// Only the providers known here tell a name from other bytes.
    private static func identifierLikelihood(_ bytes: [UInt8]) -> Int {
        ApplicationIdentifier(bytes: bytes)?.providerName == nil ? 0 : 93
    }
}

extension Tag {
    /// Whether an issuer needs the object to check a cryptogram, so that it stands in field 55 and hardly in a card's
    /// answer.
    fileprivate var isHosts: Bool {
        [.terminalVerificationResults, .unpredictableNumber, .amountAuthorised].contains(self)
    }
}

extension CVMCode {
    /// Whether the book defines the method and no reserved bit is set.
    fileprivate var isKnown: Bool {
        rawValue & 0x80 == 0 && (method.rawValue <= 5 || [.signature, .noCVM].contains(method))
    }
}

/// What two pieces of bytes can be together.
public enum DataPair: String, CaseIterable, Sendable {
    /// A tag and a value.
    case object
    /// A data object list and the values that answer it.
    case filledList = "dol"
    /// A command and its response.
    case exchange

    /// What two pieces are; nil when they do not belong together.
    public init?(_ first: [UInt8], _ second: [UInt8]) {
        if Tag(bytes: first) != nil {
            self = .object
        } else if let command = try? CommandAPDU(parsing: first), command.code.name != nil,
            second.count >= 2
        {
            self = .exchange
        } else if let list = try? DataObjectList(parsing: first), !list.entries.isEmpty {
            self = .filledList
        } else {
            return nil
        }
    }
}

#endif
