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
                expected: expectedRefusal.map { "\($0)" } ?? "refused",
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
        guard !isValid else { return .failed(expected: expected.text, got: "\(refusal)") }
        guard let expectedRefusal else { return .passed }
        let isExpected =
            expectedRefusal.name == refusal.name
            && (expectedRefusal.offset == nil || expectedRefusal.offset == refusal.offset)
        return isExpected
            ? .passed : .failed(expected: "\(expectedRefusal)", got: "\(refusal)")
    }

    private var expectedNames: [String] {
        guard case .object(let members) = expected else { return [] }
        return members.map(\.name)
    }

    /// The error that a bad input must be refused with, and where; nil when any will do.
    private var expectedRefusal: VectorRefusal? {
        guard case .object(let members) = expected else { return nil }
        var name: String?
        var offset: Int?
        for member in members {
            switch (member.name, member.value) {
            case ("error", .string(let text)): name = text
            case ("offset", .number(let text)): offset = Int(text)
            default: break
            }
        }
        return name.map { VectorRefusal($0, at: offset) }
    }
}
