import BERTLV
import EMVData
import Octets

/// A data object as people read it.
struct DecodedObject {
    /// The tag.
    var tag: Tag
    /// The object's name in the book; nil for a tag nobody knows.
    var name: String?
    /// The value; empty for a template.
    var value: [UInt8]
    /// The value in words: an amount, a date, a label; nil where the bytes say it all.
    var text: String?
    /// What the set bits mean.
    var meanings: [String]
    /// What is inside a template.
    var objects: [DecodedObject]

    /// Decodes an object and everything in it.
    /// - Parameters:
    ///   - object: The object.
    ///   - kernel: Whose meaning a tag with several has; nil for the first.
    ///   - currency: What the amounts around it are in; nil when it is not known.
    init(_ object: TLV, kernel: KernelIdentifier?, currency: Currency? = nil) {
        let definition = DataObjectDefinition[object.tag, in: kernel]
        tag = object.tag
        name = definition?.name
        objects = object.objects.map { DecodedObject($0, kernel: kernel, currency: currency) }
        value = object.tag.isConstructed ? [] : object.value
        text = definition?.text(of: value, in: currency, kernel: kernel)
        meanings = definition?.parts(of: value, in: kernel) ?? []
        meanings +=
            definition?.explanation(of: value, in: kernel).filter(\.isSet).map(\.meaning.text)
            ?? []
        meanings += Self.elements(of: tag, value)
    }

    /// What stands in a list.
    private static func elements(of tag: Tag, _ value: [UInt8]) -> [String] {
        switch tag {
        case .processingOptionsList, .cardRiskManagementList1, .cardRiskManagementList2,
            .dynamicDataAuthenticationList:
            let list = try? DataObjectList(parsing: value)
            return list?.entries.map { "\($0.tag), \($0.length)" } ?? []
        case .applicationFileLocator:
            let locator = try? ApplicationFileLocator(parsing: value)
            return locator?.entries.map(\.text) ?? []
        case .cvmList:
            let list = try? CVMList(parsing: value)
            return list?.rules.map { "\($0.code), \($0.condition)" } ?? []
        default: return []
        }
    }
}

extension ApplicationFileLocator.Entry {
    /// The records in words.
    var text: String {
        let records =
            firstRecord == lastRecord
            ? "record \(firstRecord)" : "records \(firstRecord) to \(lastRecord)"
        let signed = authenticatedRecordCount > 0 ? ", \(authenticatedRecordCount) signed" : ""
        return "SFI \(shortFileIdentifier) \(records)\(signed)"
    }
}
