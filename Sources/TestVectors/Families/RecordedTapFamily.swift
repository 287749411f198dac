import BERTLV
import EMVCrypto
import EMVData
import ISO7816
import Octets
import Profiles
import TerminalKernels
import Traces
import Transport
import VirtualPOS

/// `recorded-taps`: recorded cards, tapped again on this terminal, and every command that differs explained.
struct RecordedTapFamily: VectorFamily {
    var terminal: RecordedTerminal
    var configuration: TerminalConfiguration
    /// What is paid where the recording does not tell.
    var payment: Transaction
    /// The applications of a directory for a card that was not asked for one.
    var directory: [[UInt8]]
    /// Answers to other commands that the recording has not.
    var standIns: [Exchange]
    var explanations: Explanations

    static let name = "recorded-taps"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        payment = try Transaction(parameters.object("payment"))
        configuration = .builtIn
        configuration.caKeys = []
        for key in try parameters.elements("caKeys") {
            configuration.caKeys.append(try CAPublicKey(JSONObject(key.value, path: key.path)))
        }
        var lines: [String] = []
        for line in try input.elements("trace") {
            guard case .string(let text) = line.value else {
                throw ProfilesError(line.path, "must be a text, not \(line.value.kind)")
            }
            lines.append(text)
        }
        do throws(TraceError) {
            terminal = try RecordedTerminal(Trace(parsing: lines.map { $0 + "\n" }.joined()))
        } catch {
            throw ProfilesError(input.path(to: "trace"), error.message)
        }
        directory = []
        if input.has("directory") {
            for name in try input.elements("directory") {
                directory.append(try JSONObject.hex(name.value, name.path, 5...16))
            }
        }
        standIns = []
        if input.has("standIns") {
            for standIn in try input.elements("standIns") {
                standIns.append(try Exchange(JSONObject(standIn.value, path: standIn.path)))
            }
        }
        explanations = try Explanations(input.object("explanations"))
    }

    func output() throws -> VectorOutput {
        let tap = try terminal.tap(
            on: configuration,
            payment,
            directory: directory,
            standIns: standIns
        )
        let outcome = tap.report.outcome
        let unexplained = explanations.unexplained(tap.card)
        let needless = explanations.needless(tap.card)
        var output: VectorOutput = [
            "outcome": .text("\(outcome.status)"),
            "cvm": outcome.cvm.map { .text("\($0)") } ?? .nothing,
            "errorIndication": .bytes(outcome.error.bytes),
            "commandCount": .number(tap.report.exchanges.count),
            "unexplained": .list(unexplained.map { .text($0) }),
            "needless": .list(needless.map { .text($0) }),
            "activations": .list(try terminal.trace.activations().map(value)),
        ]
        if let attempt = tap.report.attempt { output.merge(Self.members(attempt)) { $1 } }
        return output
    }

    /// What a kernel made of the application.
    private static func members(_ attempt: Conclusion.Attempt) -> VectorOutput {
        let data = attempt.report.dataObjects
        var members: VectorOutput = [
            "application": .bytes(attempt.applicationIdentifier.bytes),
            "kernel": .bytes(attempt.kernelIdentifier.bytes),
            "terminalVerificationResults": .bytes(data[.terminalVerificationResults]),
            "cvmResults": .bytes(data[.cvmResults]),
            "cardTransactionQualifiers": .bytes(data[.cardTransactionQualifiers]),
            "cryptogram": .bytes(data[.applicationCryptogram]),
            "counter": .bytes(data[.applicationTransactionCounter]),
        ]
        switch attempt.report.authentication {
        case .notPerformed: members["authentication"] = .text("notPerformed")
        case .successful: members["authentication"] = .text("successful")
        case .waived: members["authentication"] = .text("waived")
        case .failed(_, let failure):
            members["authentication"] = .text("failed")
            members["authenticationFailure"] = .text(VectorRefusal(failure).name)
        }
        return members
    }

    /// What the recorded terminal told the card, and which records it read beside or without the card's list.
    private func value(_ activation: Trace.Activation) -> VectorValue {
        let read = activation.recordsRead(in: terminal.trace)
        let listed = activation.recordsListed(in: terminal.trace)
        func texts(_ objects: [TLV]) -> VectorValue {
            .list(objects.map { .text("\($0.tag) \($0.value.hex)") })
        }
        return .object([
            "exchange": .number(activation.index + 1),
            "application": .bytes(activation.dedicatedFileName),
            "processingOptions": texts(activation.processingOptions),
            "generateAC": texts(activation.generateAC),
            "unread": .list(listed.filter { !read.contains($0) }.map { .bytes($0) }),
            "beyond": .list(read.filter { !listed.contains($0) }.map { .bytes($0) }),
        ])
    }
}

extension Transaction {
    /// Reads what is paid.
    fileprivate init(_ json: consuming JSONObject) throws(ProfilesError) {
        var object = json
        let currency = Currency(bytes: try object.hex("currency", 2...2))
        let amount = try currency.flatMap { currency throws(ProfilesError) in
            Amount(numeric: try object.hex("amount", 6...6), currency: currency)
        }
        guard let amount else {
            throw ProfilesError(object.path(to: "amount"), "must be twelve digits, in a currency")
        }
        self.init(
            amount: amount,
            type: TransactionType(rawValue: try object.hex("type", 1...1)[0]),
            date: try object.date("date"),
            time: try object.hex("time", 3...3),
            sequenceCounter: 1
        )
        try object.finish()
    }
}

extension CAPublicKey {
    /// Reads an authority's key.
    fileprivate init(_ json: consuming JSONObject) throws(ProfilesError) {
        var object = json
        let (rid, index) = (
            try object.hex("rid", 5...5), try object.number("index", as: UInt8.self)
        )
        let modulus = try object.hex("modulus")
        let exponent = try object.hex("exponent")
        let checksum = try object.hex("checksum", 20...20)
        try object.finish()
        do throws(CertificateError) {
            try self.init(
                rid: rid,
                index: index,
                modulus: modulus,
                exponent: exponent,
                checksum: checksum
            )
        } catch {
            throw ProfilesError(object.path, "is no key: \(error)")
        }
    }
}

extension Exchange {
    /// Reads a command and its answer.
    fileprivate init(_ json: consuming JSONObject) throws(ProfilesError) {
        var object = json
        self.init(try object.hex("command"), try object.hex("response"))
        try object.finish()
    }
}

extension Trace.Activation {
    /// The READ RECORD commands up to the next pass, with any length.
    fileprivate func recordsRead(in trace: Trace) -> [[UInt8]] {
        trace.wholeExchanges.drop { $0.index <= index }
            .prefix { !$0.exchange.command.starts(with: [0x80, 0xA8]) }
            .filter { $0.exchange.command.starts(with: [0x00, 0xB2]) }
            .map { $0.exchange.command.prefix(4) + [0x00] }
    }

    /// The READ RECORD commands that the card's AFL asks for.
    fileprivate func recordsListed(in trace: Trace) -> [[UInt8]] {
        guard let exchange = trace.wholeExchanges.first(where: { $0.index == index })?.exchange,
            let bytes = try? exchange.result.get(),
            let objects = try? TLV.parse(Array(bytes.dropLast(2)))
        else { return [] }
        let template1 = TLV.first(.responseTemplate1, in: objects)?.value.dropFirst(2)
        guard
            let value = TLV.first(.applicationFileLocator, in: objects)?.value
                ?? template1.map(Array.init),
            let locator = try? ApplicationFileLocator(parsing: value)
        else { return [] }
        return locator.records.map { record in
            CommandAPDU(
                .readRecord,
                parameters: record.readRecordParameters,
                expectedLength: 256
            ).bytes
        }
    }
}
