import Foundation
import Octets

extension StoreTransaction {
    /// Reads a record written as JSON; nil when there is none.
    /// - Throws: `SecureStoreError`; `.damagedRecord` for a record that is something else.
    package borrowing func json<Value: Decodable>(
        _ id: RecordID
    ) throws(SecureStoreError) -> Value? {
        guard let bytes = try record(id) else { return nil }
        guard let value = try? JSONDecoder().decode(Value.self, from: Data([UInt8](bytes.span)))
        else { throw .damagedRecord(id) }
        return value
    }

    /// Writes a record as JSON.
    /// - Throws: `SecureStoreError`.
    package borrowing func set(
        _ id: RecordID,
        json value: some Encodable
    ) throws(SecureStoreError) {
        guard let text = try? JSONEncoder().encode(value) else {
            preconditionFailure("\(id) cannot be written as JSON")
        }
        let bytes = [UInt8](text)
        try set(id, bytes.span)
    }
}
