internal import CPCSC
import Synchronization

/// A resource manager context with the thread its calls run on; cards keep it alive.
final class PCSCSession: Sendable {
    let deadlines: PCSCDeadlines
    private let worker: PCSCWorker
    private let inside: Inside

    /// What only the worker's thread touches, in its calls and when it tidies up.
    private final class Inside: Sendable {
        private let state = Mutex((context: SCARDCONTEXT?.none, cards: [SCARDHANDLE: DWORD]()))

        var context: SCARDCONTEXT {
            get { state.withLock { $0.context ?? 0 } }
            set { state.withLock { $0.context = newValue } }
        }

        /// Notes a connection, and what becomes of its card where nobody else ends it.
        func keep(_ card: SCARDHANDLE, _ disposition: DWORD?) {
            state.withLock { $0.cards[card] = disposition }
        }

        func release() {
            let (context, cards) = state.withLock { $0 }
            for (card, disposition) in cards { _ = SCardDisconnect(card, disposition) }
            if let context { _ = SCardReleaseContext(context) }
        }
    }

    /// Opens a session, with `SCardEstablishContext`.
    /// - Parameters:
    ///   - deadlines: How long calls may take.
    ///   - isGivenUp: Asked during every call whether its caller wants to wait no more.
    /// - Throws: What the resource manager says.
    init(
        deadlines: PCSCDeadlines,
        isGivenUp: @escaping @Sendable () -> Bool
    ) throws(PCSCError) {
        self.deadlines = deadlines
        let inside = Inside()
        self.inside = inside
        worker = PCSCWorker(isGivenUp: isGivenUp) { inside.release() }
        // Where this fails, the deinitializer ends the worker.
        try worker.call(.service, within: deadlines.service) { () -> PCSCError? in
            var context = SCARDCONTEXT()
            let scope = DWORD(SCARD_SCOPE_SYSTEM)
            let code = unsafe SCardEstablishContext(scope, nil, nil, &context)
            if code == SCARD_S_SUCCESS { inside.context = context }
            return PCSCError(code: code)
        }.check()
    }

    deinit { worker.end() }

    /// Makes a call that pcscd answers by itself.
    /// - Parameters:
    ///   - patience: How long pcscd is asked to wait with its answer.
    ///   - body: The call; it gets the context.
    /// - Returns: What the call gives.
    /// - Throws: `PCSCError.waitedTooLong` when pcscd does not answer in time.
    func call<Value: Sendable>(
        patience: Duration = .zero,
        _ body: @escaping @Sendable (SCARDCONTEXT) -> Value
    ) throws(PCSCError) -> Value {
        let inside = inside
        return try worker.call(.service, within: deadlines.service + patience) {
            body(inside.context)
        }
    }

    /// Makes a call that a reader answers.
    func call<Value: Sendable>(
        reader: String,
        _ body: @escaping @Sendable () -> Value
    ) throws(PCSCError) -> Value {
        try worker.call(.reader(reader), within: deadlines.reader, body)
    }

    /// Makes a call that waits until nobody else has a transaction with the card in a reader.
    func callForTransaction<Value: Sendable>(
        reader: String,
        _ body: @escaping @Sendable () -> Value
    ) throws(PCSCError) -> Value {
        try worker.call(
            .transaction(reader),
            and: .reader(reader),
            within: deadlines.reader,
            body
        )
    }

    /// Connects to a reader or its card, with `SCardConnect`.
    func connect(
        to reader: String,
        _ sharing: PCSCSharing
    ) throws(PCSCError) -> (handle: SCARDHANDLE, activeProtocol: DWORD) {
        let inside = inside
        // pcscd lets a connection wait for transactions, too.
        let (error, handle, active) = try worker.call(
            .reader(reader),
            and: .transaction(reader),
            within: deadlines.reader
        ) {
            var handle = SCARDHANDLE()
            var active = DWORD(0)
            let code = unsafe SCardConnect(
                inside.context,
                reader,
                sharing.code,
                sharing.protocols,
                &handle,
                &active
            )
            let error = PCSCError(code: code)
            if error == nil { inside.keep(handle, DWORD(SCARD_LEAVE_CARD)) }
            return (error, handle, active)
        }
        try error.check()
        return (handle, active)
    }

    /// Ends a connection, with `SCardDisconnect`; where its last call was left behind, as soon as that comes back.
    func disconnect(_ handle: SCARDHANDLE, from reader: String, _ disposition: PCSCDisposition) {
        let inside = inside
        inside.keep(handle, disposition.code)
        try? call(reader: reader) {
            inside.keep(handle, nil)
            _ = SCardDisconnect(handle, disposition.code)
        }
    }
}

extension PCSCError? {
    /// Throws what went wrong, if something did.
    func check() throws(PCSCError) {
        if let self { throw self }
    }
}

extension PCSCError {
    /// Reads a return code; nil for success.
    init?(code: LONG) {
        guard code != SCARD_S_SUCCESS else { return nil }
        // The codes are 32 bits wide, whatever LONG is.
        self.init(rawValue: UInt32(truncatingIfNeeded: code))
    }
}
