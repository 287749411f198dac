public import NFCWallet

/// A field behind a link that may break: a thread of its own serves it, and makes the link again.
public protocol LinkedField: CardField {
    /// What happens to the link; ends after `stop`.
    var events: AsyncStream<LinkEvent> { get }
    /// Starts the thread.
    func start()
    /// Ends the link for good, and the stream of events with it.
    func stop()
}

/// What happens to a field's link, for people.
public enum LinkEvent: Hashable, Sendable {
    /// The reader has the card.
    case connected
    /// The link is gone, or could not be made; the next try follows after a pause.
    case disconnected(reason: String)
    /// The reader has accepted the card and does not ask for it: it serves one card at a time, and may have another.
    case unasked
    /// The other side sent something that is not its protocol; it was passed over. Of each link the first is told.
    case protocolFault(String)
    /// The link cannot be made as things are, and is not tried again.
    case refused(reason: String)
}
