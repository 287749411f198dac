internal import Glibc

/// A connected stream socket, closed when its owner lets go of it.
@safe
struct Socket: ~Copyable, Sendable {
    let descriptor: Int32

    /// Takes over a connected descriptor.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { _ = close(descriptor) }

    /// Connects to a TCP port, trying every address of `host`.
    /// - Throws: `SocketError` of the last address tried.
    init(host: String, port: UInt16, timeoutSeconds: Int) throws(SocketError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, String(port), &hints, &found)
        guard code == 0, let first = unsafe found else { throw .unknownHost(host) }
        defer { unsafe freeaddrinfo(first) }

        var failure = SocketError.unknownHost(host)
        var next: UnsafeMutablePointer<addrinfo>? = unsafe first
        while let address = unsafe next {
            unsafe next = unsafe address.pointee.ai_next
            let candidate = Socket(
                descriptor: unsafe socket(
                    address.pointee.ai_family,
                    address.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue),
                    address.pointee.ai_protocol
                )
            )
            guard candidate.descriptor >= 0 else {
                failure = .system(errno)
                continue
            }
            candidate.set(SOL_SOCKET, SO_SNDTIMEO, timeval(tv_sec: timeoutSeconds, tv_usec: 0))
            let isConnected = unsafe connect(
                candidate.descriptor,
                address.pointee.ai_addr,
                address.pointee.ai_addrlen
            )
            guard isConnected == 0 else {
                failure = .system(errno)
                continue
            }
            // A port of the ephemeral range on the loopback may connect to itself while nobody listens.
            guard !candidate.isConnectedToItself else {
                failure = .connectedToItself
                continue
            }
            candidate.set(SOL_SOCKET, SO_SNDTIMEO, timeval())
            candidate.set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
            self = candidate
            return
        }
        throw failure
    }

    /// Makes every call that waits on the socket return, from any thread.
    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Opens a second descriptor of the same connection.
    func duplicate() -> Socket { Socket(descriptor: dup(descriptor)) }

    /// Waits until there is something to receive, be it the end.
    /// - Returns: False when the time was over first.
    func waitUntilReadable(milliseconds: Int32) throws(SocketError) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = unsafe poll(&request, 1, milliseconds)
            if count >= 0 { return count > 0 }
            guard errno == EINTR else { throw .system(errno) }
        }
    }

    /// Reads what is there into the free part of `buffer`, waiting for at least one byte.
    /// - Returns: How many bytes came; 0 when the other side has closed.
    func receive(into buffer: inout MutableSpan<UInt8>) throws(SocketError) -> Int {
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
            }
            if count >= 0 {
                acknowledgeAtOnce()
                return count
            }
            guard errno == EINTR else { throw .system(errno) }
        }
    }

    /// Sends all of `bytes`, with one call where the kernel takes them.
    func send(_ bytes: Span<UInt8>) throws(SocketError) {
        var sent = 0
        while sent < bytes.count {
            let rest = bytes.extracting(droppingFirst: sent)
            let count = unsafe rest.withUnsafeBytes { part in
                unsafe Glibc.send(
                    descriptor,
                    part.baseAddress,
                    part.count,
                    Int32(MSG_NOSIGNAL)
                )
            }
            if count >= 0 {
                sent += count
            } else if errno != EINTR {
                throw .system(errno)
            }
        }
    }

    /// Turns delayed acknowledgement off until the next receive.
    ///
    /// vpcd sends a frame in two parts with Nagle's algorithm on: the second waits for the acknowledgement of
    /// the first, 40 ms when that is delayed. The option does not stick, so it is set after every receive.
    private func acknowledgeAtOnce() { set(Int32(IPPROTO_TCP), TCP_QUICKACK, Int32(1)) }

    /// Whether both ends of the connection are this socket.
    var isConnectedToItself: Bool {
        guard let local = unsafe address(getsockname), let peer = unsafe address(getpeername) else {
            return false
        }
        return local == peer
    }

    @unsafe
    private func address(
        _ call: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> [UInt8]? {
        var storage = sockaddr_storage()
        var count = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            let code = unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe call(descriptor, $0, &count)
            }
            guard code == 0 else { return nil }
            return unsafe Array(UnsafeRawBufferPointer(start: pointer, count: Int(count)))
        }
    }

    private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: Value) {
        var value = value
        _ = unsafe setsockopt(
            descriptor,
            level,
            option,
            &value,
            socklen_t(MemoryLayout<Value>.size)
        )
    }
}

/// Why a socket cannot be used.
enum SocketError: Error, Hashable, Sendable {
    /// The name has no address.
    case unknownHost(String)
    /// The system call failed with this `errno`.
    case system(Int32)
    /// The connection leads back to itself.
    case connectedToItself
}

extension SocketError {
    /// Whether the other side has closed, at a moment when something was still on its way to it.
    var isClosedByPeer: Bool { self == .system(ECONNRESET) || self == .system(EPIPE) }
}

extension SocketError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknownHost(let host): "the host \(host) is not known"
        case .system(let code): unsafe String(cString: strerror(code)).lowercased()
        case .connectedToItself: "nothing listens there"
        }
    }
}
