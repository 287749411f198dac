import BERTLV
import EMVData
import Octets

/// Why the code under test refuses an input, as files name it.
struct VectorRefusal: Error, Hashable {
    /// One word, which an invalid case may expect as its `error`.
    var name: String
    /// The byte at which the input stops being good, which a case may expect as its `offset`.
    var offset: Int?

    /// Names a refusal that has no error of its own.
    init(_ name: String, at offset: Int? = nil) {
        self.name = name
        self.offset = offset
    }

    /// Names an error by its case, without the values in it: `wrongLength`.
    init(_ error: any Error) {
        switch error {
        case let refusal as VectorRefusal: self = refusal
        case let error as TLVError: self.init(Self.label(of: error.reason), at: error.offset)
        case let error as EMVDataError: self.init(Self.label(of: error.reason), at: error.offset)
        case let error as HexError: self.init(Self.label(of: error), at: error.offset)
        default: self.init(Self.label(of: error))
        }
    }

    /// The name of an enum's case; any other value in full.
    private static func label(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .enum, let label = mirror.children.first?.label else {
            return String(describing: value)
        }
        return label
    }
}

extension VectorRefusal: CustomStringConvertible {
    /// The refusal for people.
    var description: String { "refused: \(name)" + (offset.map { " at \($0)" } ?? "") }
}

extension HexError {
    /// The character that is no digit; nil when it is not one that is wrong.
    fileprivate var offset: Int? {
        guard case .notADigit(let offset) = self else { return nil }
        return offset
    }
}

extension Optional {
    /// The value, where nothing means that the input is refused.
    /// - Throws: `VectorRefusal` of that name.
    func orRefused(as name: String) throws(VectorRefusal) -> Wrapped {
        guard let self else { throw VectorRefusal(name) }
        return self
    }
}
