internal import CPCSC
internal import Glibc

/// A session with the PC/SC resource manager.
///
/// One context carries one blocking call at a time: a thread that watches readers has its own. Only `cancel`
/// may be called from another thread meanwhile.
@safe
public struct PCSCContext: ~Copyable, Sendable {
    let handle: ContextHandle

    /// Opens a session, with `SCardEstablishContext`.
    /// - Throws: `PCSCError.noService` when pcscd is not running.
    public init() throws(PCSCError) {
        var context = SCARDCONTEXT()
        let scope = DWORD(SCARD_SCOPE_SYSTEM)
        try PCSCError.check(unsafe SCardEstablishContext(scope, nil, nil, &context))
        handle = ContextHandle(context)
    }

    /// Lists the readers, with `SCardListReaders`; empty when there is none.
    public func readerNames() throws(PCSCError) -> [String] {
        var names: [UInt8] = []
        // A reader may arrive between asking for the length and asking for the names.
        for _ in 0..<8 {
            var count = DWORD(0)
            let asked = PCSCError(code: unsafe SCardListReaders(handle.context, nil, nil, &count))
            if asked == .noReadersAvailable { return [] }
            if let asked { throw asked }
            names = [UInt8](repeating: 0, count: Int(count))
            let listed = unsafe names.withUnsafeMutableBytes { bytes in
                unsafe SCardListReaders(
                    handle.context,
                    nil,
                    bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    &count
                )
            }
            switch PCSCError(code: listed) {
            case nil:
                return names.prefix(Int(count)).split(separator: 0)
                    .map { String(decoding: $0, as: UTF8.self) }
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
    /// - Throws: `PCSCError.cancelled` after `cancel`, or what the resource manager says.
    public func waitForChange(
        of readers: inout [PCSCReaderState],
        timeoutMilliseconds: UInt32
    ) throws(PCSCError) -> Bool {
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
            handle.context,
            DWORD(timeoutMilliseconds),
            &states,
            DWORD(states.count)
        )
        let error = PCSCError(code: code)
        if error == .timeout { return false }
        if let error { throw error }
        for index in readers.indices {
            unsafe readers[index].update(states[index])
        }
        return true
    }

    /// Makes a `waitForChange` that is under way return `PCSCError.cancelled`, with `SCardCancel`.
    ///
    /// It does not interrupt a command that is being sent to a card.
    public func cancel() { _ = SCardCancel(handle.context) }

    /// Connects to the card in a reader, with `SCardConnect`.
    /// - Throws: `PCSCError.noSmartcard` when there is none.
    public func connect(
        to readerName: String,
        sharing: PCSCSharing = .shared
    ) throws(PCSCError) -> PCSCCard {
        try PCSCCard(handle, readerName: readerName, sharing: sharing)
    }
}

/// How a connection shares its card with other programs.
public enum PCSCSharing: Sendable {
    /// Others may connect too.
    case shared
    /// Nobody else may connect.
    case exclusive
}

/// Owns a resource manager context; cards keep it alive.
final class ContextHandle: Sendable {
    let context: SCARDCONTEXT

    init(_ context: SCARDCONTEXT) { self.context = context }

    deinit { _ = SCardReleaseContext(context) }
}

extension PCSCError {
    /// The receive buffer is too small (80100008, `SCARD_E_INSUFFICIENT_BUFFER`).
    static let insufficientBuffer = PCSCError(rawValue: 0x8010_0008)

    /// Reads a return code; nil for success.
    init?(code: LONG) {
        guard code != SCARD_S_SUCCESS else { return nil }
        // The codes are 32 bits wide, whatever LONG is.
        self.init(rawValue: UInt32(truncatingIfNeeded: code))
    }

    /// Throws unless `code` is success.
    static func check(_ code: LONG) throws(PCSCError) {
        if let error = PCSCError(code: code) { throw error }
    }
}
