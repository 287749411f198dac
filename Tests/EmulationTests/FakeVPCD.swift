import Glibc
import Octets
import Testing

/// Listens on a loopback port as vpcd does; the test says what it sends.
final class FakeVPCD {
    private let descriptor: Int32
    /// The port that was free.
    let port: UInt16

    /// Listens on a port that nobody uses.
    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        port = try Self.bind(descriptor)
        try #require(listen(descriptor, 1) == 0)
    }

    deinit { _ = close(descriptor) }

    /// Waits for the card.
    func accept() throws -> Link {
        Self.limitWaiting(descriptor)
        let link = Glibc.accept(descriptor, nil, nil)
        try #require(link >= 0, "the card does not connect")
        return Link(descriptor: link)
    }

    /// Binds a socket to a free loopback port.
    static func bind(_ descriptor: Int32) throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var count = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe Glibc.bind(descriptor, generic, count) == 0
                    ? unsafe getsockname(descriptor, generic, &count) : -1
            }
        }
        try #require(code == 0)
        return UInt16(bigEndian: address.sin_port)
    }

    /// A wait that fails is better than one that never ends.
    fileprivate static func limitWaiting(_ descriptor: Int32) {
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        let count = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, count)
    }

    /// A connection to a card.
    struct Link: ~Copyable {
        private let descriptor: Int32

        fileprivate init(descriptor: Int32) {
            self.descriptor = descriptor
            FakeVPCD.limitWaiting(descriptor)
        }

        deinit { _ = close(descriptor) }

        /// Ends the connection as a process does that dies with something unread.
        consuming func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            let count = socklen_t(MemoryLayout<linger>.size)
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, count)
        }

        /// Sends bytes as they are.
        func send(_ hex: String) throws { try send([UInt8](hex: hex)) }

        /// Sends bytes as they are.
        func send(_ bytes: [UInt8]) throws {
            let count = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            try #require(count == bytes.count)
        }

        /// What comes in one piece; empty at the end.
        func receive() throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
            try #require(count >= 0, "the card does not answer")
            return Array(bytes.prefix(count))
        }

        /// Sends bytes and returns the answer's hexadecimal digits.
        func exchange(_ hex: String) throws -> String {
            try send(hex)
            return try receive().hex
        }
    }
}
