import EMVData
import Profiles

/// `file-locators`: which records a terminal reads (EMV Book 3, 10.2).
struct FileLocatorFamily: VectorFamily {
    var locator: [UInt8]

    static let name = "file-locators"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        locator = try input.hex("data")
    }

    func output() throws -> VectorOutput {
        let entries = try ApplicationFileLocator(parsing: locator).entries
        return [
            "value": .list(
                entries.map { entry in
                    .object([
                        "file": .number(Int(entry.shortFileIdentifier)),
                        "first": .number(Int(entry.firstRecord)),
                        "last": .number(Int(entry.lastRecord)),
                        "authenticated": .number(Int(entry.authenticatedRecordCount)),
                    ])
                }
            )
        ]
    }
}

/// `cvm-lists`: the card's rules for cardholder verification (EMV Book 3, 10.5).
struct CVMListFamily: VectorFamily {
    var list: [UInt8]

    static let name = "cvm-lists"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        list = try input.hex("data")
    }

    func output() throws -> VectorOutput {
        let list = try CVMList(parsing: list)
        return [
            "x": .number(Int(list.amountX)),
            "y": .number(Int(list.amountY)),
            "rules": .list(
                list.rules.map { .bytes([$0.code.rawValue, $0.condition.rawValue]) }
            ),
            "meanings": .list(list.rules.map { .text("\($0.condition): \($0.code)") }),
        ]
    }
}
