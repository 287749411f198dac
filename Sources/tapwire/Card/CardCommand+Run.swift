import CardEngine
import CommandLineKit
import EMVData
import Emulation
import ISO7816
import NFCWallet
import Octets
import PCSC
import Profiles
import Transport

extension CardCommand {
    /// Shows the card until somebody wants it to end.
    static func run(_ arguments: Arguments) async throws -> ExitCode {
        let count = try arguments.count()
        let spentCounter = try spentCounter(arguments)
        let path = try StoredWallet.path(arguments)
        if path != nil, arguments.has("atc") {
            throw CommandFailure(.usage, "leave out --atc: the wallet's card remembers its counter")
        }
        guard let card = try CardOptions(arguments) else {
            preconditionFailure("--scheme has a default")
        }
        if arguments.has("null") {
            for option in [
                "scheme", "profile", "wallet", "card", "cdcvm", "atc", "count", "script",
            ]
            where arguments.has(option) {
                throw CommandFailure(
                    .usage,
                    "leave out --\(option): the null card answers 6A82 to everything"
                )
            }
        }

        let script = try CardScript(arguments)
        let place = try CardPlace(arguments)
        let historicalBytes = card.personalization.profile.historicalBytes
        let tape = try FieldTape(arguments)
        var field = tape.field(place.makeField(historicalBytes: historicalBytes))
        if let script {
            let journal = Journal()
            field = ScriptedField(field, script) { step, command in
                journal.tell("script", step.text(to: command))
            }
        }
        let host = CardHost(field, place)
        if arguments.has("null") {
            host.journal.head("A card that answers 6A82 to everything, in \(place)")
            return try await tape.keep(of: "a card that answers 6A82", isPublic: true) {
                try await host.run { interruption in
                    try field.present(NullCard())
                    await interruption.wait()
                    return "of the null card"
                }
            }
        }
        let usesDeviceCVM = arguments["cdcvm"] == "yes"
        let wallet =
            if let path {
                try CardWallet(
                    path: path,
                    arguments["card"],
                    field: field,
                    usesDeviceCVM: usesDeviceCVM
                )
            } else {
                try CardWallet(
                    card.personalization,
                    field: field,
                    usesDeviceCVM: usesDeviceCVM,
                    spentCounter: spentCounter
                )
            }
        host.journal.head(
            "\(wallet.profile.name) \(wallet.profile.shownNumber(arguments)) in \(place)"
        )
        let profile = wallet.profile
        return try await tape.keep(of: profile.name, isPublic: profile.isPublic) {
            try await host.run { interruption in
                try await host.pay(with: wallet, count: count, until: interruption)
            }
        }
    }

    private static func spentCounter(_ arguments: Arguments) throws -> UInt16 {
        let first = try arguments.value(
            "atc",
            expecting: "two bytes in hexadecimal from 0001, such as 01F4"
        ) { text -> UInt16? in
            guard let bytes = try? [UInt8](hex: text), bytes.count == 2, bytes != [0, 0] else {
                return nil
            }
            return UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        }
        return (first ?? 1) - 1
    }
}

extension CardProfile {
    /// The first account number, masked where it has to be.
    fileprivate func shownNumber(_ arguments: Arguments) -> String {
        let number = applications[0].pan
        return isPublic || arguments.has("unmask") ? number.text : number.masked
    }
}

extension Arguments {
    /// The value of `--count`; nil when there is none.
    func count() throws -> Int? {
        try value("count", expecting: "a whole number from 1 up") { text in
            Int(digits: text).flatMap { $0 > 0 ? $0 : nil }
        }
    }
}

/// Where vpcd listens.
struct VPCDAddress: CustomStringConvertible {
    /// The machine.
    let host: String
    /// The port of the reader.
    let port: UInt16

    /// Reads `--vpcd`: a host, a port, or both.
    init(_ arguments: Arguments) throws {
        let address = try arguments.value(
            "vpcd",
            expecting: "HOST:PORT, such as 127.0.0.1:35963",
            read: Self.init(text:)
        )
        self = address ?? Self(host: "127.0.0.1", port: VPCDField.defaultPort)
    }

    private init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads host and port with a colon between; nil for anything else.
    ///
    /// An IPv6 address stands in brackets.
    init?(text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(digits: text[text.index(after: colon)...]),
            port > 0
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ 0x21..<0x7F ~= $0 }) else { return nil }
        self.init(host: String(host), port: port)
    }

    /// Whether pcscd runs on this machine.
    var isLocal: Bool { host.hasPrefix("127.") || host == "localhost" || host == "::1" }

    var description: String { "vpcd at \(VPCDField.address(host: host, port: port))" }

    /// Where vpcd's next reader is; nil behind the last port.
    var next: String? {
        port < .max ? VPCDField.address(host: host, port: port + 1) : nil
    }
}

/// A card that knows nothing.
private final class NullCard: EmulatedCard {
    func fieldOn() {}
    func respond(to command: Span<UInt8>, into response: inout OutputSpan<UInt8>) {
        response.append(0x6A)
        response.append(0x82)
    }
    func responseSent() {}
    func fieldOff() -> Bool { true }
}
