import BERTLV

extension TLVError.Reason {
    /// What is wrong, for people.
    var sentence: String {
        switch self {
        case .truncatedTag: "the bytes end inside a tag"
        case .tagTooLong: "a tag has more than four bytes"
        case .truncatedLength: "the bytes end inside a length"
        case .unsupportedLength: "a length is not of a form EMV uses"
        case .truncatedValue: "a value is shorter than its length says"
        case .nestedTooDeeply: "templates lie too deep in each other"
        case .tooManyObjects: "there are too many objects"
        case .pastTemplate(let tag): "\(tag) runs past the end of its template"
        case .duplicate(let tag): "the template has a second \(tag)"
        case .filling: "FF bytes stand where objects should; only 00 may fill"
        }
    }
}
