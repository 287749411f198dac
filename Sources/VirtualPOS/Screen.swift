import Octets
public import TerminalKernels

extension UserInterfaceRequest.Message {
    /// What the screen of this point of sale says; empty for no message.
    public var text: String {
        switch self {
        case .approved: "Approved"
        case .notAuthorised: "Not authorised"
        case .enterPIN: "Enter your PIN"
        case .processingError: "Processing error"
        case .removeCard: "Remove card"
        case .welcome: "Welcome"
        case .presentCard: "Present card"
        case .processing: "Processing"
        case .cardReadOK: "Card read, please remove it"
        case .insertOrSwipe: "Insert or swipe card"
        case .oneCardOnly: "One card only, please"
        case .approvedPleaseSign: "Approved, please sign"
        case .authorising: "Authorising, please wait"
        case .tryAnotherCard: "Insert, swipe or try another card"
        case .insertCard: "Insert card"
        case .clearDisplay, .none: ""
        case .seePhone: "See your phone for instructions"
        case .presentAgain: "Present card again"
        default: "Message \([rawValue].hex)"
        }
    }
}

extension UserInterfaceRequest.Status {
    /// What the reader is doing, for people.
    public var text: String {
        switch self {
        case .notReady: "not ready"
        case .idle: "idle"
        case .readyToRead: "ready to read"
        case .processing: "processing"
        case .cardReadSuccessfully: "card read successfully"
        case .processingError: "processing error"
        case .conditionsNotSatisfied: "conditions not satisfied"
        case .collision: "more than one card"
        case .cardNotRemoved: "card not removed"
        case .notApplicable: "no status"
        }
    }
}
