internal import CPCSC
import ISO7816
import Synchronization
public import Transport

/// A connection to the card in a reader, or to the reader.
///
/// It keeps its session alive. All calls block, none longer than the session's deadlines; the one at a time rule of
/// the session applies.
public struct PCSCCard: ~Copyable, Sendable {
    private let session: PCSCSession
    private let handle: SCARDHANDLE
    private let sharing: PCSCSharing
    private let buffer = ResponseBuffer()
    /// The reader's name.
    public let readerName: String
    /// What the reader does with the card when the connection ends; by default nothing.
    public var disposition = PCSCDisposition.leave
    /// The protocol in use.
    public private(set) var activeProtocol: PCSCProtocol

    init(_ session: PCSCSession, readerName: String, sharing: PCSCSharing) throws(PCSCError) {
        let connection = try session.connect(to: readerName, sharing)
        self.session = session
        self.sharing = sharing
        self.readerName = readerName
        handle = connection.handle
        activeProtocol = PCSCProtocol(code: connection.activeProtocol)
    }

    /// Ends the connection, with `SCardDisconnect`.
    deinit { session.disconnect(handle, from: readerName, disposition) }

    /// The longest response: 65536 bytes of data and the status word.
    ///
    /// libpcsclite refuses larger buffers as well as too small ones.
    public static var maximumResponseCount: Int { ResponseBuffer.count }

    /// Connects anew after another program reset the card, with `SCardReconnect`.
    /// - Parameter disposition: What the reader does with the card first.
    /// - Throws: `PCSCError.removedCard` when the card has gone, or what the resource manager says.
    public mutating func reconnect(_ disposition: PCSCDisposition) throws(PCSCError) {
        let (handle, sharing) = (handle, sharing)
        let (error, active) = try session.call(reader: readerName) {
            var active = DWORD(0)
            let code = unsafe SCardReconnect(
                handle,
                sharing.code,
                sharing.protocols,
                disposition.code,
                &active
            )
            return (PCSCError(code: code), active)
        }
        try error.check()
        activeProtocol = PCSCProtocol(code: active)
    }

    /// Keeps other programs off the card while `body` runs, with `SCardBeginTransaction`.
    ///
    /// The card is lent to `body`, so that everything in between goes through this connection.
    public mutating func transaction<Result: ~Copyable, Failure: Error>(
        _ body: (inout PCSCCard) throws(Failure) -> Result
    ) throws(PCSCTransactionError<Failure>) -> Result {
        do throws(PCSCError) { try beginTransaction() } catch { throw .reader(error) }
        defer { endTransaction() }
        do throws(Failure) { return try body(&self) } catch { throw .body(error) }
    }

    /// Keeps other programs off the card until the connection ends, with `SCardBeginTransaction`.
    ///
    /// libpcsclite waits for another program's transaction for ever. When that takes longer than the deadline,
    /// the other program has the card to itself.
    mutating func beginTransaction() throws(PCSCError) {
        let handle = handle
        do throws(PCSCError) {
            try session.callForTransaction(reader: readerName) {
                PCSCError(code: SCardBeginTransaction(handle))
            }.check()
        } catch {
            throw error == .waitedTooLong ? .sharingViolation : error
        }
    }

    private func endTransaction() {
        let handle = handle
        _ = try? session.call(reader: readerName) {
            SCardEndTransaction(handle, DWORD(SCARD_LEAVE_CARD))
        }
    }

    /// Sends a command APDU and returns the response as the reader gives it, with `SCardTransmit`.
    public mutating func exchange(_ command: [UInt8]) throws(PCSCError) -> [UInt8] {
        let (handle, buffer, active) = (handle, buffer, activeProtocol)
        let (error, response) = try session.call(reader: readerName) {
            unsafe buffer.fill { bytes, count in
                unsafe withUnsafePointer(to: active.header) { header in
                    unsafe SCardTransmit(
                        handle,
                        header,
                        command,
                        DWORD(command.count),
                        nil,
                        bytes,
                        count
                    )
                }
            }
        }
        try error.check()
        return response
    }

    /// Sends the reader a command of its own, with `SCardControl`.
    /// - Parameters:
    ///   - code: The control code.
    ///   - command: What the reader's driver makes of it depends on the code.
    /// - Returns: The answer of the reader or its driver.
    /// - Throws: What the resource manager says.
    public mutating func control(
        _ code: PCSCControlCode,
        _ command: [UInt8]
    ) throws(PCSCError) -> [UInt8] {
        let (handle, buffer) = (handle, buffer)
        let (error, answer) = try session.call(reader: readerName) {
            unsafe buffer.fill { bytes, count in
                let room = unsafe count.pointee
                return unsafe SCardControl(
                    handle,
                    DWORD(code.rawValue),
                    command,
                    DWORD(command.count),
                    bytes,
                    room,
                    count
                )
            }
        }
        try error.check()
        return answer
    }
}

/// Where libpcsclite puts a response; it may do so after nobody waits for it any more.
private final class ResponseBuffer: Sendable {
    static let count = 65538
    private let bytes = Mutex([UInt8](repeating: 0, count: ResponseBuffer.count))

    /// Lets `body` fill the buffer.
    /// - Parameter body: It is given where to write, and a number that says how much room there is and then how much
    ///   was written; it returns a PC/SC code.
    /// - Returns: What went wrong, and what was written.
    @unsafe
    func fill(
        _ body: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<DWORD>) -> LONG
    ) -> (PCSCError?, [UInt8]) {
        bytes.withLock { bytes in
            var count = DWORD(bytes.count)
            let code = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                unsafe body(buffer.baseAddress, &count)
            }
            return (PCSCError(code: code), Array(bytes.prefix(Int(clamping: count))))
        }
    }
}

/// Which command of its driver a reader is sent (PC/SC part 3, 4.5; pcsclite's `SCARD_CTL_CODE`).
public struct PCSCControlCode: RawRepresentable, Hashable, Sendable {
    /// The code.
    public var rawValue: UInt32
    /// Wraps any code.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// A command that a CCID reader's driver hands on to the reader as it is (42000001, `PC_to_RDR_Escape`).
    public static let escape = PCSCControlCode(rawValue: 0x4200_0001)
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
    /// T=0 has no room for Le behind data: the card says with 61xx what it has (ISO 7816-3, 12.2.5). Nor has it lengths
    /// of more than a byte: the longest Le is 256, and what the card has beyond that is fetched (12.2.7). More than 255
    /// bytes of data are left as they are, for a reader that knows how to send them.
    func form(of command: [UInt8]) -> [UInt8] {
        guard self == .t0, var parsed = try? CommandAPDU(parsing: command),
            let expectedLength = parsed.expectedLength, parsed.body.count <= 255
        else { return command }
        parsed.expectedLength = parsed.body.isEmpty ? min(expectedLength, 256) : nil
        return parsed.bytes
    }

    /// Reads what the resource manager gave.
    init(code: DWORD) { self.init(rawValue: UInt32(truncatingIfNeeded: code)) }

    var header: SCARD_IO_REQUEST {
        SCARD_IO_REQUEST(
            dwProtocol: UInt(rawValue),
            cbPciLength: UInt(MemoryLayout<SCARD_IO_REQUEST>.size)
        )
    }
}
