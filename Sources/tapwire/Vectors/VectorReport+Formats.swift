import CommandLineKit
import TestVectors

extension VectorReport {
    /// The run as JSON, with every case.
    var json: JSONValue {
        [
            "families": .array(families.map { JSONValue($0) }),
            "passed": .integer(Int64(passedCount)),
            "failed": .integer(Int64(failedCount)),
            "skipped": .integer(Int64(skippedCount)),
        ]
    }

    /// The cases as JSON, without running them.
    static func listJSON(_ items: [VectorItem]) -> JSONValue {
        ["cases": .array(items.map { .object($0.members) })]
    }

    /// The run in the form that JUnit has made common.
    var junit: String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text +=
            "<testsuites name=\"tapwire vectors\" tests=\"\(results.count)\" failures=\"\(failedCount)\" "
            + "skipped=\"\(skippedCount)\">\n"
        for family in families {
            text +=
                "  <testsuite name=\"\(family.name.xml)\" tests=\"\(family.results.count)\" "
                + "failures=\"\(family.failedCount)\" skipped=\"\(family.skippedCount)\">\n"
            for result in family.results { text += result.junit(family: family.name) }
            text += "  </testsuite>\n"
        }
        return text + "</testsuites>\n"
    }
}

extension JSONValue {
    fileprivate init(_ family: VectorReport.Family) {
        self = [
            "family": .string(family.name),
            "passed": .integer(Int64(family.passedCount)),
            "failed": .integer(Int64(family.failedCount)),
            "skipped": .integer(Int64(family.skippedCount)),
            "flagged": .integer(Int64(family.flaggedCount)),
            "doubtful": .integer(Int64(family.doubtfulCount)),
            "cases": .array(family.results.map { JSONValue($0) }),
        ]
    }

    fileprivate init(_ result: VectorReport.Result) {
        var members = result.item.members
        switch result.verdict {
        case .passed: members.append(Member("verdict", "passed"))
        case nil: members.append(Member("verdict", "skipped"))
        case .failed(let expected, let got):
            members.append(Member("verdict", "failed"))
            members.append(Member("expected", .string(expected)))
            members.append(Member("got", .string(got)))
        }
        self = .object(members)
    }
}

extension VectorItem {
    /// What JSON tells of a case.
    fileprivate var members: [JSONValue.Member] {
        [
            .init("family", .string(file.family)),
            .init("id", .string(vector.id)),
            .init("card", cardName.map { .string($0) } ?? nil),
            .init("comment", .string(vector.comment)),
            .init("source", .string(vector.source ?? file.source)),
            .init("result", vector.isValid ? "valid" : "invalid"),
            .init("flags", .array(vector.flags.map { .string($0) })),
            .init("doubtful", .bool(vector.isDoubtful)),
        ]
    }
}

extension VectorReport.Result {
    fileprivate func junit(family: String) -> String {
        let head = "    <testcase classname=\"\(family.xml)\" name=\"\(item.name.xml)\""
        switch verdict {
        case .passed: return head + "/>\n"
        case nil: return head + "><skipped/></testcase>\n"
        case .failed(let expected, let got):
            let message = "expected \(expected), got \(got)"
            return head + "><failure message=\"\(message.xml)\"/></testcase>\n"
        }
    }
}

extension String {
    /// The text as the value of an attribute in XML 1.0, which has no control characters at all.
    fileprivate var xml: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\t": text += "&#9;"
            case "\n": text += "&#10;"
            case "\r": text += "&#13;"
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": text += "?"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
