import BERTLV
import EMVData
import ISO7816
import Octets

extension Card {
    /// READ RECORD by number (EMV Book 3, 6.5.11), once the application has answered GET PROCESSING OPTIONS.
    func readRecord(
        _ command: borrowing CommandView,
        into response: inout OutputSpan<UInt8>
    ) -> Answer {
        guard command.parameters & 0x07 == 0x04 else { return .refused(.incorrectParameters) }
        guard case .initiated(let index) = state else { return .refused(.conditionsNotSatisfied) }
        let file = UInt8(truncatingIfNeeded: command.parameters & 0xF8) >> 3
        let number = UInt8(truncatingIfNeeded: command.parameters >> 8)

        let records = image.applications[index].records
        var fileExists = false
        for index in records.indices where records[index].file == file {
            fileExists = true
            let record = records[index]
            guard record.number == number else { continue }
            append(record, to: &response)
            return .done(.none)
        }
        return .refused(fileExists ? .recordNotFound : .fileNotFound)
    }

    /// Appends a record, with this transaction's authentication data where it has room for them.
    private func append(
        _ record: CardApplication.Record,
        to response: inout OutputSpan<UInt8>
    ) {
        guard let offset = record.authenticationDataOffset else {
            response.append(copying: record.contents.span)
            return
        }
        response.append(copying: record.contents.span.extracting(first: offset))
        response.append(authenticationData, byteCount: 7)
        response.append(copying: record.contents.span.extracting(droppingFirst: offset + 7))
    }

    /// GET DATA (EMV Book 3, 6.5.7): the transaction counter, and what the profile adds.
    func getData(
        _ command: borrowing CommandView,
        into response: inout OutputSpan<UInt8>
    ) -> Answer {
        guard let index = selectedApplication else { return .refused(.conditionsNotSatisfied) }
        let tag = Tag(rawValue: UInt32(command.parameters))
        if tag == .applicationTransactionCounter {
            response.append(tag, keys[index].lastCounter)
            return .done(.none)
        }
        let objects = image.applications[index].retrievableObjects
        for index in objects.indices where objects[index].tag == tag {
            let object = objects[index]
            response.append(copying: object.contents.span)
            return .done(.none)
        }
        return .refused(.dataNotFound)
    }

    /// GET DATA of PC/SC (part 3, 3.2.2.1.3), which reaches the card where a virtual reader passes it on.
    ///
    /// P1 00 asks for the UID, 01 for the historical bytes. An Le below the true length gets 6Cxx here: the
    /// command belongs to the reader, not to the card.
    func getReaderData(
        _ command: borrowing CommandView,
        into response: inout OutputSpan<UInt8>
    ) -> Answer {
        guard command.parameters & 0xFEFF == 0 else { return .refused(.functionNotSupported) }
        let contents = command.parameters == 0 ? image.uid : image.historicalBytes
        guard let length = command.expectedLength, length >= contents.count else {
            return .refused(.wrongExpectedLength(contents.count))
        }
        response.append(copying: contents.span)
        return .done(.none)
    }
}
