import BERTLV
import EMVData

extension CardResponse {
    /// The objects in an answer to GET PROCESSING OPTIONS.
    ///
    /// Format 1 (80) is the AIP followed by the AFL, format 2 (77) is made of objects. EMV Book 3, 6.5.8.4.
    static func processingOptions(_ template: TLV) throws(CardFault) -> [TLV] {
        guard template.tag == .responseTemplate1 else { return primitives(template) }
        let value = template.value
        guard value.count >= 6, value.count % 4 == 2 else {
            throw .malformed(.responseTemplate1)
        }
        return [
            TLV(.applicationInterchangeProfile, Array(value[..<2])),
            TLV(.applicationFileLocator, Array(value[2...])),
        ]
    }

    /// The objects in an answer to GENERATE AC.
    ///
    /// Format 1 (80) is CID, ATC, cryptogram and up to 32 bytes of issuer application data. EMV Book 3, 6.5.5.4.
    static func cryptogram(_ template: TLV) throws(CardFault) -> [TLV] {
        guard template.tag == .responseTemplate1 else { return primitives(template) }
        let value = template.value
        guard 11...43 ~= value.count else { throw .malformed(.responseTemplate1) }
        let objects = [
            TLV(.cryptogramInformationData, [value[0]]),
            TLV(.applicationTransactionCounter, Array(value[1..<3])),
            TLV(.applicationCryptogram, Array(value[3..<11])),
        ]
        let rest = Array(value[11...])
        return rest.isEmpty ? objects : objects + [TLV(.issuerApplicationData, rest)]
    }
}
