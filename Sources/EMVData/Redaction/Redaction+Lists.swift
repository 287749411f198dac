#if !hasFeature(Embedded)
import BERTLV
import Octets

extension Redaction {
    /// The lists by which a card asks for data, each with the command whose data it orders.
    private static let listTags: Set<Tag> = [
        .processingOptionsList, .cardRiskManagementList1, .cardRiskManagementList2,
        .dynamicDataAuthenticationList, .drdol, .dsdol, .udol,
    ]

    /// Remembers a list; what is not one is passed over.
    mutating func learnList(_ tag: Tag, _ value: [UInt8]) {
        guard Self.listTags.contains(tag), let list = try? DataObjectList(parsing: value) else {
            return
        }
        lists[tag] = list
    }

    /// Masks the values a terminal sends for one of `candidates`.
    ///
    /// Lists of the same length are all applied: what any of them says is the cardholder's is masked. Without a list of
    /// that length nothing is known about the bytes, and they are blanked.
    func maskFilledList(_ values: [UInt8], of candidates: [DataObjectList?]) -> [UInt8] {
        let fitting = candidates.compactMap(\.self).filter { $0.count == values.count }
        guard !fitting.isEmpty else { return Self.zeros(values) }
        var masked = maskLearned(values)
        for list in fitting {
            var offset = 0
            for entry in list.entries {
                let end = offset + entry.length
                // A value cut or padded to order cannot be masked digit by digit; a whole account number can.
                if Self.rule(for: entry.tag) != nil {
                    let substitute = substituteNumber(for: Array(values[offset..<end]))
                    let blank = Self.zeros(masked[offset..<end])
                    masked.replaceSubrange(offset..<end, with: substitute ?? blank)
                }
                offset = end
            }
        }
        return masked
    }

    /// What stands for an account number seen before where `value` is it, packed (5A); nil where it is none.
    private func substituteNumber(for value: [UInt8]) -> [UInt8]? {
        let number = accountNumbers.first {
            PackedDigits.compressed($0.digits, byteCount: value.count) == value
        }
        return number.flatMap {
            PackedDigits.compressed($0.substitute.digits, byteCount: value.count)
        }
    }

    /// One list behind the other, as CDOL1 and DSDOL are answered together; nil when one is missing.
    func joined(_ first: Tag, _ second: Tag) -> DataObjectList? {
        guard let head = lists[first], let tail = lists[second] else { return nil }
        return DataObjectList(entries: head.entries + tail.entries)
    }
}

#endif
