public import BERTLV
public import EMVData
public import ISO7816

/// What happens to a reader: everything the entry point learns from outside comes as one of these.
public enum ReaderEvent: Sendable {
    /// The terminal starts a transaction (Start A).
    case start
    /// A card is there and activated.
    case cardPresent
    /// More than one card is there.
    case collision
    /// The card answered the last command.
    ///
    /// The elapsed time runs from handing the command to the transport until its last response byte.
    case response(ResponseAPDU, elapsed: Duration)
    /// The last command was not answered.
    case transmissionError(L1Error)
    /// The wait or the time without field that a step asked for is over.
    case timer
    /// The terminal delivers data objects the kernel asked for, or had none to deliver.
    case terminalData([Tag: [UInt8]])
    /// The terminal gives up (cancel key, power down).
    case stop
}

/// What the entry point wants next: signals to act on first, then one action.
public struct ReaderStep: Sendable {
    /// User interface requests and data exchange, in order, before the action.
    ///
    /// Requests that an outcome carries are among them: showing the signals is enough.
    public var signals: [KernelSignal]
    /// What to do.
    public var action: ReaderAction

    /// Joins signals and action.
    public init(_ action: ReaderAction, signals: [KernelSignal] = []) {
        self.signals = signals
        self.action = action
    }
}

/// The one thing a reader does next.
public enum ReaderAction: Sendable {
    /// Poll for a card, with the field switched off before where a card was there; answer with `cardPresent`, `collision` or `stop`.
    case awaitCard
    /// Send a command; answer with `response`, `transmissionError` or `stop`.
    case transmit(CommandAPDU)
    /// Wait; answer with `timer`, or with `terminalData` when it comes first.
    case wait(Duration)
    /// Switch the field off for some time; answer with `timer`.
    case fieldOff(Duration)
    /// The transaction has come to its final outcome.
    case finish(Conclusion)
}

/// The final outcome of a transaction and how it came about.
public struct Conclusion: Hashable, Sendable {
    /// The final outcome, which the entry point passes to the terminal.
    public var outcome: Outcome
    /// What every kernel that ran concluded, first to last; the last one's outcome need not be the final one.
    public var attempts: [Attempt]

    /// Joins the two.
    public init(outcome: Outcome, attempts: [Attempt] = []) {
        self.outcome = outcome
        self.attempts = attempts
    }

    /// An application that was selected, and what its kernel made of it.
    public struct Attempt: Hashable, Sendable {
        /// The name the application was selected by (4F of the directory entry).
        public var applicationIdentifier: ApplicationIdentifier
        /// The kernel that ran.
        public var kernelIdentifier: KernelIdentifier
        /// What the directory called it (50); nil when the entry has no label.
        public var label: [UInt8]?
        /// The kernel's outcome.
        public var outcome: Outcome
        /// What the kernel learnt.
        public var report: KernelReport
    }
}
