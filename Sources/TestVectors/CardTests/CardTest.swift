public import Profiles

/// `card-tests`: commands for a card, and what its answers must look like.
public struct CardTest: Sendable {
    /// The family's name.
    public static let familyName = "card-tests"

    /// The scheme whose built-in card the test is for; nil when it is for every contactless payment card.
    public let scheme: Scheme?
    let steps: [Step]

    /// A command and what is expected of its answer.
    struct Step: Sendable {
        var command: CommandTemplate
        /// The status words that are right.
        var statuses: [StatusPattern]
        /// What is expected of data objects, in the order of the file.
        var objects: [(path: TagPath, pattern: ObjectPattern)]
        /// Data objects whose values later commands use, by the names they have there.
        var kept: [(name: String, path: TagPath)]
    }

    /// Whether the commands may cost a real card something: a transaction counter, or a try of the PIN.
    ///
    /// Only SELECT, READ RECORD and GET DATA are known to cost nothing.
    public var isCostly: Bool { !steps.allSatisfy { $0.command.isHarmless } }
}

extension CardTest {
    /// Reads a test.
    /// - Throws: `ProfilesError` with the path of what is wrong.
    init(
        parameters: inout JSONObject,
        input: inout JSONObject,
        expected: inout JSONObject
    ) throws(ProfilesError) {
        scheme =
            parameters.has("scheme") ? try parameters.choice("scheme", of: Scheme.self) : nil
        let commands = try input.elements("commands")
        let responses = try expected.elements("responses")
        guard !commands.isEmpty, commands.count == responses.count else {
            throw ProfilesError(
                expected.path(to: "responses"),
                "must be as many as input.commands, and at least one; there are \(responses.count) "
                    + "for \(commands.count)"
            )
        }
        var steps: [Step] = []
        var names: Set<String> = []
        for (command, response) in zip(commands, responses) {
            let template = try CommandTemplate(command.value, path: command.path, names: names)
            let step = try Step(template, JSONObject(response.value, path: response.path))
            names.formUnion(step.kept.map(\.name))
            steps.append(step)
        }
        self.steps = steps
    }
}

extension CardTest.Step {
    fileprivate init(
        _ command: CommandTemplate,
        _ response: JSONObject
    ) throws(ProfilesError) {
        var response = response
        self.command = command
        statuses = try StatusPattern.read(
            response.value("status"),
            path: response.path(to: "status")
        )
        objects = []
        kept = []
        if response.has("objects") {
            let members = try response.members(of: "objects")
            for member in members {
                objects.append(
                    (
                        try TagPath(member.name, path: member.path),
                        try ObjectPattern(member.value, path: member.path)
                    )
                )
            }
        }
        if response.has("keep") {
            let members = try response.members(of: "keep")
            for member in members {
                guard case .string(let text) = member.value else {
                    throw ProfilesError(member.path, "must be the way to a data object, in a text")
                }
                kept.append((member.name, try TagPath(text, path: member.path)))
            }
        }
        try response.finish()
    }
}
