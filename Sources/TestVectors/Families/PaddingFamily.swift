import EMVCrypto
import Profiles

/// `paddings`: messages filled up to whole blocks (ISO 9797-1, 6.3).
struct PaddingFamily: VectorFamily {
    var padding: RetailMAC.Padding
    var message: [UInt8]
    var blockByteCount: Int

    static let name = "paddings"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        padding = try input.paddingMethod("method")
        message = try input.hex("message")
        blockByteCount = try input.count("blockByteCount", 1...255)
    }

    func output() throws -> VectorOutput {
        ["padded": .bytes(padding.padded(message, blockByteCount: blockByteCount))]
    }
}

extension JSONObject {
    /// 1 or 2, the methods of ISO 9797-1.
    mutating func paddingMethod(_ name: String) throws(ProfilesError) -> RetailMAC.Padding {
        try count(name, 1...2) == 1 ? .zeros : .marked
    }
}
