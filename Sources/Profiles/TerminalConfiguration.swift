public import EMVCrypto

/// A terminal as people describe it: what it can do, what it accepts and up to which amounts.
///
/// Amounts are in the smallest unit of whatever currency a transaction has.
public struct TerminalConfiguration: Sendable {
    /// Terminal Type (9F35), 22: attended by a merchant, offline with online capability.
    public var terminalType: UInt8
    /// Terminal Country Code (9F1A), ISO 3166 numeric.
    public var country: UInt16
    /// Terminal Capabilities (9F33), three bytes.
    public var capabilities: [UInt8]
    /// Additional Terminal Capabilities (9F40), five bytes.
    public var additionalCapabilities: [UInt8]
    /// Who sells.
    public var merchant: Merchant
    /// Terminal Identification (9F1C), eight characters.
    public var terminalIdentification: String
    /// Interface Device Serial Number (9F1E), eight characters.
    public var interfaceDeviceSerialNumber: String
    /// Data objects every kernel is given beside those above.
    public var dataObjects: [DataObject]
    /// What the terminal accepts, in the order of preference.
    public var combinations: [Combination]
    /// The public keys of certification authorities the terminal trusts.
    public var caKeys: [CAPublicKey]

    /// Who sells: merchant data of receipts and kernels.
    public struct Merchant: Hashable, Sendable {
        /// Merchant Name and Location (9F4E).
        public var name: String
        /// Merchant Identifier (9F16), 15 characters.
        public var identifier: String
        /// Merchant Category Code (9F15), four digits.
        public var categoryCode: UInt16
        /// Acquirer Identifier (9F01), 6 to 11 digits, one an element.
        public var acquirer: [UInt8]

        /// Collects the parts.
        public init(name: String, identifier: String, categoryCode: UInt16, acquirer: [UInt8]) {
            self.name = name
            self.identifier = identifier
            self.categoryCode = categoryCode
            self.acquirer = acquirer
        }
    }

    /// An application and the kernel that handles it (EMV Book B, 3.1).
    public struct Combination: Hashable, Sendable {
        /// What the terminal calls it, for people: `Maestro`.
        public var name: String
        /// Application identifier, whole or the first bytes, 5 to 16.
        public var aid: [UInt8]
        /// Kernel identifier, 2 for kernel 2.
        public var kernel: UInt8
        /// Transaction types (9C) it is offered for.
        public var transactionTypes: [UInt8]
        /// Reader Contactless Transaction Limit: from this amount on another interface must be tried; nil for none.
        public var transactionLimitMinorUnits: UInt64?
        /// Reader Contactless Floor Limit: above this amount the issuer is asked; nil for none.
        public var floorLimitMinorUnits: UInt64?
        /// Reader CVM Required Limit: from this amount on the cardholder is verified; nil for none.
        public var cvmLimitMinorUnits: UInt64?
        /// Status Check Support: an amount of one unit of currency asks for the status of the card.
        public var supportsStatusCheck: Bool
        /// Zero Amount Allowed: whether an amount of nothing is accepted.
        public var allowsZeroAmount: Bool
        /// Extended Selection Support.
        public var supportsExtendedSelection: Bool
        /// Terminal Transaction Qualifiers (9F66), four bytes; nil for kernels without them.
        public var transactionQualifiers: [UInt8]?
        /// Terminal Action Codes; nil for kernels without them.
        public var actionCodes: ActionCodes?
        /// The kernel's own data objects, such as DF811B for kernel 2.
        public var dataObjects: [DataObject]
    }
}
