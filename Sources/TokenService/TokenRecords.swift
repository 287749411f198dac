import EMVCrypto
import EMVData
import IssuerHost
import NFCWallet
public import SecureStore
import Synchronization

/// Where a token service keeps its tokens.
public protocol TokenRecords: AnyObject, Sendable {
    /// The tokens at one moment.
    /// - Throws: `SecureStoreError`.
    func tokens() throws(SecureStoreError) -> [Token]
    /// Changes the tokens, while nobody else does.
    /// - Throws: `SecureStoreError`; nothing is changed.
    func update<Value: Sendable>(
        _ change: (inout [Token]) -> Value
    ) throws(SecureStoreError) -> Value
}

/// Tokens in memory, for one run of a program.
public final class MemoryTokenRecords: TokenRecords {
    private let state = Mutex<[Token]>([])

    /// Starts without tokens.
    public init() {}

    /// The tokens at one moment.
    public func tokens() -> [Token] { state.withLock { $0 } }

    /// Changes the tokens, while nobody else does.
    public func update<Value: Sendable>(_ change: (inout [Token]) -> Value) -> Value {
        state.withLock { change(&$0) }
    }
}

/// Tokens in a sealed file, which several programs may use at once.
public final class StoredTokenRecords: TokenRecords {
    private let store: SecureStore

    private static let kind = "token"

    /// Opens a store; makes it where there is none.
    /// - Throws: `SecureStoreError`.
    public init(path: String, keyPath: String? = nil) throws(SecureStoreError) {
        store = try SecureStore(path: path, keyPath: keyPath)
    }

    /// Takes a store that is open.
    public init(_ store: SecureStore) { self.store = store }

    /// What went wrong when something last did; nil when nothing has.
    ///
    /// A service whose store fails only says `serverError`.
    public var lastFailure: SecureStoreError? { store.lastFailure }

    /// The tokens at one moment.
    /// - Throws: `SecureStoreError`.
    public func tokens() throws(SecureStoreError) -> [Token] {
        try store.read { transaction throws(SecureStoreError) in try Self.tokens(transaction) }
    }

    /// Changes the tokens, while nobody else does.
    /// - Throws: `SecureStoreError`; nothing is changed.
    public func update<Value: Sendable>(
        _ change: (inout [Token]) -> Value
    ) throws(SecureStoreError) -> Value {
        try store.write { transaction throws(SecureStoreError) in
            let old = try Self.tokens(transaction)
            var new = old
            let value = change(&new)
            // A token stays for good, so its place in the list is its number.
            for (number, token) in new.enumerated()
            where number >= old.count || old[number] != token {
                try transaction.set(
                    RecordID(Self.kind, number: Int64(number)),
                    json: TokenRecord(token)
                )
            }
            return value
        }
    }

    private static func tokens(
        _ transaction: borrowing StoreTransaction
    ) throws(SecureStoreError) -> [Token] {
        var tokens: [Token] = []
        for id in try transaction.records(kind) {
            let record: TokenRecord? = try transaction.json(id)
            guard let token = record?.token else { throw .damagedRecord(id) }
            tokens.append(token)
        }
        return tokens
    }
}

private struct TokenRecord: Codable {
    var number: String
    var sequenceNumber: UInt8
    var lastDay: String
    var version: String
    var account: String
    var card: String
    var status: Token.Status
    var highestCounter: UInt16
    var activation: Token.Activation?
    var limitedUseKeys: [Token.LimitedUseKey]
    /// These are not in records of older programs.
    var usedCounters: CounterHistory?
    var isActivatedByIssuer: Bool?
    var device: String?
    var wallet: String?
    var replenishmentCount: Int?
    var formerAccounts: [String]?
    var revokedCounter: UInt16?
    var lastEventNumber: Int64?

    init(_ token: Token) {
        number = token.number.text
        sequenceNumber = token.sequenceNumber
        lastDay = token.lastDay.description
        version = "\(token.version)"
        account = token.account.text
        card = token.card.rawValue
        status = token.status
        highestCounter = token.highestCounter
        activation = token.activation
        limitedUseKeys = token.limitedUseKeys
        usedCounters = token.usedCounters
        isActivatedByIssuer = token.isActivatedByIssuer
        device = token.device.rawValue
        wallet = token.wallet?.rawValue
        replenishmentCount = token.replenishmentCount
        formerAccounts = token.formerAccounts.map(\.text)
        revokedCounter = token.revokedCounter
        lastEventNumber = token.lastEventNumber
    }

    /// The token; nil when the record is not one.
    var token: Token? {
        guard let number = PrimaryAccountNumber(text: number),
            let account = PrimaryAccountNumber(text: account),
            let lastDay = TransactionDate(text: lastDay),
            let version = ApplicationCryptogram.allCases.first(where: { "\($0)" == version })
        else { return nil }
        var token = Token(
            number: number,
            sequenceNumber: sequenceNumber,
            lastDay: lastDay,
            version: version,
            account: account,
            card: DigitalCard.ID(rawValue: card)
        )
        token.status = status
        token.highestCounter = highestCounter
        token.activation = activation
        token.limitedUseKeys = limitedUseKeys
        token.usedCounters = usedCounters ?? CounterHistory()
        token.isActivatedByIssuer = isActivatedByIssuer ?? false
        token.device = DeviceIdentifier(rawValue: device ?? "")
        token.wallet = wallet.map(WalletID.init(rawValue:))
        token.replenishmentCount = replenishmentCount ?? 0
        token.revokedCounter = revokedCounter ?? 0
        token.lastEventNumber = lastEventNumber
        for text in formerAccounts ?? [] {
            guard let former = PrimaryAccountNumber(text: text) else { return nil }
            token.formerAccounts.append(former)
        }
        return token
    }
}
