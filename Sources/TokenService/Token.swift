public import EMVCrypto
public import EMVData
import IssuerHost
public import NFCWallet
public import SecureStore

/// An account number of a device, which stands for the account it was issued for.
public struct Token: Hashable, Sendable {
    /// Whether the token may pay.
    public enum Status: String, Hashable, Sendable, Codable {
        /// It may.
        case active
        /// Not for now.
        case suspended
        /// Never again.
        case deleted
        /// Not before its user has proved to be its owner.
        case inactive
    }

    /// A code on its way to the user and back.
    struct Activation: Hashable, Sendable, Codable {
        /// The code; empty where somebody of the issuer asks the user.
        var code: String
        /// How often it may still be typed in.
        var attemptsLeft: Int
        /// When it is good no more, in seconds since 1970; nil in records of older programs.
        var expirySeconds: Int64?
    }

    /// A limited-use key that was made for the token.
    struct LimitedUseKey: Hashable, Sendable, Codable {
        /// What it was derived for, 0YHHHHCC in packed digits.
        var derivationData: UInt32
        /// The counters it is good for.
        var counters: ClosedRange<UInt16>
        /// When it is good no more, in seconds since 1970.
        var expirySeconds: Int64
        /// What its payments may come to, in the smallest unit; nil for no limit.
        var amountLimitMinorUnits: UInt64?
        /// What its payments have come to; nil, as in records of older programs, for nothing.
        var spentMinorUnits: UInt64?
    }

    /// The device's account number (DPAN), which the card shows to terminals.
    public let number: PrimaryAccountNumber
    /// The PAN sequence number (5F34) the card shows, 0x12 for 12.
    public let sequenceNumber: UInt8
    /// The last day the token is good for.
    public internal(set) var lastDay: TransactionDate
    /// How the card makes its cryptograms.
    public let version: ApplicationCryptogram
    /// The account it stands for.
    public internal(set) var account: PrimaryAccountNumber
    /// The numbers of the account before its cards were replaced, the first one first.
    var formerAccounts: [PrimaryAccountNumber] = []
    /// The digital card it was issued to.
    public let card: DigitalCard.ID
    /// The device whose it is; empty where tokens are not told apart by device.
    public internal(set) var device = DeviceIdentifier(rawValue: "")
    /// The wallet it was issued to; nil when nobody said.
    public internal(set) var wallet: WalletID?
    /// Whether it may pay.
    public var status = Status.active
    /// The highest counter a payment key was made for.
    public internal(set) var highestCounter: UInt16 = 0
    /// The highest counter whose payment key was revoked.
    var revokedCounter: UInt16 = 0
    /// The number of what its device was told last; nil when nothing was.
    var lastEventNumber: Int64?
    /// How often keys were made for it.
    public internal(set) var replenishmentCount = 0
    /// How its user proves who he is, or has; nil when nobody has asked.
    var activation: Activation?
    /// The counters that genuine requests came with.
    var usedCounters = CounterHistory()
    /// Whether only people of the issuer may find out who its user is, and no code.
    var isActivatedByIssuer = false
    /// The limited-use keys that were made last.
    var limitedUseKeys: [LimitedUseKey] = []

    /// Collects the parts of an active token.
    public init(
        number: PrimaryAccountNumber,
        sequenceNumber: UInt8,
        lastDay: TransactionDate,
        version: ApplicationCryptogram,
        account: PrimaryAccountNumber,
        card: DigitalCard.ID
    ) {
        self.number = number
        self.sequenceNumber = sequenceNumber
        self.lastDay = lastDay
        self.version = version
        self.account = account
        self.card = card
    }
}

extension Token {
    /// Whether it stands for an account, by the number it has or one it had.
    func stands(for account: PrimaryAccountNumber) -> Bool {
        self.account == account || formerAccounts.contains(account)
    }

    /// Whether it stands for an account on a device, or may again.
    func stands(for account: PrimaryAccountNumber, on device: DeviceIdentifier) -> Bool {
        stands(for: account) && self.device == device && status != .deleted
    }
}

/// Why a token is not issued or changed.
public enum TokenServiceError: Error, Hashable, Sendable {
    /// The service has no keys for account numbers like this one.
    case unknownRange
    /// The number, or the card, has a token already.
    case alreadyIssued
    /// There is no such token, or it was deleted.
    case unknownToken
    /// Keys cannot be made beforehand: they hang on the terminal's unpredictable number.
    case keysNotForeseeable
    /// The store of the tokens failed.
    case store(SecureStoreError)
}
