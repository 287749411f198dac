import BERTLV
import EMVData
import Octets
import Profiles

/// `file-control-information`: what cards answer to SELECT (EMV Book 1, 11.3.4; EMV Book B, 3.3.2).
struct FileControlInformationFamily: VectorFamily {
    var answer: [UInt8]

    static let name = "file-control-information"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        answer = try input.hex("data")
    }

    func output() throws -> VectorOutput {
        let template = try TLV.parseOne(answer)
        guard template.tag == .fileControlInformation else { throw VectorRefusal("noTemplate") }
        let names = template.objects.filter { $0.tag == .dedicatedFileName }
        guard names.count < 2 else { throw VectorRefusal("duplicateName") }
        guard let name = names.first?.value, 5...16 ~= name.count else {
            throw VectorRefusal("noName")
        }
        let value = { (tag: Tag) in TLV.first(tag, in: [template])?.value }
        let list = try DataObjectList(parsing: value(.processingOptionsList) ?? [])
        let discretionary = TLV.first(.issuerDiscretionaryData, in: [template])?.objects ?? []
        let entries = discretionary.filter { $0.tag == .applicationTemplate }
        return [
            "name": .bytes(name),
            "entries": .list(entries.map(Self.entry)),
            "pdol": DataObjectListFamily.value(list),
            "objects": .object(Self.objects(template)),
        ]
    }

    private static func entry(_ template: TLV) -> VectorValue {
        let value = { (tag: Tag) in TLV.first(tag, in: [template])?.value }
        let label = value(.applicationLabel).map { String(decoding: $0, as: UTF8.self) }
        return .object([
            "applicationIdentifier": .bytes(value(.applicationIdentifier)),
            "label": label.map { .text($0) } ?? .nothing,
            "priority": .bytes(value(.applicationPriority)),
            "kernel": .bytes(value(.kernelIdentifier)),
            "registeredData": .bytes(value(.applicationSelectionRegisteredProprietaryData)),
            "extendedSelection": .bytes(value(.extendedSelection)),
        ])
    }

    /// Every primitive object by its tag, the first where there are several.
    private static func objects(_ template: TLV) -> VectorOutput {
        var objects: VectorOutput = [:]
        func collect(_ object: TLV) {
            guard !object.tag.isConstructed else { return object.objects.forEach(collect) }
            objects[object.tag.description] =
                objects[object.tag.description] ?? .bytes(object.value)
        }
        collect(template)
        return objects
    }
}
