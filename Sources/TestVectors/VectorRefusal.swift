/// Why the code under test refuses an input, as files name it.
struct VectorRefusal: Error, Hashable {
    /// One word, which an invalid case may expect as its `error`.
    var name: String

    /// Names a refusal that has no error of its own.
    init(_ name: String) { self.name = name }

    /// Names an error by its case, without the values in it: `wrongLength`.
    init(_ error: any Error) {
        if let refusal = error as? VectorRefusal {
            self = refusal
            return
        }
        let mirror = Mirror(reflecting: error)
        if mirror.displayStyle == .enum, let label = mirror.children.first?.label {
            name = label
        } else {
            name = String(describing: error)
        }
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
