import Foundation
public import ISO7816
public import NFCWallet
import Synchronization

/// A field inside pcscd: the card appears in the virtual reader of vsmartcard's vpcd.
///
/// One thread connects to vpcd, answers its commands, and connects again when pcscd has restarted. The card
/// stays in the reader as long as one is presented; when none has been for a second it counts as removed.
public final class VPCDField: CardField {
    /// What happens to the link, for people.
    public enum Event: Hashable, Sendable {
        /// vpcd has the card.
        case connected
        /// The link is gone, or could not be made; the next try follows after a pause.
        case disconnected(reason: String)
        /// vpcd sent something that is not its protocol.
        case protocolFault(String)
    }

    /// The default port of vpcd's first reader.
    public static let defaultPort: UInt16 = 35963

    /// What happens to the link; ends with `stop`.
    public let events: AsyncStream<Event>

    private let host: String
    private let port: UInt16
    private let answerToReset: [UInt8]
    private let continuation: AsyncStream<Event>.Continuation
    private let stage = VPCDStage()
    private let link = Mutex(Link())

    /// What `stop` needs to reach: a descriptor of its own, which nobody else closes meanwhile.
    private struct Link: ~Copyable {
        var isStopped = false
        var socket: Socket?
    }

    /// Prepares a field; `start` connects it.
    /// - Parameters:
    ///   - host: Where pcscd runs.
    ///   - port: vpcd's port: 35963 for its first reader, one more for the next.
    ///   - answerToReset: What vpcd shows as the card's answer to reset.
    public init(
        host: String = "127.0.0.1",
        port: UInt16 = VPCDField.defaultPort,
        answerToReset: AnswerToReset
    ) {
        self.host = host
        self.port = port
        self.answerToReset = answerToReset.bytes
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    /// Starts the thread that serves vpcd.
    public func start() {
        let thread = Thread { self.run() }
        thread.name = "vpcd"
        thread.start()
    }

    /// Ends the link for good and the stream of events with it.
    public func stop() {
        link.withLock { link in
            link.isStopped = true
            link.socket?.shutDown()
        }
        stage.stop()
    }

    /// Puts the card into the virtual reader.
    public func present(_ card: any EmulatedCard) { stage.present(card) }

    /// Takes the card out of the virtual reader.
    public func withdraw() { stage.withdraw() }

    private func run() {
        var pauseSeconds = Self.shortestPauseSeconds
        while !link.withLock({ $0.isStopped }) {
            do throws(SocketError) {
                let socket = try Socket(host: host, port: port, timeoutSeconds: 5)
                guard hold(socket.duplicate()) else { break }
                defer { release() }
                continuation.yield(.connected)
                pauseSeconds = Self.shortestPauseSeconds
                let server = VPCDServer(socket, stage, answerToReset)
                try server.serve { fault in continuation.yield(.protocolFault(fault)) }
                continuation.yield(.disconnected(reason: "vpcd has closed the connection"))
            } catch {
                continuation.yield(.disconnected(reason: "vpcd at \(host):\(port): \(error)"))
            }
            stage.powerOff()
            stage.waitUntilStopped(atMostSeconds: pauseSeconds)
            pauseSeconds = min(pauseSeconds * 2, Self.longestPauseSeconds)
        }
        continuation.finish()
    }

    /// Lets `stop` reach the socket; false when it came first.
    private func hold(_ socket: consuming Socket) -> Bool {
        var socket: Socket? = consume socket
        return link.withLock { link in
            link.socket = socket.take()
            return !link.isStopped
        }
    }

    private func release() { link.withLock { $0.socket = nil } }

    private static let shortestPauseSeconds = 0.1
    private static let longestPauseSeconds = 2.0
}
