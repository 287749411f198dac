public import BERTLV
public import ISO7816

/// What happens to a kernel: everything it learns from outside comes as one of these.
public enum KernelEvent: Sendable {
    /// The application is selected; the kernel begins.
    case start(KernelActivation)
    /// The card answered the last command.
    ///
    /// The elapsed time runs from handing the command to the transport until its last response byte.
    case response(ResponseAPDU, elapsed: Duration)
    /// The last command was not answered.
    case transmissionError(L1Error)
    /// The wait a step asked for is over.
    case timer
    /// The terminal delivers data objects the kernel asked for, or had none to deliver.
    case terminalData([Tag: [UInt8]])
    /// The terminal gives up (cancel key, power down).
    case stop
}

/// Why the contactless layer below the APDU failed (level 1 byte of the Error Indication, EMV Book C-2, A.1.64).
public enum L1Error: UInt8, Hashable, Sendable {
    /// The card did not answer in time (01).
    case timeout = 0x01
    /// The frame was damaged or the card left the field (02).
    case transmission = 0x02
    /// The card broke the protocol (03).
    case protocolViolation = 0x03
}

/// What a kernel wants next: signals to act on first, then one action.
public struct KernelStep: Sendable {
    /// User interface requests and data exchange, in order, before the action.
    public var signals: [KernelSignal]
    /// What to do.
    public var action: KernelAction

    /// Joins signals and action.
    public init(_ action: KernelAction, signals: [KernelSignal] = []) {
        self.signals = signals
        self.action = action
    }
}

/// Something the terminal acts on at once, before the next command.
public enum KernelSignal: Hashable, Sendable {
    /// Show a message to the cardholder (MSG signal).
    case userInterface(UserInterfaceRequest)
    /// The kernel sends data to the terminal (DEK signal): objects it has, and tags it needs.
    case dataExchange(data: [TLV], needed: [Tag])
}

/// The one thing a kernel does next.
public enum KernelAction: Sendable {
    /// Send a command; answer with `response` or `transmissionError`.
    case transmit(CommandAPDU)
    /// Wait; answer with `timer`, or with `terminalData` when it comes first.
    case wait(Duration)
    /// The kernel has ended.
    case finish(Outcome)
}
