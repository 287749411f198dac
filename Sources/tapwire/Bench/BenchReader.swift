import CommandLineKit
import Emulation
import Foundation
import ISO7816
import PCSC
import Profiles
import Synchronization
import Transport

/// Cards that are measured through a reader.
enum BenchReader {
    /// Enough for any number of payments.
    private static let availableMinorUnits: UInt64 = 1_000_000_000_000

    // MARK: Our own card, through vpcd

    /// Puts our card into a virtual reader and reads it there, each command in turn with one that answers 6A82.
    static func measureOwnCard(_ arguments: Arguments) throws -> BenchReport {
        let address = try VPCDAddress(arguments)
        let plan = try BenchPlan(arguments)
        let air = try AirOptions(arguments)
        let terminal = try TerminalOptions(arguments)
        let options = try PaymentOptions(arguments)
        var report = BenchReport(way: "through pcscd and \(address)", arguments)
        var progress = ProgressBar()
        for card in try BenchCommand.cards(arguments) {
            let party = try BenchParty(card, terminal, options)
            let shown = AlternatingCard(party.field)
            let waker = PCSCWaker(isLocal: address.isLocal)
            let field = VPCDField(
                host: address.host,
                port: address.port,
                answerToReset: AnswerToReset(
                    contactlessHistoricalBytes: card.profile.historicalBytes
                ),
                prepare: { waker.wake() }
            )
            field.present(shown)
            field.start()
            defer { field.stop() }
            let pressure = ProcessorPressure()
            let reader = try awaitCard(shown, field, address, arguments)
            var run = ReaderRun(party, reader, shown, plan)
            let meter = try run.run { done in
                progress.show(done, card.profile.name)
            }
            report.add(card.profile.name, meter, air, pressure)
        }
        progress.clear()
        return report
    }

    /// Opens the reader once our card is in it, and nobody else's.
    private static func awaitCard(
        _ shown: AlternatingCard,
        _ field: VPCDField,
        _ address: VPCDAddress,
        _ arguments: Arguments
    ) throws -> PCSCReader {
        let end = ContinuousClock.now + .seconds(10)
        let link = LinkWatch(field)
        while true {
            do {
                guard link.isConnected else {
                    throw CommandFailure(
                        .unavailable,
                        "\(link.reason ?? "\(address) is not there"); \(PCSCSupport.vpcdHint)"
                    )
                }
                var reader = try ReaderOptions.open(arguments) { ContinuousClock.now > end }
                let isOurs: Bool
                do throws(TransportError) {
                    try reader.fieldOn()
                    isOurs = try reader.holds(shown)
                } catch {
                    throw CommandFailure(
                        .unavailable,
                        "the card does not appear in \(reader.name); \(PCSCSupport.vpcdHint)"
                    )
                }
                guard isOurs else {
                    throw CommandFailure(
                        .unavailable,
                        "the card in \(reader.name) is not the one for \(address); take it away, or choose its reader with --reader"
                    )
                }
                return reader
            } catch {
                // pcscd looks for cards several times a second, and nothing tells when it has found one.
                Thread.sleep(forTimeInterval: 0.1)
                if ContinuousClock.now > end { throw error }
            }
        }
    }

    /// Whether a card has its virtual reader.
    private final class LinkWatch: Sendable {
        private let state = Mutex<(isConnected: Bool, reason: String?)>((false, nil))

        var isConnected: Bool { state.withLock { $0.isConnected } }
        /// Why there is no link, as it was told last.
        var reason: String? { state.withLock { $0.reason } }

        init(_ field: VPCDField) {
            let events = field.events
            Task { [weak self] in
                for await event in events { self?.note(event) }
            }
        }

        private func note(_ event: LinkEvent) {
            state.withLock { state in
                switch event {
                case .connected: state = (true, nil)
                case .disconnected(let reason), .refused(let reason): state = (false, reason)
                case .unasked, .protocolFault: break
                }
            }
        }
    }

    // MARK: Somebody's card

    /// Measures the card in a reader, and spends nothing of it unless that is allowed.
    static func measureForeignCard(_ arguments: Arguments) throws -> BenchReport {
        let plan = try BenchPlan(arguments)
        let air = try AirOptions(arguments)
        let options = try PaymentOptions(arguments)
        let terminal = try TerminalOptions(arguments)
        let cards = try Scheme.allCases.map { try CardPersonalization(.builtIn($0)) }
        let bank = try TestBank(cards, availableMinorUnits: availableMinorUnits)
        let payment =
            arguments.has("spend-atc")
            ? ForeignPayment(
                terminal: try terminal.pointOfSale(),
                bank: bank,
                options: options,
                environment: terminal.environment(options)
            ) : nil
        let reader = try ReaderOptions.open(arguments)
        let name = "the card in \(reader.name.escapingControls)"
        var report = BenchReport(way: BenchReport.way(reader: reader.name), arguments)
        var progress = ProgressBar()
        let pressure = ProcessorPressure()
        var run = ForeignRun(reader, payment, plan)
        do {
            let meter = try run.run { done in
                progress.show(done, name)
            }
            progress.clear()
            report.add(name, meter, air, pressure)
        } catch let error as TransportError {
            throw CommandFailure(error)
        }
        return report
    }
}
