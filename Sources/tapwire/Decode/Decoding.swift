import BERTLV
import EMVData

/// What bytes turned out to be.
struct Decoding {
    /// What they are as a whole: `BER-TLV`.
    var title: String
    /// How many bytes there are; nil where there are none, only a tag.
    var byteCount: Int?
    /// What was found, in the order shown.
    var sections: [Section] = []
    /// What is wrong, in order.
    var faults: [Fault] = []
    /// Whether a fault ended the reading, so that there may be more.
    var isCutShort = false
    /// Whether something is masked.
    var isMasked = false

    /// Adds faults of objects and of their values, in the order of their places.
    mutating func add(_ faults: [Fault], _ others: [Fault]) {
        self.faults += (faults + others).enumerated().sorted {
            ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
        }.map(\.element)
    }

    /// Things that belong together.
    struct Section {
        /// What JSON calls it.
        var name: String
        /// The heading; nil for the only section.
        var title: String?
        /// Fields, each with its bytes and what they say.
        var parts: [DecodedPart] = []
        /// Data objects.
        var rows: [DecodedRow] = []
    }

    /// Something wrong.
    struct Fault {
        /// Where, from the first byte.
        var offset: Int
        /// What, for people.
        var sentence: String
    }
}

/// A part of a value: a bit, a field, an entry of a list.
struct DecodedPart {
    /// What it is or where it lies: `B1 b8`, `9F02`, `Expiry`.
    var place: String
    /// Its bytes as they are written; empty where the place says it all.
    var digits = ""
    /// What it says.
    var text: String
}

/// A data object, or bytes between objects.
struct DecodedRow {
    /// Where it starts; nil for an object that was named and not found in bytes.
    var offset: Int?
    /// The tag; nil for padding.
    var tag: Tag?
    /// What it is.
    var name: String?
    /// What else it may be to other kernels.
    var otherNames: [String] = []
    /// How its value is written; nil for a tag nobody knows and for a template.
    var format: DataFormat?
    /// How many bytes the value should have.
    var length: Int
    /// How many of them are there.
    var presentCount: Int
    /// The value, masked; empty for a template.
    var value: [UInt8] = []
    /// Whether the value is masked.
    var isMasked = false
    /// The value in words.
    var text: String?
    /// What is in the value.
    var parts: [DecodedPart] = []
    /// What about it is not as the book has it, though it can be read.
    var remarks: [String] = []
    /// What is inside a template.
    var rows: [DecodedRow] = []
}
