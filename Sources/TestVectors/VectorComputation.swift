import Profiles

/// What goes into the calculation of a case, and what must come out.
public struct VectorComputation: Sendable {
    /// The case and the file it is in, for errors.
    let file: String
    let caseID: String
    let family: any VectorFamily
    let expected: JSONValue
    /// Whether the input is good; a bad one must be refused.
    let isValid: Bool

    /// Computes and compares.
    /// - Throws: `VectorFileError` when what is expected has no shape the family could give.
    public func run() throws(VectorFileError) -> VectorCase.Verdict {
        let output: VectorValue
        do {
            output = .object(try family.output())
        } catch {
            return judge(VectorRefusal(error))
        }
        guard isValid else {
            return .failed(
                expected: expectedError.map { "refused: \($0)" } ?? "refused",
                got: output.text()
            )
        }
        do {
            guard try !output.matches(expected, path: "expected") else { return .passed }
        } catch {
            throw VectorFileError(file: file, caseID: caseID, reason: error)
        }
        return .failed(expected: expected.text, got: output.text(names: expectedNames))
    }

    private func judge(_ refusal: VectorRefusal) -> VectorCase.Verdict {
        let got = "refused: \(refusal.name)"
        guard !isValid else { return .failed(expected: expected.text, got: got) }
        guard let expectedError, expectedError != refusal.name else { return .passed }
        return .failed(expected: "refused: \(expectedError)", got: got)
    }

    private var expectedNames: [String] {
        guard case .object(let members) = expected else { return [] }
        return members.map(\.name)
    }

    /// The error that a bad input must be refused with; nil when any will do.
    private var expectedError: String? {
        guard case .object(let members) = expected, case .string(let name) = members.first?.value
        else { return nil }
        return name
    }
}
