import CommandLineKit
import EMVData
import Foundation
import NFCWallet
import Octets

extension WalletCommand {
    static func list(_ arguments: Arguments) throws -> ExitCode {
        let stored = try open(arguments)
        let cards = try stored.cards()
        let defaultCard = try stored.wrap { () throws(WalletError) in try stored.wallet.defaultCard
        }
        var table = TextTable([.trailing])
        var objects: [JSONValue] = []
        for (index, card) in cards.enumerated() {
            let info = try stored.info(card)
            let isDefault = card.id == defaultCard
            let number = card.contents?.number.masked ?? ""
            table.append(
                "\(index + 1)",
                isDefault ? "default" : "",
                card.label,
                number,
                "\(card.state)",
                info.numberOfPaymentsLeft == 1
                    ? "1 payment" : "\(info.numberOfPaymentsLeft) payments",
                card.id.rawValue
            )
            objects.append(
                .object([
                    .init("id", .string(card.id.rawValue)), .init("label", .string(card.label)),
                    .init("number", .string(number)), .init("state", .string("\(card.state)")),
                    .init("default", .bool(isDefault)),
                    .init("paymentsLeft", .integer(Int64(info.numberOfPaymentsLeft))),
                ])
            )
        }
        if arguments.has("json") {
            Console.output.write(JSONValue.object([.init("cards", .array(objects))]).text)
        } else if cards.isEmpty {
            Console.output.write("No cards yet. Add one: tapwire wallet add --scheme visa\n")
        } else {
            for line in table.lines { Console.output.write(line + "\n") }
        }
        return .success
    }

    static func keys(_ arguments: Arguments) throws -> ExitCode {
        let stored = try open(arguments)
        let card = try stored.card(arguments.positionals.first)
        let info = try stored.info(card)
        let expiry = info.expiryDate.map(Self.moment)
        if arguments.has("json") {
            Console.output.write(
                JSONValue.object([
                    .init("card", .string(card.id.rawValue)),
                    .init("numberOfPaymentsLeft", .integer(Int64(info.numberOfPaymentsLeft))),
                    .init("needsReplenishment", .bool(info.needsReplenishment)),
                    .init("keyType", info.keyType.map { .string($0.rawValue) } ?? .null),
                    .init("expiryDate", expiry.map { .string($0) } ?? .null),
                ]).text
            )
            return .success
        }
        var table = TextTable()
        table.append("Card", "\(card.label) \(card.contents?.number.masked ?? "")")
        table.append("Payments left", "\(info.numberOfPaymentsLeft)")
        table.append("Needs replenishment", info.needsReplenishment ? "yes" : "no")
        if let type = info.keyType {
            table.append(
                "Key type",
                type == .singleUse ? "SUK, one payment for each" : "LUK, some payments for each"
            )
        }
        if let expiry { table.append("Good until", expiry) }
        for line in table.lines { Console.output.write(line + "\n") }
        return .success
    }

    static func history(_ arguments: Arguments) throws -> ExitCode {
        let stored = try open(arguments)
        let card = try stored.card(arguments.positionals.first)
        let entries = try stored.wrap { () throws(WalletError) in
            try stored.wallet.history(of: card.id)
        }
        if arguments.has("json") {
            Console.output.write(
                JSONValue.object([.init("payments", .array(entries.map(\.json)))]).text
            )
            return .success
        }
        guard !entries.isEmpty else {
            Console.output.write("Nothing paid in the last thirty days.\n")
            return .success
        }
        var table = TextTable([.leading, .trailing])
        for entry in entries {
            table.append(
                moment(entry.seconds),
                entry.amount.map { "\($0)" } ?? "",
                entry.counterText,
                entry.outcome.text
            )
        }
        for line in table.lines { Console.output.write(line + "\n") }
        return .success
    }

    /// A moment in the time zone of the machine.
    static func moment(_ seconds: Int64) -> String {
        let time = LocalTime(secondsSince1970: seconds)
        return "\(time.dayText) \(time.timeText)"
    }
}

extension HistoryEntry {
    fileprivate var counterText: String {
        lastCounter == transactionCounter
            ? "ATC \(transactionCounter.hex)"
            : "ATC \(transactionCounter.hex) to \(lastCounter.hex)"
    }

    fileprivate var json: JSONValue {
        .object([
            .init("time", .string(WalletCommand.moment(seconds))),
            .init("outcome", .string(outcome.rawValue)),
            .init("amount", amount.map { .string("\($0)") } ?? .null),
            .init("counter", .string(transactionCounter.hex)),
            .init("lastCounter", .string(lastCounter.hex)),
        ])
    }
}

extension HistoryEntry.Outcome {
    fileprivate var text: String {
        switch self {
        case .requestedOnline: "asked for the issuer"
        case .approvedOffline: "approved offline"
        case .declined: "declined"
        case .interrupted: "interrupted: the program ended while the card was shown"
        }
    }
}
