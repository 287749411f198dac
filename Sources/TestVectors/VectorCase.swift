import Profiles

/// One case of a vector file.
public struct VectorCase: Sendable {
    /// The case's name, which no other case of the file has.
    public let id: String
    /// What it is about.
    public let comment: String
    /// Keys of the file's notes that apply.
    public let flags: [String]
    /// Where it comes from, when that is not said for the whole file.
    public let source: String?
    /// Whether the input is good; a bad one must be refused.
    public let isValid: Bool
    /// Whether one of the flags says that the expected value is in doubt.
    public let isDoubtful: Bool

    /// The file that has the case, as it was named.
    let file: String
    let family: any VectorFamily
    let expected: JSONValue

    /// How a case went.
    public enum Verdict: Hashable, Sendable {
        /// What was expected came out.
        case passed
        /// Something else came out; both for people.
        case failed(expected: String, got: String)
    }

    /// Computes and compares.
    /// - Throws: `VectorFileError` when what is expected has no shape the family could give.
    public func run() throws(VectorFileError) -> Verdict {
        let output: VectorOutput
        do {
            output = try family.output()
        } catch {
            return judge(VectorRefusal(error))
        }
        guard isValid else {
            return .failed(
                expected: expectedError.map { "refused: \($0)" } ?? "refused",
                got: VectorValue.object(output).text()
            )
        }
        do {
            let value = VectorValue.object(output)
            guard try !value.matches(expected, path: "expected") else { return .passed }
            return .failed(expected: expected.text, got: value.text(names: expectedNames))
        } catch {
            throw VectorFileError(file: file, caseID: id, reason: error)
        }
    }

    private func judge(_ refusal: VectorRefusal) -> Verdict {
        let got = "refused: \(refusal.name)"
        guard !isValid else { return .failed(expected: expected.text, got: got) }
        guard let expectedError, expectedError != refusal.name else { return .passed }
        return .failed(expected: "refused: \(expectedError)", got: got)
    }

    private var expectedNames: [String] {
        guard case .object(let members) = expected else { return [] }
        return members.map(\.name)
    }

    private var expectedError: String? {
        guard case .object(let members) = expected, case .string(let name) = members.first?.value
        else { return nil }
        return name
    }
}
