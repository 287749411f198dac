internal import CVectors

extension VectorFile {
    /// The text of a file that came with the program.
    public struct BuiltIn: Sendable {
        /// The file's name in `Vectors/`.
        public let name: String
        /// Its JSON text.
        public let json: [UInt8]
    }

    /// The files of `Vectors/`, in the order of their names.
    ///
    /// They are data of the program: there is nothing to find, wherever the program lies.
    public static var builtIn: [BuiltIn] {
        (0..<vector_file_count).compactMap { index in
            guard let file = unsafe vector_file_at(index) else { return nil }
            let bytes = unsafe UnsafeBufferPointer(
                start: file.pointee.bytes,
                count: file.pointee.byte_count
            )
            return unsafe BuiltIn(
                name: String(cString: file.pointee.name),
                json: [UInt8](bytes)
            )
        }
    }
}
