/// A payment card as Wallet shows it; the account number is not in it.
///
/// A value at one moment: read it again from `PKPassLibrary` to see what has changed.
public struct PKSecureElementPass: Hashable, Sendable {
    /// Whether a pass can pay.
    public enum PassActivationState: Int, Hashable, Sendable {
        /// It can.
        case activated = 0
        /// Not before its user has proved who he is.
        case requiresActivation = 1
        /// Its keys are on their way.
        case activating = 2
        /// Not for now.
        case suspended = 3
        /// Never again; the card is to be added anew.
        case deactivated = 4

        /// Whether a pass in this state may change to `next`.
        public func canBecome(_ next: Self) -> Bool {
            switch (self, next) {
            case (.deactivated, _): false
            case (_, .deactivated): true
            case (.requiresActivation, .activating), (.activating, .activated),
                (.activating, .requiresActivation):
                true
            case (.activated, .suspended), (.suspended, .activated): true
            default: false
            }
        }
    }

    /// Names the pass on its device.
    public let serialNumber: String
    /// Names the account, on all devices alike; no account number.
    public let primaryAccountIdentifier: String
    /// The last four digits of the account number.
    public let primaryAccountNumberSuffix: String
    /// Names the token, which each device has its own of.
    public let deviceAccountIdentifier: String
    /// The last four digits of the token.
    public let deviceAccountNumberSuffix: String
    /// Names the device's copy of the pass; nil where there is none.
    public let devicePassIdentifier: String?
    /// What the card is called.
    public let localizedName: String
    /// The name of the device it is on.
    public let deviceName: String
    /// Whether it is on the paired watch.
    public let isRemotePass: Bool
    /// Whether it can pay.
    public let passActivationState: PassActivationState

    /// The pass itself, which is none of another kind.
    public var secureElementPass: PKSecureElementPass? { self }
}

/// A pass of any kind; there is one kind here.
public typealias PKPass = PKSecureElementPass
/// A pass that pays, as delegates are handed it.
public typealias PKPaymentPass = PKSecureElementPass

/// What a button “Add to Apple Wallet” is to do for a card.
public enum AddToWalletButton: Hashable, Sendable {
    /// It is shown and adds the card.
    case add
    /// It is shown and leads to Wallet, where the user proves who he is; adding the card again would not help.
    case finishVerification
    /// It is not shown.
    case hidden

    /// The button for a card with a pass in this state, or with none.
    public init(_ state: PKSecureElementPass.PassActivationState?) {
        self =
            switch state {
            case nil, .deactivated: .add
            case .requiresActivation: .finishVerification
            case .activated, .activating, .suspended: .hidden
            }
    }
}
