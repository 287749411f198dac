#if !hasFeature(Embedded)
import BERTLV
import Octets

extension DataObjectDefinition {
    /// Everything a value says: its text, its parts and its set bits, in this order.
    /// - Parameters:
    ///   - value: The object's value.
    ///   - kernel: Whose application the object belongs to, where that decides how it is read.
    /// - Returns: One line for each.
    public func meanings(of value: [UInt8], in kernel: KernelIdentifier? = nil) -> [String] {
        (text(of: value, kernel: kernel).map { [$0] } ?? []) + parts(of: value, in: kernel)
            + explanation(of: value, in: kernel).filter(\.isSet).map(\.meaning.text)
    }

    /// What the parts of a value say that are not bits; empty where it has none.
    /// - Parameters:
    ///   - value: The object's value.
    ///   - kernel: Whose application the object belongs to, where that decides how it is read.
    /// - Returns: One line for each.
    public func parts(of value: [UInt8], in kernel: KernelIdentifier? = nil) -> [String] {
        switch tag {
        case .issuerApplicationData:
            IssuerApplicationData(bytes: value, of: kernel)?.parts ?? []
        case .issuerAuthenticationData: IssuerAuthenticationData(bytes: value)?.parts ?? []
        case .issuerScriptResults where self.kernel == nil:
            IssuerScriptResult.list(value)?.map(\.description) ?? []
        case .thirdPartyData where self.kernel == .kernel2:
            (try? ThirdPartyData(parsing: value))?.parts ?? []
        case .cardAuthenticationRelatedData where self.kernel == .kernel3:
            Self.authenticationParts(value)
        case .cvmResults:
            CVMResults(bytes: value).map { ["Condition: \($0.condition)"] } ?? []
        case .languagePreference: Language.list(value)?.map(\.description) ?? []
        case .applicationReferenceCurrency: Self.currencies(value)
        case .applicationSelectionRegisteredProprietaryData:
            (try? RegisteredData.list(parsing: value))?.map(\.selectionText) ?? []
        case .pointOfInteractionInformation:
            (try? RegisteredData.list(parsing: value))?.flatMap(\.pointOfInteractionTexts) ?? []
        case .terminalCategoriesSupportedList:
            TerminalCategory.list(value).map(\.description)
        case .terminalKernelIdentifier: KernelIdentifier.kernel8Support(in: value)
        default: []
        }
    }

    private static func currencies(_ value: [UInt8]) -> [String] {
        guard value.count.isMultiple(of: 2) else { return [] }
        return stride(from: 0, to: value.count, by: 2).map {
            Currency(bytes: Array(value[$0..<$0 + 2]))?.alphabetic ?? "unknown currency"
        }
    }

    /// Version and number of 9F69; its last two bytes repeat the card's qualifiers.
    private static func authenticationParts(_ value: [UInt8]) -> [String] {
        guard value.count >= 5 else { return [] }
        return ["fDDA version: \(value[0])", "Card's unpredictable number: \(value[1..<5].hex)"]
    }
}

extension IssuerAuthenticationData {
    /// What the value says beside the bits of its Card Status Update.
    var parts: [String] {
        var parts = ["Response cryptogram: \(cryptogram.hex)"]
        if let responseCode {
            let code = AuthorisationResponseCode(bytes: responseCode)
            let meaning = code?.meaning.map { ", \($0)" } ?? ""
            parts.append("Response code: \(code?.rawValue ?? responseCode.hex)\(meaning)")
        }
        if !proprietaryData.isEmpty { parts.append("Issuer's data: \(proprietaryData.hex)") }
        return parts
    }
}

#endif
