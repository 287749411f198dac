import EMVData
import SecureStore

extension WalletStore: WalletRecords {
    /// The cards at one moment.
    /// - Throws: `PaymentKeyStoreError`.
    public func contents() throws(PaymentKeyStoreError) -> WalletContents {
        try read { transaction throws(SecureStoreError) in try transaction.contents() }
    }

    /// Changes the cards, while nobody else does; a card that goes takes its keys and payments along.
    /// - Throws: `PaymentKeyStoreError`; nothing is changed.
    public func update<Value: Sendable>(
        _ change: (inout WalletContents) -> Value
    ) throws(PaymentKeyStoreError) -> Value {
        try write { transaction throws(SecureStoreError) in
            let old = try transaction.contents()
            var new = old
            let value = change(&new)
            guard new != old else { return value }
            for card in old.cards where new.index(of: card.id) == nil {
                try transaction.remove(.card(card.id))
                for kind in [Kind.key, Kind.sum, Kind.payment] {
                    try transaction.removeAll(kind, owner: card.id.rawValue)
                }
            }
            for card in new.cards where !old.cards.contains(card) {
                try transaction.set(.card(card.id), json: CardRecord(card))
            }
            try transaction.set(.wallet, json: WalletRecord(new))
            return value
        }
    }

    /// Puts down a payment; the card reserves nothing any more.
    ///
    /// One of a card that is not in the wallet any more is not kept.
    /// - Throws: `PaymentKeyStoreError`.
    public func record(_ entry: HistoryEntry) throws(PaymentKeyStoreError) {
        try write { transaction throws(SecureStoreError) in
            try self.add(entry, transaction)
            if entry.outcome != .declined { try self.spend(entry, transaction) }
            try self.closeUses(of: entry.cardID, transaction)
        }
    }

    /// Takes a payment off the sum of the key that made it.
    private func spend(
        _ entry: HistoryEntry,
        _ transaction: borrowing StoreTransaction
    ) throws(SecureStoreError) {
        // A key's sum is named by the first counter it is good for.
        let numbers = try transaction.numbers(Kind.sum, owner: entry.cardID.rawValue)
        guard let number = numbers.last(where: { $0 <= Int64(entry.transactionCounter) }) else {
            return
        }
        let id = RecordID(Kind.sum, owner: entry.cardID.rawValue, number: number)
        let sum: SumRecord? = try transaction.json(id)
        // It counts even where its keys were given back in the meantime.
        guard var sum else { return }
        // A terminal that tells no amount may have taken all there is.
        let amount = entry.amount?.minorUnits ?? sum.remaining
        sum.remaining -= min(amount, sum.remaining)
        try transaction.set(id, json: sum)
    }

    /// What a card paid, the last first: at most 10 payments of the last 30 days.
    /// - Throws: `PaymentKeyStoreError`.
    public func history(
        of card: DigitalCard.ID
    ) throws(PaymentKeyStoreError) -> [HistoryEntry] {
        let entries = try read { transaction throws(SecureStoreError) in
            var entries: [HistoryEntry] = []
            for number in try transaction.numbers(Kind.payment, owner: card.rawValue) {
                let record: PaymentRecord? = try transaction.json(.payment(card, number))
                if let record { entries.append(record.entry(of: card)) }
            }
            return entries
        }
        return HistoryEntry.trim(entries, now: now()).reversed()
    }

    /// Forgets what a card paid.
    /// - Throws: `PaymentKeyStoreError`.
    public func removeHistory(of card: DigitalCard.ID) throws(PaymentKeyStoreError) {
        try write { transaction throws(SecureStoreError) in
            try transaction.removeAll(Kind.payment, owner: card.rawValue)
        }
    }

    /// Puts down what programs had out that ended without a word.
    func reportInterruptions() throws(SecureStoreError) {
        try store.write { transaction throws(SecureStoreError) in
            for id in try transaction.records(Kind.use) {
                let use: UseRecord? = try transaction.json(id)
                guard let use, try !self.isPresent(use.holder) else { continue }
                let first = UInt16(truncatingIfNeeded: id.number)
                let card = DigitalCard.ID(rawValue: id.owner)
                try self.add(
                    HistoryEntry(
                        interrupted: first...max(first, use.last),
                        of: card,
                        seconds: use.seconds
                    ),
                    transaction
                )
                try transaction.remove(id)
            }
            for id in try transaction.records(Kind.sum) {
                // One that is damaged is told when its key is to pay.
                let sum: SumRecord? = try? transaction.json(id)
                guard var sum, let owner = sum.holder, try !self.isPresent(owner) else {
                    continue
                }
                // How much of it was spent nobody knows.
                sum.remaining = 0
                sum.holder = nil
                try transaction.set(id, json: sum)
            }
        }
    }

    /// Adds an entry of a card that is in the wallet, and drops those that are kept no longer.
    private func add(
        _ entry: HistoryEntry,
        _ transaction: borrowing StoreTransaction
    ) throws(SecureStoreError) {
        let owner = entry.cardID.rawValue
        let wallet: WalletRecord? = try transaction.json(.wallet)
        guard wallet?.cards.contains(owner) ?? false else { return }
        var numbers = try transaction.numbers(Kind.payment, owner: owner)
        let number = (numbers.last ?? 0) + 1
        try transaction.set(.payment(entry.cardID, number), json: PaymentRecord(entry))
        numbers.append(number)
        let limit = now() - HistoryEntry.maximumAgeSeconds
        for (index, number) in numbers.enumerated() {
            let id = RecordID.payment(entry.cardID, number)
            let isSurplus = numbers.count - index > HistoryEntry.maximumCount
            // One that is damaged is told by whoever reads it; what is put down now must not be lost for it.
            let record: PaymentRecord? = isSurplus ? nil : try? transaction.json(id)
            if isSurplus || record.map({ $0.seconds <= limit }) ?? false {
                try transaction.remove(id)
            }
        }
    }
}

extension RecordID {
    fileprivate static let wallet = Self(WalletStore.Kind.wallet)

    fileprivate static func card(_ id: DigitalCard.ID) -> Self {
        Self(WalletStore.Kind.card, owner: id.rawValue)
    }

    fileprivate static func payment(_ card: DigitalCard.ID, _ number: Int64) -> Self {
        Self(WalletStore.Kind.payment, owner: card.rawValue, number: number)
    }
}

extension StoreTransaction {
    fileprivate borrowing func contents() throws(SecureStoreError) -> WalletContents {
        var contents = WalletContents()
        let wallet: WalletRecord? = try json(.wallet)
        guard let wallet else { return contents }
        contents.isEnrolled = wallet.isEnrolled
        contents.walletID = wallet.walletID.map(WalletID.init(rawValue:))
        contents.defaultCard = wallet.defaultCard.map(DigitalCard.ID.init(rawValue:))
        contents.retiredCards = (wallet.retiredCards ?? []).map(DigitalCard.ID.init(rawValue:))
        for name in wallet.cards {
            let id = DigitalCard.ID(rawValue: name)
            let record: CardRecord? = try json(.card(id))
            guard let card = record?.card(id) else { throw .damagedRecord(.card(id)) }
            contents.cards.append(card)
        }
        return contents
    }
}

private struct WalletRecord: Codable {
    var cards: [String]
    var defaultCard: String?
    var isEnrolled: Bool
    /// These are not in records of older programs.
    var walletID: String?
    var retiredCards: [String]?

    init(_ contents: WalletContents) {
        cards = contents.cards.map(\.id.rawValue)
        defaultCard = contents.defaultCard?.rawValue
        isEnrolled = contents.isEnrolled
        walletID = contents.walletID?.rawValue
        retiredCards = contents.retiredCards.map(\.rawValue)
    }
}

private struct CardRecord: Codable {
    struct Contents: Codable {
        var profile: String
        var number: String
        var sequenceNumber: UInt8
        var lastDay: String
        var usesLimitedUseKeys: Bool
    }

    var label: String
    var state: Int
    var contents: Contents?

    init(_ card: DigitalCard) {
        label = card.label
        state = card.state.rawValue
        contents = card.contents.map { contents in
            Contents(
                profile: String(decoding: contents.profile, as: UTF8.self),
                number: contents.number.text,
                sequenceNumber: contents.sequenceNumber,
                lastDay: contents.lastDay.description,
                usesLimitedUseKeys: contents.usesLimitedUseKeys
            )
        }
    }

    /// The card; nil when the record is not one.
    func card(_ id: DigitalCard.ID) -> DigitalCard? {
        guard let state = DigitalCard.State(rawValue: state) else { return nil }
        guard let contents else { return DigitalCard(id: id, label: label, state: state) }
        guard let number = PrimaryAccountNumber(text: contents.number),
            let lastDay = TransactionDate(text: contents.lastDay)
        else { return nil }
        return DigitalCard(
            id: id,
            label: label,
            state: state,
            contents: CardData(
                profile: [UInt8](contents.profile.utf8),
                number: number,
                sequenceNumber: contents.sequenceNumber,
                lastDay: lastDay,
                usesLimitedUseKeys: contents.usesLimitedUseKeys
            )
        )
    }
}

private struct PaymentRecord: Codable {
    var outcome: HistoryEntry.Outcome
    var seconds: Int64
    var counter: UInt16
    var lastCounter: UInt16
    var amount: UInt64?
    var currency: UInt16?
    var date: String?
    var type: UInt8?

    init(_ entry: HistoryEntry) {
        outcome = entry.outcome
        seconds = entry.seconds
        counter = entry.transactionCounter
        lastCounter = entry.lastCounter
        amount = entry.amount?.minorUnits
        currency = entry.amount?.currency.rawValue
        date = entry.date?.description
        type = entry.type?.rawValue
    }

    func entry(of card: DigitalCard.ID) -> HistoryEntry {
        let amount = amount.flatMap { amount in
            currency.flatMap { currency in
                Amount(minorUnits: amount, currency: Currency(rawValue: currency))
            }
        }
        return HistoryEntry(
            cardID: card,
            outcome: outcome,
            seconds: seconds,
            transactionCounter: counter,
            lastCounter: lastCounter,
            amount: amount,
            date: date.flatMap { TransactionDate(text: $0) },
            type: type.map(TransactionType.init(rawValue:))
        )
    }
}
