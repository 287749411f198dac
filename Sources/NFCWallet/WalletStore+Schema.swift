import CardEngine
import EMVCrypto
import SecureStore

extension WalletStore {
    /// The kinds of records.
    enum Kind {
        /// A payment key; its number is its counter.
        static let key = "key"
        /// The counters of a card.
        static let counters = "counters"
        /// What is left of a limited-use key's sum; its number is the key's first counter.
        static let sum = "sum"
        /// Keys that are out; its number is the first counter.
        static let use = "use"
        /// A payment.
        static let payment = "payment"
        /// The wallet itself.
        static let wallet = "wallet"
        /// A card.
        static let card = "card"
    }

    /// The form of the records: in form 1 keys were bare, and good for one payment each.
    static let schema = StoreSchema(steps: [
        { id, bytes, emit in
            guard id.kind == Kind.key, let key = DoubleLengthKey(bytes) else {
                return emit(id, bytes)
            }
            let counter = UInt16(truncatingIfNeeded: id.number)
            let issued = IssuedKey(PaymentKey(transactionCounter: counter, cryptogramKey: key))
            let record = issued.record
            emit(id, record.span)
        }
    ])
}

extension IssuedKey {
    /// How many bytes a key's record has.
    private static var recordByteCount: Int { 39 }
    private static var noLimit: UInt64 { .max }

    /// The record: type (1), first counter (2), expiry (8), sum (8), derivation data (4), key (16).
    var record: SecretBytes {
        SecretBytes(capacity: Self.recordByteCount) { output in
            output.append(terms.type == .singleUse ? 0 : 1)
            append(UInt64(terms.firstCounter), 2, to: &output)
            append(UInt64(bitPattern: terms.expirySeconds ?? .max), 8, to: &output)
            append(terms.amountLimitMinorUnits ?? Self.noLimit, 8, to: &output)
            append(UInt64(key.derivationData), 4, to: &output)
            key.cryptogramKey.append(to: &output)
        }
    }

    /// Reads a record; nil when it is none.
    init?(record: Span<UInt8>, counter: UInt16) {
        guard let terms = KeyTerms(record: record),
            let key = DoubleLengthKey(record.extracting(droppingFirst: 23))
        else { return nil }
        self.init(
            PaymentKey(
                transactionCounter: counter,
                cryptogramKey: key,
                derivationData: UInt32(truncatingIfNeeded: number(record, 19, 4))
            ),
            terms: terms
        )
    }
}

extension KeyTerms {
    /// Reads the terms of a key's record; nil when it is none.
    init?(record: Span<UInt8>) {
        guard record.count == 39 else { return nil }
        let expiry = Int64(bitPattern: number(record, 3, 8))
        let sum = number(record, 11, 8)
        self.init(
            type: record[0] == 0 ? .singleUse : .limitedUse,
            firstCounter: UInt16(truncatingIfNeeded: number(record, 1, 2)),
            expirySeconds: expiry == .max ? nil : expiry,
            amountLimitMinorUnits: sum == .max ? nil : sum
        )
    }
}

/// The counters of a card: the highest ever stored, and the one up to which keys are spent, two bytes each.
struct CounterRecord {
    var highest: UInt16 = 0
    var spent: UInt16 = 0

    init() {}

    init?(_ bytes: Span<UInt8>) {
        guard bytes.count == 4 else { return nil }
        highest = UInt16(truncatingIfNeeded: number(bytes, 0, 2))
        spent = UInt16(truncatingIfNeeded: number(bytes, 2, 2))
    }

    var bytes: [UInt8] {
        [highest, spent].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
}

/// Reads a number, most significant byte first.
private func number(_ bytes: Span<UInt8>, _ start: Int, _ count: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in start..<start + count { value = value << 8 | UInt64(bytes[index]) }
    return value
}

private func append(_ number: UInt64, _ byteCount: Int, to output: inout OutputSpan<UInt8>) {
    for index in (0..<byteCount).reversed() {
        output.append(UInt8(truncatingIfNeeded: number >> (index * 8)))
    }
}
