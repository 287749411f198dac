import BERTLV
import EMVData
import Octets
public import Profiles
public import TerminalKernels

extension ReaderConfiguration {
    /// Prepares a reader as a terminal's configuration describes it.
    /// - Throws: `ProfilesError` with the path of a value that fits no data object.
    public init(_ terminal: TerminalConfiguration) throws(ProfilesError) {
        var combinations: [Combination] = []
        for (index, profile) in terminal.combinations.enumerated() {
            combinations.append(
                try Combination(profile, of: terminal, path: "combinations[\(index)]")
            )
        }
        self.init(combinations: combinations, terminalData: terminal.terminalData)
    }
}

extension TerminalConfiguration {
    /// The data objects every kernel is given.
    fileprivate var terminalData: [Tag: [UInt8]] {
        var data: [Tag: [UInt8]] = [
            .terminalType: [terminalType],
            .terminalCountryCode: PackedDigits.numeric(UInt64(country), byteCount: 2) ?? [],
            .terminalCapabilities: capabilities,
            .additionalTerminalCapabilities: additionalCapabilities,
            .terminalIdentification: Array(terminalIdentification.utf8),
            .interfaceDeviceSerialNumber: Array(interfaceDeviceSerialNumber.utf8),
            .merchantNameAndLocation: Array(merchant.name.utf8),
            .merchantIdentifier: Array(merchant.identifier.utf8),
            .merchantCategoryCode:
                PackedDigits.numeric(UInt64(merchant.categoryCode), byteCount: 2) ?? [],
            .acquirerIdentifier: PackedDigits.numeric(merchant.acquirer, byteCount: 6) ?? [],
        ]
        for object in dataObjects { data[object.tag] = object.value }
        return data
    }
}

extension Combination {
    /// Prepares one application of a terminal.
    fileprivate init(
        _ profile: TerminalConfiguration.Combination,
        of terminal: TerminalConfiguration,
        path: String
    ) throws(ProfilesError) {
        guard let aid = ApplicationIdentifier(bytes: profile.aid) else {
            throw ProfilesError("\(path).aid", "an AID has 5 to 16 bytes")
        }
        var qualifiers: TerminalTransactionQualifiers?
        if let bytes = profile.transactionQualifiers {
            qualifiers = TerminalTransactionQualifiers(bytes: bytes)
            guard qualifiers != nil else {
                throw ProfilesError("\(path).transactionQualifiers", "TTQ (9F66) has four bytes")
            }
        }
        let kernel = KernelIdentifier(rawValue: UInt32(profile.kernel))
        var data = kernel == .kernel2 ? Self.kernel2Data(profile, terminal) : [:]
        for object in profile.dataObjects { data[object.tag] = object.value }
        self.init(
            applicationIdentifier: aid,
            kernelIdentifier: kernel,
            transactionTypes: Set(profile.transactionTypes.map(TransactionType.init(rawValue:))),
            limits: Limits(
                transaction: profile.transactionLimitMinorUnits,
                floor: profile.floorLimitMinorUnits,
                cvm: profile.cvmLimitMinorUnits
            ),
            terminalTransactionQualifiers: qualifiers,
            kernelData: data
        )
        supportsStatusCheck = profile.supportsStatusCheck
        allowsZeroAmount = profile.allowsZeroAmount
        supportsExtendedSelection = profile.supportsExtendedSelection
    }

    /// The objects by which kernel 2 knows capabilities and limits (EMV Book C-2, Table 5.5).
    ///
    /// The combination's own data objects go before them.
    private static func kernel2Data(
        _ profile: TerminalConfiguration.Combination,
        _ terminal: TerminalConfiguration
    ) -> [Tag: [UInt8]] {
        func limit(_ minorUnits: UInt64?) -> [UInt8] {
            minorUnits.flatMap { PackedDigits.numeric($0, byteCount: 6) }
                ?? [UInt8](repeating: 0x99, count: 6)
        }
        var data: [Tag: [UInt8]] = [
            .readerContactlessFloorLimit: limit(profile.floorLimitMinorUnits),
            .readerContactlessTransactionLimitNoOnDeviceCVM:
                limit(profile.transactionLimitMinorUnits),
            .readerContactlessTransactionLimitOnDeviceCVM:
                limit(profile.transactionLimitMinorUnits),
            .readerCVMRequiredLimit: limit(profile.cvmLimitMinorUnits),
        ]
        if terminal.capabilities.count == 3 {
            data[.cardDataInputCapability] = [terminal.capabilities[0]]
            data[.cvmCapabilityCVMRequired] = [terminal.capabilities[1]]
            data[.cvmCapabilityNoCVMRequired] = [terminal.capabilities[1]]
            data[.securityCapability] = [terminal.capabilities[2]]
        }
        if let codes = profile.actionCodes {
            data[.terminalActionCodeDefault] = codes.default
            data[.terminalActionCodeDenial] = codes.denial
            data[.terminalActionCodeOnline] = codes.online
        }
        return data
    }
}
