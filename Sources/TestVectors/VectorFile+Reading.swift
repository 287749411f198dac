import Octets
import Profiles

extension VectorFile {
    /// Reads a file.
    /// - Parameters:
    ///   - json: Its text.
    ///   - name: Its name, for errors.
    /// - Throws: `VectorFileError` with the first thing that is wrong.
    public init(json: [UInt8], name: String) throws(VectorFileError) {
        var reader = Reader(file: name)
        do throws(ProfilesError) {
            try reader.readFile(json)
        } catch {
            throw VectorFileError(file: name, caseID: reader.caseID, reason: error)
        }
        self.init(
            name: name,
            family: reader.family,
            title: reader.title,
            source: reader.source,
            notes: reader.notes,
            doubtfulFlags: reader.doubtfulFlags,
            cases: reader.cases
        )
    }

    /// What is known of a file while it is read.
    private struct Reader {
        let file: String
        var family = ""
        var title = ""
        var source = ""
        var notes: [String: String] = [:]
        var doubtfulFlags: Set<String> = []
        var cases: [VectorCase] = []
        var ids: Set<String> = []
        /// The case that is being read, once its name is known.
        var caseID: String?

        init(file: String) { self.file = file }

        mutating func readFile(_ json: [UInt8]) throws(ProfilesError) {
            var object = try JSONObject(parsing: json)
            family = try object.string("family")
            guard VectorFamilies.names.contains(family) else {
                throw ProfilesError(
                    "family",
                    "no family is called \"\(family)\"; tapwire vectors --list has them all"
                )
            }
            title = try object.string("title")
            source = try object.string("source")
            notes = try Self.texts(of: object.object("notes"))
            try readDoubtfulFlags(&object)
            let groups = try object.elements("groups")
            try object.finish()
            guard !groups.isEmpty else { throw ProfilesError("groups", "must have a group") }
            for group in groups { try readGroup(group.value, path: group.path) }
        }

        /// The members of an object that must all be texts.
        private static func texts(
            of object: JSONObject
        ) throws(ProfilesError) -> [String: String] {
            var object = object
            var texts: [String: String] = [:]
            for name in object.names { texts[name] = try object.string(name) }
            return texts
        }

        private mutating func readDoubtfulFlags(
            _ object: inout JSONObject
        ) throws(ProfilesError) {
            guard object.has("doubtful") else { return }
            doubtfulFlags = Set(try flags(in: &object, "doubtful"))
        }

        /// A list of flags, each with a note and none twice.
        private func flags(
            in object: inout JSONObject,
            _ name: String
        ) throws(ProfilesError) -> [String] {
            var flags: [String] = []
            for element in try object.elements(name) {
                guard case .string(let flag) = element.value else {
                    throw ProfilesError(
                        element.path,
                        "must be a text, not \(element.value.kind)"
                    )
                }
                guard notes[flag] != nil else {
                    throw ProfilesError(element.path, "\"\(flag)\" has no note in the file")
                }
                guard !flags.contains(flag) else {
                    throw ProfilesError(element.path, "\"\(flag)\" is here a second time")
                }
                flags.append(flag)
            }
            return flags
        }

        private mutating func readGroup(
            _ value: JSONValue,
            path: String
        ) throws(ProfilesError) {
            var object = try JSONObject(value, path: path)
            let parameters = try object.object("parameters")
            let elements = try object.elements("cases")
            try object.finish()
            guard !elements.isEmpty else {
                throw ProfilesError(object.path(to: "cases"), "must have a case")
            }
            for element in elements {
                try readCase(element.value, path: element.path, parameters: parameters)
            }
        }

        private mutating func readCase(
            _ value: JSONValue,
            path: String,
            parameters: JSONObject
        ) throws(ProfilesError) {
            var nameless = try JSONObject(value, path: path)
            let id = try nameless.string("id")
            guard !id.isEmpty else {
                throw ProfilesError(nameless.path(to: "id"), "must not be empty")
            }
            guard ids.insert(id).inserted else {
                throw ProfilesError(nameless.path(to: "id"), "another case is called \"\(id)\" too")
            }
            caseID = id
            // From here the case has a name, so places are told from it.
            var object = try JSONObject(value, path: "")
            _ = try object.string("id")
            let comment = try object.string("comment")
            let flags = try flags(in: &object, "flags")
            let source = try object.optionalString("source")
            var input = try object.object("input")
            let expected = try object.value("expected")
            let result = try object.choice("result", of: Result.self)
            try object.finish()

            var parameters = parameters
            let work = try work(id, &parameters, &input, expected, result)
            try parameters.finish()
            try input.finish()
            cases.append(
                VectorCase(
                    id: id,
                    comment: comment,
                    flags: flags,
                    source: source,
                    isValid: result == .valid,
                    isDoubtful: !doubtfulFlags.isDisjoint(with: flags),
                    work: work
                )
            )
            caseID = nil
        }

        /// What the result of a case may be.
        private enum Result: String, CaseIterable { case valid, invalid }

        /// Reads what a case asks for.
        private func work(
            _ id: String,
            _ parameters: inout JSONObject,
            _ input: inout JSONObject,
            _ expected: JSONValue,
            _ result: Result
        ) throws(ProfilesError) -> VectorCase.Work {
            guard let type = VectorFamilies.named(family) else {
                guard result == .valid else {
                    throw ProfilesError("result", "must be \"valid\", as no card is refused")
                }
                var expected = try JSONObject(expected, path: "expected")
                let test = try CardTest(
                    parameters: &parameters,
                    input: &input,
                    expected: &expected
                )
                try expected.finish()
                return .cardTest(test)
            }
            try Self.check(expected, of: result)
            return .computation(
                VectorComputation(
                    file: file,
                    caseID: id,
                    family: try type.init(parameters: &parameters, input: &input),
                    expected: expected,
                    isValid: result == .valid
                )
            )
        }

        /// Checks the shape of what is expected: of valid input something, of invalid input nothing, or the error
        /// and its place.
        private static func check(
            _ expected: JSONValue,
            of result: Result
        ) throws(ProfilesError) {
            var object = try JSONObject(expected, path: "expected")
            guard result == .invalid else {
                guard object.names.isEmpty else { return }
                throw ProfilesError(
                    "expected",
                    "must name something that comes out, or nothing would be compared"
                )
            }
            if object.has("error") {
                let error = try object.string("error")
                guard VectorRefusal.isKnown(error) else {
                    throw ProfilesError(
                        object.path(to: "error"),
                        "\"\(error)\" is no error that a family gives; Vectors/schemas/vectors.schema.json lists them"
                    )
                }
                _ = try object.optionalInteger("offset", in: 0...UInt64(Int32.max))
            }
            try object.finish()
        }
    }
}
