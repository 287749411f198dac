import EMVCrypto

extension TerminalConfiguration {
    /// Reads a configuration from JSON; without `caKeys` the terminal trusts our test authorities.
    /// - Throws: `ProfilesError` for the first thing that is missing, unknown or malformed.
    public init(json text: [UInt8]) throws(ProfilesError) {
        var object = try JSONObject(parsing: text)
        terminalType = try object.hex("terminalType", 1...1)[0]
        country = UInt16(try object.integer("country", in: 1...999))
        capabilities = try object.hex("capabilities", 3...3)
        additionalCapabilities = try object.hex("additionalCapabilities", 5...5)
        merchant = try Merchant(object.object("merchant"))
        terminalIdentification = try object.text("terminalIdentification", 8...8)
        interfaceDeviceSerialNumber = try object.text("interfaceDeviceSerialNumber", 8...8)
        dataObjects = try object.dataObjects("dataObjects")
        combinations = []
        for element in try object.elements("combinations") {
            let group = try JSONObject(element.value, path: element.path)
            combinations += try Combination.combinations(group)
        }
        guard !combinations.isEmpty else {
            throw ProfilesError("combinations", "a terminal must accept something")
        }
        if object.has("caKeys") {
            caKeys = try CAPublicKey.keys(object.elements("caKeys"))
        } else {
            caKeys = CAPublicKey.testKeys
        }
        try object.finish()
    }
}

extension TerminalConfiguration.Merchant {
    fileprivate init(_ json: consuming JSONObject) throws(ProfilesError) {
        var object = json
        name = try object.text("name", 1...40)
        identifier = try object.text("identifier", 15...15)
        let digits = try object.digits("categoryCode", 4...4)
        categoryCode = digits.reduce(0) { $0 * 10 + UInt16($1) }
        acquirer = try object.digits("acquirer", 6...11)
        try object.finish()
    }
}

extension TerminalConfiguration.Combination {
    /// Reads a group of applications that are handled alike, one combination for each of `aids`.
    fileprivate static func combinations(
        _ json: consuming JSONObject
    ) throws(ProfilesError) -> [Self] {
        var object = json
        var aids: [[UInt8]] = []
        for element in try object.elements("aids") {
            aids.append(try JSONObject.hex(element.value, element.path, 5...16))
        }
        guard !aids.isEmpty else {
            throw ProfilesError(object.path(to: "aids"), "must hold at least one AID")
        }
        let first = try Self(&object, aid: aids[0])
        try object.finish()
        return aids.map { aid in
            var combination = first
            combination.aid = aid
            return combination
        }
    }

    private init(_ object: inout JSONObject, aid: [UInt8]) throws(ProfilesError) {
        self.aid = aid
        name = try object.string("name")
        kernel = UInt8(try object.integer("kernel", in: 1...63))
        transactionTypes = []
        for element in try object.elements("transactionTypes") {
            transactionTypes += try JSONObject.hex(element.value, element.path, 1...1)
        }
        transactionLimitMinorUnits = try object.limit("transactionLimitMinorUnits")
        floorLimitMinorUnits = try object.limit("floorLimitMinorUnits")
        cvmLimitMinorUnits = try object.limit("cvmLimitMinorUnits")
        supportsStatusCheck = try object.boolean("supportsStatusCheck")
        allowsZeroAmount = try object.boolean("allowsZeroAmount")
        supportsExtendedSelection = try object.boolean("supportsExtendedSelection")
        transactionQualifiers = try object.optionalHex("transactionQualifiers", 4...4)
        if object.has("actionCodes") {
            actionCodes = try ActionCodes(object.object("actionCodes"))
        }
        dataObjects = try object.dataObjects("dataObjects")
    }
}

extension JSONObject {
    fileprivate mutating func limit(_ name: String) throws(ProfilesError) -> UInt64? {
        try optionalInteger(name, in: 0...maximumAmount)
    }
}
