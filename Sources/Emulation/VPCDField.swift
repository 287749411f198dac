import Foundation
public import ISO7816
public import NFCWallet
import Synchronization

/// A field inside pcscd: the card appears in the virtual reader of vsmartcard's vpcd.
///
/// One thread connects to vpcd, answers its commands, and connects again when pcscd has restarted. While there is no
/// card to show, there is no connection either. A reader's field counts as on from the first command after power on.
public final class VPCDField: LinkedField {
    /// The port of vpcd's first reader; each further one has the next.
    public static let defaultPort: UInt16 = 35963

    /// A host and a port as people write them: an IPv6 address stands in brackets.
    public static func address(host: String, port: UInt16) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// What happens to the link; ends after `stop`.
    public let events: AsyncStream<LinkEvent>

    private let host: String
    private let port: UInt16
    private let answerToReset: [UInt8]
    private let continuation: AsyncStream<LinkEvent>.Continuation
    private let prepare: @Sendable () -> Void
    private let pause: (@Sendable (_ seconds: Double) -> Void)?
    private let patienceMilliseconds: Int32
    private let slot = CardSlot(patienceSeconds: 1)
    private let link = Mutex(Link())
    private let stopped = DispatchSemaphore(value: 0)

    /// What `stop` needs to reach: a descriptor of its own, which nobody else closes meanwhile.
    private struct Link: ~Copyable {
        var isStopped = false
        var socket: Socket?
    }

    /// Prepares a field; `start` connects it.
    /// - Parameters:
    ///   - host: Where pcscd runs.
    ///   - port: vpcd's port.
    ///   - answerToReset: What vpcd shows as the card's answer to reset.
    ///   - prepare: Called before every try to connect, on the thread of the field; it may wake pcscd.
    public convenience init(
        host: String = "127.0.0.1",
        port: UInt16 = VPCDField.defaultPort,
        answerToReset: AnswerToReset,
        prepare: @escaping @Sendable () -> Void = {}
    ) {
        self.init(
            host: host,
            port: port,
            answerToReset: answerToReset,
            prepare: prepare,
            pause: nil
        )
    }

    /// Prepares a field.
    /// - Parameters:
    ///   - host: Where pcscd runs.
    ///   - port: vpcd's port.
    ///   - answerToReset: What vpcd shows as the card's answer to reset.
    ///   - patienceMilliseconds: How long vpcd may stay silent before `unasked` is told, or inside a frame before the
    ///     link is given up.
    ///   - prepare: Called before every try to connect.
    ///   - pause: Lets the time between two tries pass; nil for a field that waits.
    init(
        host: String,
        port: UInt16,
        answerToReset: AnswerToReset,
        patienceMilliseconds: Int32 = 3000,
        prepare: @escaping @Sendable () -> Void = {},
        pause: (@Sendable (_ seconds: Double) -> Void)?
    ) {
        self.host = host
        self.port = port
        self.answerToReset = answerToReset.bytes
        self.prepare = prepare
        self.pause = pause
        self.patienceMilliseconds = patienceMilliseconds
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    /// Starts the thread that serves vpcd.
    public func start() {
        let thread = Thread { self.run() }
        thread.name = "vpcd"
        thread.start()
    }

    /// Ends the link for good, and the stream of events with it.
    public func stop() {
        link.withLock { link in
            link.isStopped = true
            link.socket?.shutDown()
        }
        stopped.signal()
        slot.wake()
    }

    /// Tells `card` of the reader's field from now on; the reader sees a card, and its first command waits for `present`.
    public func watch(_ card: any EmulatedCard) { slot.admit(card, isPresented: false) }

    /// Puts the card into the virtual reader.
    public func present(_ card: any EmulatedCard) { slot.admit(card, isPresented: true) }

    /// Takes `card` out of the virtual reader, unless another one follows within a second.
    public func withdraw(_ card: any EmulatedCard) { slot.withdraw(card) }

    private func run() {
        var pauseSeconds = Self.shortestPauseSeconds
        var wasConnected = false
        // Whether the last link ended because there was no card, of which nobody is told.
        var hadNoCard = false
        wait(Self.firstPauseSeconds)
        while awaitCard() {
            prepare()
            var hasServed = false
            var reason = "vpcd has closed the connection"
            do throws(SocketError) {
                let socket = try Socket(host: host, port: port, timeoutSeconds: 5)
                guard hold(socket.duplicate()) else { break }
                defer { link.withLock { $0.socket = nil } }
                if !hadNoCard { continuation.yield(.connected) }
                wasConnected = true
                hadNoCard = false
                var server = VPCDServer(socket, slot, answerToReset)
                defer { hasServed = server.hasServed }
                try server.serve(patienceMilliseconds: patienceMilliseconds) { event in
                    // A frame cut by `stop` is no fault of vpcd's.
                    guard !isStopped else { return }
                    continuation.yield(event)
                }
                hadNoCard = server.isWithoutCard
            } catch {
                hadNoCard = false
                if case .unknownHost = error, !wasConnected {
                    continuation.yield(
                        .refused(reason: "\(error); check the name, or give an address")
                    )
                    break
                }
                if !error.isClosedByPeer {
                    reason = "vpcd at \(Self.address(host: host, port: port)): \(error)"
                }
            }
            slot.drop()
            guard !isStopped else { break }
            if hadNoCard {
                wait(Self.absenceSeconds)
            } else {
                continuation.yield(.disconnected(reason: reason))
                // Whatever accepts and says nothing is not to be bothered all the time.
                wait(hasServed ? Self.absenceSeconds : pauseSeconds)
                pauseSeconds =
                    hasServed
                    ? Self.shortestPauseSeconds : min(pauseSeconds * 2, Self.longestPauseSeconds)
            }
        }
        continuation.finish()
    }

    private var isStopped: Bool { link.withLock { $0.isStopped } }

    /// Waits until there is a card to connect with; false when `stop` came first.
    private func awaitCard() -> Bool {
        while !isStopped, !slot.awaitCard(seconds: Self.longestPauseSeconds) {}
        return !isStopped
    }

    /// Lets time pass, or less of it when `stop` comes.
    private func wait(_ seconds: Double) {
        if let pause { return pause(seconds) }
        if stopped.wait(timeout: .now() + seconds) == .success { stopped.signal() }
    }

    /// Lets `stop` reach the socket; false when it came first.
    private func hold(_ socket: consuming Socket) -> Bool {
        var socket: Socket? = consume socket
        return link.withLock { link in
            link.socket = socket.take()
            return !link.isStopped
        }
    }

    /// pcscd looks for cards every 0.4 s.
    ///
    /// A card that dies inside a command and has a successor before the next look is taken for removed, and the successor
    /// never noticed.
    private static let firstPauseSeconds = 0.5
    /// Longer than pcscd needs to notice that a card has left, of itself or because its link was cut.
    private static let absenceSeconds = 1.0
    private static let shortestPauseSeconds = 0.1
    private static let longestPauseSeconds = 2.0
}
