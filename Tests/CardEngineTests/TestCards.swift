import CardEngine
import EMVData
import Octets
import Profiles
import Testing

/// Reads bytes from hexadecimal text; text that is none fails the test.
func bytes(_ text: String) throws -> [UInt8] { try [UInt8](hex: text) }

/// Makes a built-in card, changed, with payment keys and random bytes as a wallet would put them in.
func makeCard(
    _ scheme: Scheme,
    after lastCounter: UInt16 = 0,
    keyCount: Int = 4,
    random: [UInt8] = Array(1...64),
    changing change: (inout ApplicationProfile) -> Void = { _ in }
) throws -> Card {
    var profile = CardProfile.builtIn(scheme)
    change(&profile.applications[0])
    return try makeCard(profile, after: lastCounter, keyCount: keyCount, random: random)
}

/// Makes a card of a profile, every application with the same counters.
func makeCard(
    _ profile: CardProfile,
    after lastCounter: UInt16 = 0,
    keyCount: Int = 4,
    random: [UInt8] = Array(1...64)
) throws -> Card {
    let personalization = try CardPersonalization(profile)
    var card = personalization.makeCard()
    for (index, application) in profile.applications.enumerated() {
        card.resume(after: lastCounter, forApplication: index)
        for counter in (Int(lastCounter) + 1)..<(Int(lastCounter) + 1 + keyCount) {
            guard let counter = UInt16(exactly: counter) else { break }
            let key = personalization.issuers[index].makePaymentKey(
                for: application,
                counter: counter
            )
            card.reserve(key, forApplication: index)
        }
    }
    card.addRandomBytes(random.span)
    return card
}

extension Card {
    /// Answers a command in hexadecimal digits and returns the response and the event.
    mutating func exchange(_ command: String) throws -> (response: [UInt8], event: CardEvent) {
        try exchange(bytes(command))
    }

    /// Answers a command and returns the response and the event.
    mutating func exchange(_ command: [UInt8]) -> (response: [UInt8], event: CardEvent) {
        var event = CardEvent.none
        let response = [UInt8](capacity: Self.maximumResponseCount) {
            (output: inout OutputSpan<UInt8>) in
            event = respond(to: command.span, into: &output)
        }
        return (response, event)
    }

    /// Answers a command and returns the status word in hexadecimal digits.
    mutating func status(_ command: String) throws -> String {
        try exchange(command).response.suffix(2).hex
    }
}

/// Commands a terminal sends to the built-in cards.
enum Command {
    static let selectDirectory = "00A404000E325041592E5359532E444446303100"
    static let selectVisa = "00A4040007A000000003101000"
    static let selectMastercard = "00A4040007A000000004101000"
    static let selectNextVisa = "00A4040207A000000003101000"
    static let readCounter = "80CA9F3600"
    static let readStaticRecord = "00B2011400"
    static let processingOptions = "80A8000002830000"

    /// GET PROCESSING OPTIONS for the built-in Visa card.
    static func visaOptions(
        qualifiers: String = "36004080",
        amount: String = "000000009999",
        currency: String = "0978",
        country: String = "0276",
        unpredictableNumber: String = "A1B2C3D4"
    ) -> String {
        "80A80000238321" + qualifiers + amount + "000000000000" + country + "0000000000" + currency
            + "26113000" + unpredictableNumber + "00"
    }

    /// GENERATE AC for the built-in Mastercard card.
    static func generate(
        _ reference: String = "90",
        amount: String = "000000009999",
        currency: String = "0978",
        country: String = "0276",
        terminalType: String = "22",
        cvmResults: String = "3F0002"
    ) -> String {
        "80AE\(reference)0042" + amount + "000000000000" + country + "0000000000" + currency
            + "26113000A1B2C3D4" + terminalType + "00000000000000000000" + cvmResults + "120000"
            + String(repeating: "00", count: 20) + "00"
    }
}
