import CommandLineKit

extension CryptoCommand {
    // MARK: batch

    static let batchCommand = Command(
        "batch",
        summary:
            "Reads calculations from the standard input, one JSON object a line, and answers each.",
        discussion: [
            "\"operation\" names the calculation; the other members are its options, written the same or in camel case (\"issuer-key\" or \"issuerKey\"), with texts, numbers or truth values. An \"id\" comes back with the answer, which holds what --json gives, or \"error\". With a \"steps\": true it holds the steps too.",
            "The exit code is 1 when a line could not be answered or a check failed.",
        ],
        examples: [
            "echo '{\"id\": 1, \"operation\": \"kcv\", \"key\": \"0123456789ABCDEFFEDCBA9876543210\"}' | tapwire crypto batch"
        ],
        run: { _ in
            var isGood = true
            while let line = try StandardInput.line() {
                guard !line.allSatisfy(\.isWhitespace) else { continue }
                let (answer, isAnswered) = answer(line)
                isGood = isGood && isAnswered
                Console.output.write(answer.line + "\n")
            }
            return isGood ? .success : .failure
        }
    )

    /// Answers one line.
    static func answer(_ line: String) -> (answer: JSONValue, isGood: Bool) {
        var answer: [JSONValue.Member] = []
        do throws(CommandFailure) {
            let members = try BatchScalar.members(of: line)
            if let id = members["id"] { answer.append(JSONValue.Member("id", id.value)) }
            let result = try result(members)
            let isWithSteps = members["steps"]?.text == "true"
            if case .object(let values) = result.json(withSteps: isWithSteps) { answer += values }
            return (.object(answer), result.isGood)
        } catch {
            answer.append(JSONValue.Member("error", .string(error.message)))
            return (.object(answer), false)
        }
    }

    private static func result(
        _ members: [String: BatchScalar]
    ) throws(CommandFailure) -> CryptoResult {
        guard let name = members["operation"]?.text else {
            throw CommandFailure(.usage, "\"operation\" is missing")
        }
        guard let operation = operations.first(where: { $0.name == name }) else {
            throw CommandFailure(.usage, "unknown operation \(name.quoted)")
        }
        var texts: [String: String] = [:]
        let others: Set = ["id", "operation", "steps"]
        for (name, value) in members where !others.contains(name) {
            let option = name.kebabCased
            guard operation.options.contains(where: { $0.name == option }) else {
                throw CommandFailure(.usage, "\(operation.name) takes no \(name.quoted)")
            }
            guard texts.updateValue(value.text, forKey: option) == nil else {
                throw CommandFailure(.usage, "\(option.quoted) is there in both ways of writing")
            }
        }
        return try operation.result(of: CryptoInput(texts))
    }
}

extension String {
    /// `issuerKey` as `issuer-key`.
    fileprivate var kebabCased: String {
        reduce(into: "") { text, character in
            text += character.isUppercase ? "-\(character.lowercased())" : String(character)
        }
    }
}
