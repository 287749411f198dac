#if !hasFeature(Embedded)

extension ApplicationCryptogram {
    /// How well what is computed here is known to be what cards compute.
    public enum Evidence: Hashable, Sendable, CaseIterable {
        /// Cryptograms of real test cards whose keys are published come out.
        case testCards
        /// Values that others computed in hardware, or a scheme's guide prints, come out.
        case publishedValues
        /// Values of other programs come out in part.
        case otherPrograms
        /// No published value was found: it is built as those who know the scheme's books describe it.
        case description
    }

    /// How well this version is known.
    public var evidence: Evidence {
        switch self {
        case .visaCVN10, .visaCVN17, .visaCVN18, .mchipCVN10, .mchipCVN11, .discoverCVN06:
            .testCards
        case .visaCVN22, .mchipCVN14, .mchipCVN15, .interacCVN133, .commonCore: .publishedValues
        case .visaCVN43, .visaCVN4A: .otherPrograms
        case .amexCVN01, .amexCVN02, .jcbCVN01, .jcbCVN02, .unionPayCVN01, .unionPayCVN17:
            .description
        }
    }

    /// The version as people write it: "Visa CVN 18".
    public var name: String {
        switch self {
        case .visaCVN10: "Visa CVN 10"
        case .visaCVN17: "Visa CVN 17"
        case .visaCVN18: "Visa CVN 18"
        case .visaCVN22: "Visa CVN 22"
        case .visaCVN43: "Visa CVN 43"
        case .visaCVN4A: "Visa CVN 4A"
        case .mchipCVN10: "M/Chip CVN 10 (16 decimal)"
        case .mchipCVN11: "M/Chip CVN 11 (17 decimal)"
        case .mchipCVN14: "M/Chip CVN 14 (20 decimal)"
        case .mchipCVN15: "M/Chip CVN 15 (21 decimal)"
        case .commonCore: "Common Core Definitions, version 5"
        case .interacCVN133: "Interac CVN 133"
        case .discoverCVN06: "Discover D-PAS CVN 06"
        case .amexCVN01: "American Express CVN 01"
        case .amexCVN02: "American Express CVN 02"
        case .jcbCVN01: "JCB CVN 01"
        case .jcbCVN02: "JCB CVN 02"
        case .unionPayCVN01: "UnionPay CVN 01"
        case .unionPayCVN17: "UnionPay CVN 17"
        }
    }

    /// Reads the version from Visa Issuer Application Data (9F10).
    ///
    /// Formats 0, 1 and 3: length 06, key index, CVN, CVR. Formats 2 and 4: length 1F, CVN, key index, CVR.
    /// Nil for a version or layout not known here.
    public init?(visa issuerApplicationData: [UInt8]) {
        guard issuerApplicationData.count >= 7 else { return nil }
        if issuerApplicationData[0] == 0x1F, issuerApplicationData.count == 32 {
            switch issuerApplicationData[1] {
            case 0x22: self = .visaCVN22
            case 0x43: self = .visaCVN43
            case 0x4A: self = .visaCVN4A
            default: return nil
            }
            return
        }
        guard issuerApplicationData[0] == 0x06 else { return nil }
        switch issuerApplicationData[2] {
        case 0x0A: self = .visaCVN10
        case 0x11: self = .visaCVN17
        case 0x12: self = .visaCVN18
        default: return nil
        }
    }

    /// Reads the version from M/Chip Issuer Application Data (9F10): key index, CVN, CVR, counters.
    ///
    /// Nil for a version or layout not known here.
    public init?(mchip issuerApplicationData: [UInt8]) {
        guard issuerApplicationData.count >= 18 else { return nil }
        switch issuerApplicationData[1] {
        case 0x10: self = .mchipCVN10
        case 0x11: self = .mchipCVN11
        case 0x14: self = .mchipCVN14
        case 0x15: self = .mchipCVN15
        default: return nil
        }
    }

    /// Reads the version from Issuer Application Data (9F10) of any scheme.
    ///
    /// Layouts are told apart by who registered the application. Data in the layout of the Common Core
    /// Definitions (0F A5) are recognised whoever did. Nil for a version or layout not known here.
    /// - Parameters:
    ///   - issuerApplicationData: The value of 9F10.
    ///   - rid: The first five bytes of the application's identifier (4F, 84).
    public init?(issuerApplicationData: [UInt8], rid: [UInt8]) {
        if issuerApplicationData.count == 32, issuerApplicationData[0] == 0x0F,
            issuerApplicationData[1] == 0xA5
        {
            self = .commonCore
            return
        }
        let layout = RegisteredLayout(rid: rid)
        switch layout {
        case .visa: self.init(visa: issuerApplicationData)
        case .mchip: self.init(mchip: issuerApplicationData)
        case .discover where issuerApplicationData.count >= 8 && issuerApplicationData[1] == 0x06:
            self = .discoverCVN06
        case .interac where issuerApplicationData.count >= 7 && issuerApplicationData[2] == 0x85:
            self = .interacCVN133
        case .amex, .jcb, .unionPay:
            guard issuerApplicationData.count >= 7 else { return nil }
            switch (layout, issuerApplicationData[2]) {
            case (.amex, 0x01): self = .amexCVN01
            case (.amex, 0x02): self = .amexCVN02
            case (.jcb, 0x01): self = .jcbCVN01
            case (.jcb, 0x02): self = .jcbCVN02
            case (.unionPay, 0x01): self = .unionPayCVN01
            case (.unionPay, 0x11): self = .unionPayCVN17
            default: return nil
            }
        default: return nil
        }
    }
}

/// Whose Issuer Application Data look how.
private enum RegisteredLayout {
    case visa, mchip, amex, jcb, discover, unionPay, interac

    init?(rid: [UInt8]) {
        switch rid {
        case [0xA0, 0x00, 0x00, 0x00, 0x03], [0xA0, 0x00, 0x00, 0x00, 0x98]: self = .visa
        case [0xA0, 0x00, 0x00, 0x00, 0x04]: self = .mchip
        case [0xA0, 0x00, 0x00, 0x00, 0x25]: self = .amex
        case [0xA0, 0x00, 0x00, 0x00, 0x65]: self = .jcb
        // Discover, ZIP and the US debit application built on D-PAS.
        case [0xA0, 0x00, 0x00, 0x01, 0x52], [0xA0, 0x00, 0x00, 0x03, 0x24],
            [0xA0, 0x00, 0x00, 0x06, 0x20]:
            self = .discover
        case [0xA0, 0x00, 0x00, 0x03, 0x33]: self = .unionPay
        case [0xA0, 0x00, 0x00, 0x02, 0x77]: self = .interac
        default: return nil
        }
    }
}

#endif
