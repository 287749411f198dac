#if !hasFeature(Embedded)
import Octets

/// Proprietary data of a Mastercard product (9F6E of kernel 2).
///
/// Country (2 bytes, ISO 3166-1), identifier (2), device type (2 characters; absent when bit 8 of the identifier is
/// set), proprietary data (at least 1). EMV Book C-2, A.1.171; M/Chip Requirements, chapter 5, tables 12 to 15.
public struct ThirdPartyData: Hashable, Sendable {
    /// The country of the issuer.
    public let country: Country
    /// Whose proprietary data follow: 0000 nobody's, 0003 and 8003 Mastercard's own.
    public let identifier: UInt16
    /// The two characters of the device type; nil when the identifier says there is none.
    public let deviceType: String?
    /// What follows, 1 to 28 bytes.
    public let proprietaryData: [UInt8]

    /// Takes a value apart.
    /// - Throws: `EMVDataError`: `wrongLength` unless there are 5 to 32 bytes, and 7 where a device type is;
    ///   `notADigit` where the country is no number.
    public init(parsing bytes: [UInt8]) throws(EMVDataError) {
        guard 5...32 ~= bytes.count else { throw EMVDataError(.wrongLength, at: bytes.count) }
        guard let country = Country(bytes: Array(bytes[..<2])) else {
            throw EMVDataError(.notADigit, at: 0)
        }
        self.country = country
        identifier = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        guard identifier & 0x8000 == 0 else {
            deviceType = nil
            proprietaryData = Array(bytes[4...])
            return
        }
        guard bytes.count >= 7 else { throw EMVDataError(.wrongLength, at: bytes.count) }
        deviceType = String(decoding: bytes[4..<6], as: UTF8.self)
        proprietaryData = Array(bytes[6...])
    }

    /// What the value says, part by part.
    public var parts: [String] {
        var parts = ["Country: \(country.description)", "Identifier: \(owner)"]
        if let deviceType {
            let name = Self.deviceTypes[deviceType].map { ", \($0)" } ?? ""
            parts.append("Device type: \(deviceType)\(name)")
        }
        return parts + extensionParts
    }

    private var isProductExtension: Bool { identifier & 0x7FFF == 3 }

    private var owner: String {
        if identifier == 0 { return "no proprietary data" }
        return isProductExtension ? "Mastercard product extension" : identifier.hex
    }

    /// What Mastercard's own extension says; the bytes of any other.
    private var extensionParts: [String] {
        let data = proprietaryData
        guard isProductExtension else {
            return data == [0] ? [] : ["Proprietary data: \(data.hex)"]
        }
        switch (data.first, data.dropFirst().first, data.count) {
        case (0, 1, 8): return fleetParts
        case (0, 2, 5): return transitParts
        default: return ["Product extension: \(data.hex)"]
        }
    }

    private var fleetParts: [String] {
        let data = proprietaryData
        var parts = ["Product: fleet card"]
        switch data[2] {
        case 1: parts.append("Good for fuel and other products")
        case 2: parts.append("Good for fuel only")
        default: break
        }
        let prompts: [(UInt8, String)] = [
            (0x08, "odometer"), (0x04, "driver number"), (0x02, "vehicle number"),
            (0x01, "identification number"),
        ]
        parts += prompts.filter { data[3] & $0.0 != 0 }.map { "Ask for the \($0.1)" }
        switch data[4] {
        case 0x80: parts.append("Driver's card")
        case 0x40: parts.append("Vehicle's card")
        default: break
        }
        return parts
    }

    private var transitParts: [String] {
        let data = proprietaryData
        let deferred = data[2] & 0x80 != 0 ? ["Deferred authorisation not supported"] : []
        let concession = Self.concessions[data[3]].map { ", \($0)" } ?? ""
        return ["Product: transit"] + deferred + ["Concession: \([data[3]].hex)\(concession)"]
    }

    private static let concessions: [UInt8: String] = [
        1: "senior citizen", 2: "student", 3: "military or veteran", 4: "low income",
        5: "disability", 6: "child", 7: "transit staff", 8: "public or preferred employee",
    ]

    /// Who holds the secure element of a phone or tablet decides among the first nineteen.
    private static let deviceTypes: [String: String] = [
        "00": "card", "01": "phone, operator's removable secure element", "02": "key fob",
        "03": "watch", "04": "mobile tag", "05": "wristband", "06": "phone case or sleeve",
        "07": "phone, operator's fixed secure element",
        "08": "phone, removable secure element of another than the operator",
        "09": "phone, fixed secure element of another than the operator",
        "10": "tablet, operator's removable secure element",
        "11": "tablet, operator's fixed secure element",
        "12": "tablet, removable secure element of another than the operator",
        "13": "tablet, fixed secure element of another than the operator",
        "14": "phone, host card emulation", "15": "tablet, host card emulation",
        "16": "phone, trusted execution environment",
        "17": "tablet, trusted execution environment",
        "18": "watch, trusted execution environment", "19": "watch, host card emulation",
        "20": "card", "21": "phone", "22": "tablet or e-reader", "23": "watch or wristband",
        "24": "sticker", "25": "computer", "26": "device peripheral", "27": "tag or key fob",
        "28": "jewellery", "29": "fashion accessory", "30": "garment",
        "31": "domestic appliance", "32": "vehicle", "33": "media or gaming device",
    ]
}

#endif
