import CardEngine
import Synchronization

extension Wallet {
    /// Puts down a payment.
    ///
    /// One that the store does not take is put down before the card's keys are touched again. Until then they count as out:
    /// a program that ends meanwhile is reported as interrupted, and no key that shares their sum pays.
    func record(_ entry: HistoryEntry) {
        unrecorded.withLock { $0.append(entry) }
        try? recordPayments(of: entry.cardID)
    }

    /// Puts down the payments of a card that the store has not taken yet.
    /// - Throws: `PaymentKeyStoreError` when it still does not.
    func recordPayments(of id: DigitalCard.ID) throws(PaymentKeyStoreError) {
        // One at a time, or an entry would be put down twice.
        try unrecorded.withLock { entries throws(PaymentKeyStoreError) in
            while let index = entries.firstIndex(where: { $0.cardID == id }) {
                try records.record(entries[index])
                entries.remove(at: index)
            }
        }
    }

    /// Takes back the keys that no terminal has touched.
    /// - Throws: `PaymentKeyStoreError`; the keys are wasted, and count as out where a payment is not put down.
    func giveBack(
        to id: DigitalCard.ID,
        _ next: () -> PaymentKey?
    ) throws(PaymentKeyStoreError) {
        try recordPayments(of: id)
        try keys.giveBack(to: id, next)
    }
}
