internal import CPCSC
import ISO7816
public import Transport

/// A connection to the card in a reader.
///
/// It keeps its context alive. All calls block; the one at a time rule of the context applies.
@safe
public struct PCSCCard: ~Copyable, Sendable {
    private let context: ContextHandle
    private let handle: SCARDHANDLE
    private let sharing: PCSCSharing
    private var receiveBuffer: [UInt8]
    /// The reader's name.
    public let readerName: String
    /// What the reader does with the card when the connection ends; by default nothing.
    public var disposition = PCSCDisposition.leave
    /// The protocol in use.
    public private(set) var activeProtocol: PCSCProtocol

    init(_ context: ContextHandle, readerName: String, sharing: PCSCSharing) throws(PCSCError) {
        var handle = SCARDHANDLE()
        var active = DWORD(0)
        try PCSCError.check(
            unsafe SCardConnect(
                context.context,
                readerName,
                sharing.code,
                DWORD(SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1),
                &handle,
                &active
            )
        )
        self.context = context
        self.handle = handle
        self.sharing = sharing
        self.readerName = readerName
        activeProtocol = PCSCProtocol(rawValue: UInt32(truncatingIfNeeded: active))
        receiveBuffer = [UInt8](repeating: 0, count: Self.maximumResponseCount)
    }

    /// Ends the connection, with `SCardDisconnect`.
    deinit { _ = SCardDisconnect(handle, disposition.code) }

    /// The longest response: 65536 bytes of data and the status word.
    ///
    /// libpcsclite refuses larger buffers as well as too small ones.
    public static var maximumResponseCount: Int { 65538 }

    /// Connects anew after another program reset the card, with `SCardReconnect`.
    /// - Parameter disposition: What the reader does with the card first.
    /// - Throws: `PCSCError.removedCard` when the card has gone, or what the resource manager says.
    public mutating func reconnect(_ disposition: PCSCDisposition) throws(PCSCError) {
        var active = DWORD(0)
        try PCSCError.check(
            unsafe SCardReconnect(
                handle,
                sharing.code,
                DWORD(SCARD_PROTOCOL_T0 | SCARD_PROTOCOL_T1),
                disposition.code,
                &active
            )
        )
        activeProtocol = PCSCProtocol(rawValue: UInt32(truncatingIfNeeded: active))
    }

    /// Keeps other programs off the card while `body` runs, with `SCardBeginTransaction`.
    ///
    /// The card is lent to `body`, so that everything in between goes through this connection.
    public mutating func transaction<Result: ~Copyable, Failure: Error>(
        _ body: (inout PCSCCard) throws(Failure) -> Result
    ) throws(PCSCTransactionError<Failure>) -> Result {
        if let error = PCSCError(code: SCardBeginTransaction(handle)) { throw .reader(error) }
        defer { _ = SCardEndTransaction(handle, DWORD(SCARD_LEAVE_CARD)) }
        do throws(Failure) { return try body(&self) } catch { throw .body(error) }
    }

    /// Keeps other programs off the card until the connection ends, with `SCardBeginTransaction`.
    mutating func beginTransaction() throws(PCSCError) {
        try PCSCError.check(SCardBeginTransaction(handle))
    }

    /// Sends a command APDU and returns the response as the reader gives it, with `SCardTransmit`.
    public mutating func exchange(_ command: [UInt8]) throws(PCSCError) -> [UInt8] {
        var count = DWORD(receiveBuffer.count)
        let code = unsafe receiveBuffer.withUnsafeMutableBufferPointer { response in
            unsafe withUnsafePointer(to: activeProtocol.header) { header in
                unsafe SCardTransmit(
                    handle,
                    header,
                    command,
                    DWORD(command.count),
                    nil,
                    response.baseAddress,
                    &count
                )
            }
        }
        try PCSCError.check(code)
        return Array(receiveBuffer.prefix(Int(count)))
    }
}

extension PCSCCard: Transport {
    /// Sends a command as the protocol in use wants it; PC/SC codes become transport errors.
    public mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        let response: [UInt8]
        do throws(PCSCError) {
            response = try exchange(activeProtocol.form(of: command))
        } catch {
            throw TransportError(error)
        }
        // What a reader says of a card that has left in the middle.
        guard !response.isEmpty else { throw .cardRemoved }
        guard response.count >= 2 else { throw .protocolViolation }
        return response
    }
}

extension TransportError {
    /// Sorts a PC/SC code by what it means for a tap.
    init(_ error: PCSCError) {
        if error == .timeout {
            self = .timeout
        } else if error.isCardLost || error == .resetCard || error == .notTransacted {
            self = .cardRemoved
        } else {
            self = .reader(code: error.rawValue)
        }
    }
}

/// Why a transaction ended early.
public enum PCSCTransactionError<Failure: Error>: Error {
    /// PC/SC could not begin it.
    case reader(PCSCError)
    /// What ran inside failed.
    case body(Failure)
}

/// What the reader does with a card.
public enum PCSCDisposition: Sendable {
    /// Nothing.
    case leave
    /// A reset.
    case reset
    /// Power, or the field, goes off.
    case unpower

    var code: DWORD {
        switch self {
        case .leave: DWORD(SCARD_LEAVE_CARD)
        case .reset: DWORD(SCARD_RESET_CARD)
        case .unpower: DWORD(SCARD_UNPOWER_CARD)
        }
    }
}

/// A transmission protocol, by its PC/SC bit.
public struct PCSCProtocol: RawRepresentable, Hashable, Sendable {
    /// The bit.
    public var rawValue: UInt32
    /// Wraps any value.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// T=0, by characters (1).
    public static let t0 = PCSCProtocol(rawValue: 1)
    /// T=1, by blocks (2); contactless cards show as this.
    public static let t1 = PCSCProtocol(rawValue: 2)

    /// A command as it goes over this protocol.
    ///
    /// T=0 has no room for Le behind data: the card says with 61xx what it has (ISO 7816-3, 12.2.5).
    func form(of command: [UInt8]) -> [UInt8] {
        guard self == .t0, var parsed = try? CommandAPDU(parsing: command), !parsed.body.isEmpty,
            parsed.expectedLength != nil
        else { return command }
        parsed.expectedLength = nil
        return parsed.bytes
    }

    var header: SCARD_IO_REQUEST {
        SCARD_IO_REQUEST(
            dwProtocol: UInt(rawValue),
            cbPciLength: UInt(MemoryLayout<SCARD_IO_REQUEST>.size)
        )
    }
}

extension PCSCSharing {
    var code: DWORD {
        switch self {
        case .shared: DWORD(SCARD_SHARE_SHARED)
        case .exclusive: DWORD(SCARD_SHARE_EXCLUSIVE)
        }
    }
}
