import BERTLV
import EMVData
import Octets

extension Kernel2 {
    /// The data objects that configure kernel 2, each with the book's default (EMV Book C-2, Table 5.5).
    struct Configuration: Sendable {
        private let objects: [Tag: [UInt8]]

        /// Reads the objects of a combination and its terminal.
        init(_ objects: [Tag: [UInt8]]) { self.objects = objects }

        /// What is used for an object that is not configured.
        private static let defaults: [Tag: [UInt8]] = [
            .additionalTerminalCapabilities: [0, 0, 0, 0, 0],
            .terminalApplicationVersionNumber: [0x00, 0x02],
            .cardDataInputCapability: [0x00],
            .cvmCapabilityCVMRequired: [0x00],
            .cvmCapabilityNoCVMRequired: [0x00],
            .securityCapability: [0x00],
            .kernelConfiguration: [0x00],
            .terminalActionCodeDefault: [0x84, 0x00, 0x00, 0x00, 0x0C],
            .terminalActionCodeDenial: [0x84, 0x00, 0x00, 0x00, 0x0C],
            .terminalActionCodeOnline: [0x84, 0x00, 0x00, 0x00, 0x0C],
            .readerContactlessFloorLimit: [0, 0, 0, 0, 0, 0],
            .readerContactlessTransactionLimitNoOnDeviceCVM: [0, 0, 0, 0, 0, 0],
            .readerContactlessTransactionLimitOnDeviceCVM: [0, 0, 0, 0, 0, 0],
            .readerCVMRequiredLimit: [0, 0, 0, 0, 0, 0],
            .messageHoldTime: [0x00, 0x00, 0x13],
            .holdTimeValue: [0x0D],
            .kernelID: [0x02],
            .mobileSupportIndicator: [0x01],
            .phoneMessageTable: [
                0x00, 0x00, 0x01, 0x00, 0x00, 0x01, 0x20, 0x00,
                0x00, 0x08, 0x00, 0x00, 0x08, 0x00, 0x20, 0x00,
                0x00, 0x04, 0x00, 0x00, 0x04, 0x00, 0x20, 0x00,
                0x00, 0x01, 0x00, 0x00, 0x01, 0x00, 0x20, 0x00,
                0x00, 0x02, 0x00, 0x00, 0x02, 0x00, 0x20, 0x00,
                0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x07, 0x00,
            ],
        ]

        /// The objects with every default filled in.
        var complete: [Tag: [UInt8]] { objects.merging(Self.defaults) { given, _ in given } }

        /// EMV mode contactless transactions not supported (DF811B, bit 7).
        var isEMVModeUnsupported: Bool { kernelConfiguration & 0x40 != 0 }
        /// Mag-stripe mode contactless transactions not supported (DF811B, bit 8).
        var isMagStripeModeUnsupported: Bool { kernelConfiguration & 0x80 != 0 }
        /// On device cardholder verification supported (DF811B, bit 6).
        var supportsOnDeviceCVM: Bool { kernelConfiguration & 0x20 != 0 }

        /// Card Data Input Capability (DF8117).
        var cardDataInputCapability: UInt8 { byte(.cardDataInputCapability) }
        /// Security Capability (DF811F).
        var securityCapability: UInt8 { byte(.securityCapability) }
        /// CVM Capability – CVM Required (DF8118) or No CVM Required (DF8119).
        func cvmCapability(isCVMRequired: Bool) -> UInt8 {
            byte(isCVMRequired ? .cvmCapabilityCVMRequired : .cvmCapabilityNoCVMRequired)
        }

        /// Reader Contactless Floor Limit (DF8123).
        var floorLimit: UInt64 { number(.readerContactlessFloorLimit) }
        /// Reader CVM Required Limit (DF8126).
        var cvmRequiredLimit: UInt64 { number(.readerCVMRequiredLimit) }
        /// Reader Contactless Transaction Limit (DF8125 with on device CVM, DF8124 without).
        func transactionLimit(onDeviceCVM: Bool) -> UInt64 {
            number(
                onDeviceCVM
                    ? .readerContactlessTransactionLimitOnDeviceCVM
                    : .readerContactlessTransactionLimitNoOnDeviceCVM
            )
        }

        /// Terminal Action Codes (DF8121, DF8122, DF8120).
        var actionCodes: TerminalActionAnalysis.ActionCodes {
            TerminalActionAnalysis.ActionCodes(
                denial: bits(.terminalActionCodeDenial),
                online: bits(.terminalActionCodeOnline),
                default: bits(.terminalActionCodeDefault)
            )
        }

        /// Message Hold Time (DF812D), in units of 100 ms.
        var messageHoldTime: UInt32 { UInt32(truncatingIfNeeded: number(.messageHoldTime)) }
        /// Hold Time Value (DF8130), in units of 100 ms.
        var fieldOffHoldTime: UInt8 { byte(.holdTimeValue) }

        /// Terminal Type (9F35); nil when the terminal does not say.
        var terminalType: TerminalType? {
            objects[.terminalType]?.first.map(TerminalType.init(rawValue:))
        }
        /// Terminal Country Code (9F1A).
        var terminalCountry: [UInt8] { value(.terminalCountryCode) }
        /// Additional Terminal Capabilities (9F40).
        var additionalCapabilities: AdditionalTerminalCapabilities {
            AdditionalTerminalCapabilities(bytes: value(.additionalTerminalCapabilities))
                ?? AdditionalTerminalCapabilities()
        }
        /// Application Version Number (Reader) (9F09).
        var applicationVersionNumber: [UInt8] { value(.terminalApplicationVersionNumber) }

        /// What the Phone Message Table (DF8131) says about a cardholder interaction (DF4B).
        ///
        /// A row is a mask and a value of three bytes, message and status; the first that matches counts.
        func phoneMessage(
            for information: POSCardholderInteractionInformation
        ) -> (UserInterfaceRequest.Message, UserInterfaceRequest.Status)? {
            let table = value(.phoneMessageTable)
            for start in stride(from: 0, to: table.count - 7, by: 8) {
                let mask = table[start..<start + 3]
                let wanted = table[start + 3..<start + 6]
                guard zip(mask, information.bytes).map({ $0 & $1 }) == Array(wanted) else {
                    continue
                }
                return (
                    UserInterfaceRequest.Message(rawValue: table[start + 6]),
                    UserInterfaceRequest.Status(rawValue: table[start + 7]) ?? .notApplicable
                )
            }
            return nil
        }

        private var kernelConfiguration: UInt8 { byte(.kernelConfiguration) }

        private func value(_ tag: Tag) -> [UInt8] { objects[tag] ?? Self.defaults[tag] ?? [] }
        private func byte(_ tag: Tag) -> UInt8 { value(tag).first ?? 0 }
        private func number(_ tag: Tag) -> UInt64 { PackedDigits.number(value(tag)) ?? 0 }
        private func bits(_ tag: Tag) -> UInt64 {
            value(tag).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
