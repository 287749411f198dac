import Glibc
import Testing

/// The driver of `Tests/Strangers/ifd`, which a pcscd of `tools/with-pcscd` has loaded, and its reader `Counter`.
enum SimulatedReader {
    /// What the reader with a card of answers is called.
    static let name = "Counter 01 00"
    private static let path = "/run/pcscd/simulated-reader"

    /// Whether tests may use it.
    static var isThere: Bool { unsafe access(path, F_OK) == 0 }

    /// Says what the reader shall do, a wish a line, and waits until each is done.
    static func wish(_ wishes: String...) throws {
        let link = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(link >= 0)
        defer { _ = close(link) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
            unsafe place.copyBytes(from: path.utf8)
        }
        let count = socklen_t(MemoryLayout<sockaddr_un>.size)
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(link, $0, count)
            }
        }
        try #require(code == 0)
        for wish in wishes {
            let line = Array("\(wish)\n".utf8)
            try #require(unsafe write(link, line, line.count) == line.count)
            var answer = [UInt8](repeating: 0, count: 200)
            let length = unsafe read(link, &answer, answer.count)
            try #require(answer.prefix(max(0, length)).starts(with: "ok".utf8), "\(wish)")
        }
    }
}
