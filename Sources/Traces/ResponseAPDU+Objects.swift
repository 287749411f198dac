public import BERTLV
import EMVData
public import ISO7816

extension ResponseAPDU {
    /// The data objects of a response, those of format 1 (80) told apart by their place; none where it holds no TLV.
    ///
    /// EMV Book 3, 6.5, and for EXCHANGE RELAY RESISTANCE DATA Book C-2, 5.3.
    /// - Parameter code: The command that was answered; nil when it is not known.
    /// - Returns: The objects, in order.
    public func objects(to code: CommandCode?) -> [TLV] {
        guard let objects = try? TLV.parse(body) else { return [] }
        guard objects.count == 1, objects[0].tag == .responseTemplate1 else { return objects }
        let value = objects[0].value
        switch code {
        case .getProcessingOptions? where value.count >= 6:
            return [
                TLV(.applicationInterchangeProfile, Array(value[..<2])),
                TLV(.applicationFileLocator, Array(value[2...])),
            ]
        case .generateAC? where value.count >= 11:
            return [
                TLV(.cryptogramInformationData, [value[0]]),
                TLV(.applicationTransactionCounter, Array(value[1..<3])),
                TLV(.applicationCryptogram, Array(value[3..<11])),
                TLV(.issuerApplicationData, Array(value[11...])),
            ]
        case .internalAuthenticate?: return [TLV(.signedDynamicApplicationData, value)]
        case .exchangeRelayResistanceData? where value.count == 10:
            return [
                TLV(.deviceRelayResistanceEntropy, Array(value[..<4])),
                TLV(.minimumTimeForRelayResistanceProcessing, Array(value[4..<6])),
                TLV(.maximumTimeForRelayResistanceProcessing, Array(value[6..<8])),
                TLV(.deviceEstimatedTransmissionTime, Array(value[8...])),
            ]
        default: return objects
        }
    }
}
