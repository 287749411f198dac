internal import CPCSC
internal import Glibc

/// A session with the PC/SC resource manager.
///
/// Its calls block, one at a time, and none of them longer than its deadline: after one that did not come back in time
/// the session gives `PCSCError.waitedTooLong` to everything, and a new one is needed. A thread that watches
/// readers has a session of its own.
public struct PCSCContext: ~Copyable, Sendable {
    private let session: PCSCSession

    /// Opens a session, with `SCardEstablishContext`.
    /// - Parameters:
    ///   - deadlines: How long calls may take.
    ///   - isGivenUp: Asked several times a second during every call, this one too; once it is true, a call that does
    ///     not come back at once is left behind with `PCSCError.cancelled`.
    /// - Throws: `PCSCError.noService` when pcscd is not running.
    public init(
        deadlines: PCSCDeadlines = PCSCDeadlines(),
        isGivenUp: @escaping @Sendable () -> Bool = { false }
    ) throws(PCSCError) {
        session = try PCSCSession(deadlines: deadlines, isGivenUp: isGivenUp)
    }

    /// How many calls of this process went past their deadlines and have not come back: each keeps a thread.
    public static var abandonedCallCount: Int { PCSCWorker.leftBehindCount }

    /// Lists the readers, with `SCardListReaders`; empty when there is none.
    public func readerNames() throws(PCSCError) -> [String] {
        // A reader may arrive between asking for the length and asking for the names.
        for _ in 0..<8 {
            let (error, names) = try session.call { context -> (PCSCError?, [UInt8]) in
                var count = DWORD(0)
                let asked = unsafe SCardListReaders(context, nil, nil, &count)
                if let error = PCSCError(code: asked) { return (error, []) }
                var names = [UInt8](repeating: 0, count: Int(count))
                let listed = unsafe names.withUnsafeMutableBytes { bytes in
                    unsafe SCardListReaders(
                        context,
                        nil,
                        bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                        &count
                    )
                }
                return (PCSCError(code: listed), Array(names.prefix(Int(count))))
            }
            switch error {
            case nil: return names.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            case PCSCError.noReadersAvailable: return []
            case PCSCError.insufficientBuffer: continue
            case .some(let error): throw error
            }
        }
        throw .insufficientBuffer
    }

    /// Waits until one of `readers` differs from what it says, with `SCardGetStatusChange`.
    /// - Parameters:
    ///   - readers: What is known; what is seen replaces it.
    ///   - timeoutMilliseconds: How long to wait; 0 asks for the present state.
    /// - Returns: False when the time is over and nothing changed.
    /// - Throws: What the resource manager says.
    public func waitForChange(
        of readers: inout [PCSCReaderState],
        timeoutMilliseconds: UInt32
    ) throws(PCSCError) -> Bool {
        let known = readers
        let patience = Duration.milliseconds(Int64(timeoutMilliseconds))
        let (error, seen) = try session.call(patience: patience) { context in
            unsafe Self.statusChange(context, DWORD(timeoutMilliseconds), known)
        }
        if error == .timeout { return false }
        try error.check()
        readers = seen
        return true
    }

    @unsafe
    private static func statusChange(
        _ context: SCARDCONTEXT,
        _ timeoutMilliseconds: DWORD,
        _ readers: [PCSCReaderState]
    ) -> (PCSCError?, [PCSCReaderState]) {
        // libpcsclite keeps the name pointers during the call, so the copies live until it returns.
        let names = unsafe readers.map { unsafe strdup($0.name) }
        defer { unsafe names.forEach { unsafe free($0) } }
        var states = unsafe readers.indices.map { index in
            var state = unsafe SCARD_READERSTATE()
            unsafe state.szReader = UnsafePointer(names[index])
            unsafe state.dwCurrentState = DWORD(readers[index].flags.rawValue)
            return unsafe state
        }
        let code = unsafe SCardGetStatusChange(
            context,
            timeoutMilliseconds,
            &states,
            DWORD(states.count)
        )
        var seen = readers
        for index in readers.indices { unsafe seen[index].update(states[index]) }
        return (PCSCError(code: code), seen)
    }

    /// Connects to the card in a reader, or to the reader itself, with `SCardConnect`.
    /// - Throws: `PCSCError.noSmartcard` when there is none.
    public func connect(
        to readerName: String,
        sharing: PCSCSharing = .shared
    ) throws(PCSCError) -> PCSCCard {
        try PCSCCard(session, readerName: readerName, sharing: sharing)
    }
}

/// How a connection shares its card with other programs.
public enum PCSCSharing: Sendable {
    /// Others may connect too.
    case shared
    /// Nobody else may connect.
    case exclusive
    /// The connection is to the reader, whether there is a card in it or not.
    case direct

    var code: DWORD {
        switch self {
        case .shared: DWORD(SCARD_SHARE_SHARED)
        case .exclusive: DWORD(SCARD_SHARE_EXCLUSIVE)
        case .direct: DWORD(SCARD_SHARE_DIRECT)
        }
    }

    /// The protocols that will do; none, so that no card is powered, for a connection to the reader.
    var protocols: DWORD {
        self == .direct ? 0 : DWORD(SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1)
    }
}

extension PCSCError {
    /// The receive buffer is too small (80100008, `SCARD_E_INSUFFICIENT_BUFFER`).
    static let insufficientBuffer = PCSCError(rawValue: 0x8010_0008)
}
