public import EMVData
public import TerminalKernels
public import Transport

/// Something that happened in a tap, in the order it happened.
public enum TapEvent: Hashable, Sendable {
    /// The reader raised its field for the card, the first time with 1.
    case fieldOn(presentation: Int)
    /// A command went to the card; 61xx and 6Cxx are exchanges of their own.
    case exchange(Exchange)
    /// The screen showed a message.
    case message(UserInterfaceRequest)
    /// The reader dropped its field and keeps it off that long.
    case fieldOff(hold: Duration)
    /// The entry point or a kernel concluded.
    case outcome(Outcome)
    /// The issuer was asked.
    case authorizationRequest(AuthorizationRequest)
    /// The issuer answered; nil when there is nobody who could.
    case authorizationResponse(AuthorizationResponse?)
    /// The issuer's answer for the card stays with the terminal: the kernel does not go back to the card.
    case issuerDataNotDelivered
}
