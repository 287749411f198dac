import CardEngine
import EMVData
import Octets

/// A card of ours that says what a card that was read says, as far as it can.
///
/// Its keys and certificates are those of our test issuers and authorities, so it authenticates itself and pays here
/// and nowhere else: a card's secret keys cannot be read.
public struct CardCopy: Sendable {
    /// The copy; its notes say what it is, and what it has not as the card has it.
    public let profile: CardProfile
    /// The applications that no copy could be made of, and why, one sentence each.
    public let refusals: [String]

    /// Makes a copy.
    /// - Parameters:
    ///   - reading: What was read.
    ///   - keepsAccountNumbers: Whether the copy has the account numbers, tracks and names that were read; else it has
    ///     test ones of the same length.
    /// - Throws: `CardCopyError` when no application can be copied.
    public init(of reading: CardContents, keepsAccountNumbers: Bool) throws(CardCopyError) {
        let isKept = keepsAccountNumbers || reading.isPublic
        var numbers = TestAccountNumbers()
        var copies: [ApplicationCopy] = []
        var refusals: [String] = []
        for application in reading.applications {
            let name = application.name.hex
            guard copies.count < CardImage.maximumApplicationCount else {
                refusals.append(
                    "\(name): a card of ours has at most \(CardImage.maximumApplicationCount) applications"
                )
                continue
            }
            do throws(ApplicationCopy.Refusal) {
                let copy = try ApplicationCopy(application, isKept ? nil : numbers)
                guard !copies.contains(where: { $0.profile.aid == copy.profile.aid }) else {
                    throw ApplicationCopy.Refusal(reason: "the card has it a second time")
                }
                if !isKept { numbers.use(copy.profile.pan, for: copy.accountNumber) }
                copies.append(copy)
            } catch {
                refusals.append("\(name): \(error.reason)")
            }
        }
        guard !copies.isEmpty else { throw CardCopyError(refusals: refusals) }
        // The wallet pays with the first one.
        copies = copies.enumerated().sorted {
            ($0.element.profile.priority, $0.offset) < ($1.element.profile.priority, $1.offset)
        }.map(\.element)

        let hasUID = isKept && [4, 7, 10].contains(reading.uid.count)
        profile = CardProfile(
            name: "Copy of \(reading.name)",
            isPublic: reading.isPublic || !isKept,
            uid: hasUID ? reading.uid : Self.testUID,
            historicalBytes: Array(reading.historicalBytes.prefix(15)),
            applications: copies.map(\.profile),
            issuers: Self.issuers(of: copies.map(\.profile)),
            notes: Self.notes(copies, isKept: isKept, hasUID: hasUID)
        )
        self.refusals = refusals
    }

    /// An identifier as cards have that make a new one for each reader.
    private static let testUID: [UInt8] = [0x08, 0x00, 0x00, 0x00]

    /// Issuers for the account numbers that no built-in issuer has.
    private static func issuers(of applications: [ApplicationProfile]) -> [IssuerProfile] {
        var issuers: [IssuerProfile] = []
        for application in applications {
            let scheme = application.scheme
            let isKnown = (IssuerProfile.builtIn + issuers).contains {
                $0.scheme == scheme && $0.issues(application.pan.digits)
            }
            guard !isKnown else { continue }
            issuers.append(
                IssuerProfile(
                    name: "Stands in for the card's issuer",
                    scheme: scheme,
                    identificationNumber: Array(application.pan.digits.prefix(6)),
                    masterKey: IssuerProfile.testKey(of: scheme)
                )
            )
        }
        return issuers
    }

    private static func notes(
        _ copies: [ApplicationCopy],
        isKept: Bool,
        hasUID: Bool
    ) -> [String] {
        var notes = [
            "A card's secret keys cannot be read: this copy has test keys and certificates, and pays only with Tapwire's "
                + "terminal and issuer."
        ]
        if !isKept {
            notes.append(
                "Account numbers, tracks, names and the identifier are test values, not those that were read."
            )
        } else if !hasUID {
            notes.append("The identifier (UID) is a test value.")
        }
        notes.append(
            "What the card decides by cannot be read: the copy asks its issuer about every payment."
        )
        for copy in copies {
            notes += copy.differences.map { "\(copy.profile.aid.hex): \($0)" }
        }
        return notes
    }
}

/// Why no copy can be made of a card.
public struct CardCopyError: Error, Hashable, Sendable {
    /// Each application and what keeps it from being copied, one sentence each; empty where the card has none.
    public var refusals: [String]

    /// Joins the reasons.
    public init(refusals: [String]) { self.refusals = refusals }
}

/// Account numbers that belong to nobody, one for each that was read.
struct TestAccountNumbers {
    private var used: [PrimaryAccountNumber: PrimaryAccountNumber] = [:]

    /// The number that stands for another one: zeros behind the digits of our test issuer.
    func number(for number: PrimaryAccountNumber, of scheme: Scheme) -> PrimaryAccountNumber? {
        if let known = used[number] { return known }
        guard let issuer = IssuerProfile.builtIn.first(where: { $0.scheme == scheme }) else {
            return nil
        }
        let prefix = issuer.identificationNumber
        let room = number.digits.count - prefix.count - 1
        guard room >= 1 else { return nil }
        let serial = UInt8(used.count % 10)
        let body = prefix + [UInt8](repeating: 0, count: room - 1) + [serial]
        return (0...9 as ClosedRange<UInt8>).lazy
            .compactMap { PrimaryAccountNumber(digits: body + [$0]) }
            .first { $0.hasValidCheckDigit }
    }

    /// Remembers what stands for a number.
    mutating func use(_ test: PrimaryAccountNumber, for number: PrimaryAccountNumber) {
        used[number] = test
    }
}
