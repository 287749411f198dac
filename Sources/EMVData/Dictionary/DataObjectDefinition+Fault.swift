#if !hasFeature(Embedded)
import BERTLV
import Octets

/// Why a value is not one that its object may have.
public enum DataObjectFault: Error, Hashable, Sendable {
    /// It has more or fewer bytes than the book allows.
    case wrongLength
    /// It is not written as its format demands.
    case wrongFormat
    /// It should be a day (YYMMDD), and the calendar has none such.
    case noDate
    /// It should be a time (HHMMSS), and no clock shows it.
    case noTime
}

extension DataObjectDefinition {
    /// What keeps a value from being one of this object; nil where it is one, as far as the definition tells.
    public func fault(of value: [UInt8]) -> DataObjectFault? {
        guard length.allows(value.count) else { return .wrongLength }
        guard format.fits(value) else { return .wrongFormat }
        switch tag {
        case .transactionDate, .applicationExpirationDate, .applicationEffectiveDate:
            return TransactionDate(bytes: value)?.isInCalendar == true ? nil : .noDate
        case .transactionTime: return Self.time(value) == nil ? .noTime : nil
        default: return nil
        }
    }

    /// A time as `11:15:42`; nil when the three bytes are none.
    static func time(_ value: [UInt8]) -> String? {
        let numbers = value.map { PackedDigits.number([$0]) }
        guard value.count == 3, let hour = numbers[0], let minute = numbers[1],
            let second = numbers[2], hour < 24, minute < 60, second < 60
        else { return nil }
        return value.map { [$0].hex }.joined(separator: ":")
    }
}

#endif
