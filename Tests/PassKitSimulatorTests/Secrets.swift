import CardEngine
import EMVCrypto
import EMVData
import Foundation
import NFCWallet
import Synchronization

/// What nobody may say: account numbers, tokens, payment keys and access tokens.
final class Secrets: Sendable {
    private let state = Mutex<(texts: Set<String>, keys: Set<[UInt8]>)>(([], []))

    /// Notes an account number, a token or an access token.
    func note(_ text: String) { state.withLock { _ = $0.texts.insert(text) } }

    /// Notes a key.
    func note(key: [UInt8]) { state.withLock { _ = $0.keys.insert(key) } }

    /// How many keys were noted.
    var keyCount: Int { state.withLock(\.keys.count) }

    /// A key that was noted.
    var anyKey: [UInt8]? { state.withLock(\.keys.first) }

    /// Which secrets are in something, and in which form; no secret itself.
    func found(in told: Data) -> [String] {
        let (texts, keys) = state.withLock { $0 }
        var found: [String] = []
        for text in texts {
            if told.range(of: Data(text.utf8)) != nil { found.append("a number") }
            if let packed = Self.packed(text), told.range(of: packed) != nil {
                found.append("a number, packed")
            }
        }
        for key in keys {
            for (form, needle) in Self.forms(key) where told.range(of: needle) != nil {
                found.append("a key, \(form)")
            }
        }
        return found
    }

    /// A number two digits a byte, as in track 2; nil for what is none.
    private static func packed(_ text: String) -> Data? {
        let digits = text.compactMap(\.wholeNumberValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return Data(
            stride(from: 0, to: digits.count, by: 2).map {
                UInt8(digits[$0] << 4 | digits[$0 + 1])
            }
        )
    }

    /// A key as it may be written: its first half is enough.
    static func forms(_ key: [UInt8]) -> [(String, Data)] {
        let half = key.prefix(8)
        let hex = half.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return [
            ("raw", Data(half)), ("hexadecimal", Data(hex.utf8)),
            ("upper hexadecimal", Data(hex.uppercased().utf8)),
            ("decimal", Data(half.map(String.init).joined(separator: ", ").utf8)),
            ("Base64", Data(Data(key).base64EncodedString().prefix(20).utf8)),
        ]
    }
}

/// A store of keys that notes each key that goes into it.
final class KeyWitness: PaymentKeyStore {
    private let store: any PaymentKeyStore
    private let secrets: Secrets

    init(_ store: any PaymentKeyStore, _ secrets: Secrets) {
        self.store = store
        self.secrets = secrets
    }

    func add(
        to card: DigitalCard.ID,
        _ next: () -> IssuedKey?
    ) throws(PaymentKeyStoreError) {
        try store.add(to: card) {
            guard let issued = next() else { return nil }
            secrets.note(
                key: [UInt8](capacity: 16) { (output: inout OutputSpan<UInt8>) in
                    issued.key.cryptogramKey.append(to: &output)
                }
            )
            return issued
        }
    }

    func count(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> Int {
        try store.count(of: card)
    }
    func terms(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> KeyTerms? {
        try store.terms(of: card)
    }
    func highestCounter(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> UInt16 {
        try store.highestCounter(of: card)
    }
    func spentCounter(of card: DigitalCard.ID) throws(PaymentKeyStoreError) -> UInt16 {
        try store.spentCounter(of: card)
    }
    func reserve(
        _ count: Int,
        of card: DigitalCard.ID,
        deliver: (consuming PaymentKey) -> Void
    ) throws(PaymentKeyStoreError) -> UInt64? {
        try store.reserve(count, of: card, deliver: deliver)
    }
    func giveBack(
        to card: DigitalCard.ID,
        _ next: () -> PaymentKey?
    ) throws(PaymentKeyStoreError) {
        try store.giveBack(to: card, next)
    }
    func removeAll(of card: DigitalCard.ID) throws(PaymentKeyStoreError) {
        try store.removeAll(of: card)
    }
}
