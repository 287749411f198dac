/// Three masks over the Terminal Verification Results, five bytes each: issuer's (IAC) or terminal's (TAC).
public struct ActionCodes: Hashable, Sendable {
    /// Declines offline.
    public var denial: [UInt8]
    /// Goes online.
    public var online: [UInt8]
    /// Declines when online is impossible.
    public var `default`: [UInt8]
    /// Collects the masks.
    public init(denial: [UInt8], online: [UInt8], default: [UInt8]) {
        self.denial = denial
        self.online = online
        self.default = `default`
    }
}

extension ActionCodes {
    /// Reads `{"denial": ..., "online": ..., "default": ...}`.
    init(_ object: consuming JSONObject) throws(ProfilesError) {
        denial = try object.hex("denial", 5...5)
        online = try object.hex("online", 5...5)
        `default` = try object.hex("default", 5...5)
        try object.finish()
    }
}
