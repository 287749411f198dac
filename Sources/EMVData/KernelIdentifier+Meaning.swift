#if !hasFeature(Embedded)
import Octets

extension KernelIdentifier {
    /// What a Kernel Identifier says: which kernel, and whether it is an international or a domestic one (9F2A, 96).
    ///
    /// Bits 8 and 7 of byte 1 tell the type, the other bits the kernel's number; a domestic kernel has a currency or
    /// country code, or a registered number, in bytes 2 and 3. EMV Book B, Tables 3-4 and 3-7.
    /// - Returns: nil for an empty value.
    public static func text(of value: [UInt8]) -> String? {
        guard let first = value.first else { return nil }
        let kernel = first & 0x3F == 0 ? "any kernel" : "kernel \(first & 0x3F)"
        switch first & 0xC0 {
        case 0x00: return "\(kernel), international"
        case 0x40: return "\(kernel), reserved type"
        default: break
        }
        let kind = first & 0x40 == 0 ? "domestic in EMVCo's form" : "domestic, proprietary"
        guard value.count >= 3, value[1...2] != [0, 0] else { return "\(kernel), \(kind)" }
        let code = Array(value[1...2])
        let owner = first & 0x40 == 0 ? owner(code) : code.hex
        return "\(kernel), \(kind), \(owner)"
    }

    /// What a terminal's Kernel Identifier says of kernel 8 (96, byte 4).
    static func kernel8Support(in value: [UInt8]) -> [String] {
        guard value.count == 8 else { return [] }
        return (value[3] & 0x80 != 0 ? ["Reader supports kernel 8"] : [])
            + (value[3] & 0x40 != 0 ? ["Kernel 8 supported for this transaction"] : [])
    }

    /// Currency codes and country codes share their numbers; a currency is named first, as EMVCo's examples do.
    private static func owner(_ code: [UInt8]) -> String {
        Currency(bytes: code)?.alphabetic ?? Country(bytes: code)?.name ?? code.hex
    }
}

#endif
