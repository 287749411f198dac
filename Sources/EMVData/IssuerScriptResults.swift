#if !hasFeature(Embedded)
import Octets

/// What became of an issuer's script, five bytes of 9F5B (EMV Book 4, Annex A5).
public struct IssuerScriptResult: Hashable, Sendable {
    /// How far the script got (byte 1, bits 8 to 5).
    public enum Result: Hashable, Sendable {
        /// It was not performed (0).
        case notPerformed
        /// A command failed (1).
        case failed
        /// Every command succeeded (2).
        case successful
        /// A reserved value.
        case reserved(UInt8)
    }

    /// How far it got.
    public var result: Result
    /// Which command failed, from 1; 15 stands for that and any later one, 0 for none in particular.
    public var command: UInt8
    /// The script's identifier (9F18), four bytes.
    public var identifier: [UInt8]

    /// Reads all of `bytes`, five for each script; nil at another length.
    public static func list(_ bytes: [UInt8]) -> [IssuerScriptResult]? {
        guard bytes.count.isMultiple(of: 5) else { return nil }
        return stride(from: 0, to: bytes.count, by: 5).map { offset in
            let result: Result =
                switch bytes[offset] >> 4 {
                case 0: .notPerformed
                case 1: .failed
                case 2: .successful
                case let other: .reserved(other)
                }
            return IssuerScriptResult(
                result: result,
                command: bytes[offset] & 0x0F,
                identifier: Array(bytes[offset + 1..<offset + 5])
            )
        }
    }
}

extension IssuerScriptResult: CustomStringConvertible {
    /// The result in words.
    public var description: String {
        let text: String =
            switch result {
            case .notPerformed: "not performed"
            case .failed where command == 0: "failed"
            case .failed: "failed at command \(command)" + (command == 15 ? " or later" : "")
            case .successful: "successful"
            case .reserved(let value): "reserved value \(value)"
            }
        return "Script \(identifier.hex): \(text)"
    }
}

#endif
