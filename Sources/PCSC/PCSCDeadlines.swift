/// How long calls may take before whoever made one gets it back without an answer.
///
/// libpcsclite itself waits for ever, and pcscd has been seen to say nothing for minutes while a USB reader hung.
public struct PCSCDeadlines: Hashable, Sendable {
    /// For what pcscd does by itself: opening a session, listing readers, telling their states.
    public var service: Duration
    /// For what a reader does: powering a card, sending it a command, and waiting for another program's transaction.
    ///
    /// A card may take its time: ISO/IEC 14443-4 lets it ask for more again and again.
    public var reader: Duration

    /// Takes both; by default 5 s and 10 s.
    public init(service: Duration = .seconds(5), reader: Duration = .seconds(10)) {
        self.service = service
        self.reader = reader
    }

    /// How long an ended session waits for pcscd to let go of it.
    static let release = Duration.seconds(2)
}
