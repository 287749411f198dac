import CommandLineKit
import EMVData
import Profiles
import TestVectors
import Transport

/// The card that card tests run on.
enum VectorCardChoice {
    /// The built-in cards, or one of them.
    case builtIn(Scheme?)
    /// A card of the user's.
    case profile(CardPersonalization)
    /// The card in a reader.
    case reader(Arguments)

    /// Reads the options.
    /// - Throws: `CommandFailure` with `ExitCode.usage` or `ExitCode.badFile`.
    init(_ arguments: Arguments) throws {
        let given = ["scheme", "profile", "reader"].filter(arguments.has)
        guard given.count <= 1 else {
            throw CommandFailure(
                .usage,
                "--\(given[0]) and --\(given[1]) both choose a card; give one of them"
            )
        }
        for option in ["spend-atc", "unmask"] where arguments.has(option) {
            guard given == ["reader"] else {
                throw CommandFailure(
                    .usage,
                    "--\(option) is for the card in a reader; add --reader"
                )
            }
        }
        switch given.first {
        case "profile":
            self = try CardOptions(arguments).map { .profile($0.personalization) } ?? .builtIn(nil)
        case "reader": self = .reader(arguments)
        default: self = .builtIn(arguments["scheme"].flatMap(Scheme.init(rawValue:)))
        }
    }

    /// Whether the command line names a card, so that only card tests are meant.
    var isChosen: Bool {
        if case .builtIn(nil) = self { false } else { true }
    }
}

/// Runs card tests.
struct VectorCards: ~Copyable {
    private var builtIn: [Scheme: CardPersonalization] = [:]
    private var profile: CardPersonalization?
    private var reader: ChosenCard?
    private let isSpending: Bool
    private let redaction: Redaction

    /// Opens the reader, where there is one.
    init(_ choice: VectorCardChoice) throws {
        guard case .reader(let arguments) = choice else {
            if case .profile(let personalization) = choice { profile = personalization }
            isSpending = true
            redaction = Redaction(.nothing)
            return
        }
        var card = try ChosenCard(arguments)
        try card.await()
        reader = consume card
        isSpending = arguments.has("spend-atc")
        redaction = Redaction(arguments.has("unmask") ? .nothing : .cardholderData)
    }

    /// Runs a test; nil when it could cost the card something and must not.
    mutating func run(
        _ test: CardTest,
        on scheme: Scheme?
    ) throws(TransportError) -> VectorCase.Verdict? {
        if var card = reader.take() {
            let isRun = isSpending || !test.isCostly
            let verdict = isRun ? try test.run(over: &card, redaction: redaction) : nil
            reader = consume card
            return verdict
        }
        var card = ProfileCard(personalization(scheme))
        return try test.run(over: &card, redaction: redaction)
    }

    /// The card of ours that a test runs on: each test has one of its own, with a counter that starts anew.
    private mutating func personalization(_ scheme: Scheme?) -> CardPersonalization {
        if let profile { return profile }
        let scheme = scheme ?? .visa
        if let made = builtIn[scheme] { return made }
        do throws(ProfilesError) {
            let made = try CardPersonalization(.builtIn(scheme))
            builtIn[scheme] = made
            return made
        } catch {
            preconditionFailure("Resources/\(scheme.rawValue).json: \(error)")
        }
    }
}
