import EMVData
import Octets
import TestSupport

/// What cards of strangers answered to SELECT, of a directory or of an application.
enum RecordedSelection {
    typealias Case = SelectionVector.Case

    /// The contactless directories.
    static func directories() throws -> [Case] {
        let name = [UInt8]("2PAY.SYS.DDF01".utf8)
        return try SelectionVector.all().filter { $0.expected.name.bytes == name }
    }

    /// The applications of Visa and Mastercard.
    static func applications() throws -> [Case] {
        let rids = [ApplicationIdentifier.visaRID, ApplicationIdentifier.mastercardRID]
        return try SelectionVector.all().filter { vector in
            rids.contains { vector.expected.name.bytes.starts(with: $0) }
        }
    }
}
