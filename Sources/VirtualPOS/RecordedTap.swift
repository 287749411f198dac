import BERTLV
import EMVData
import ISO7816
public import Profiles
public import TerminalKernels
import Traces
public import Transport

/// A recorded card, tapped again on a terminal that may ask otherwise than the recorded one did.
public struct RecordedTap: Sendable {
    /// What became of the tap.
    public var report: TapReport
    /// The card, with what was asked otherwise.
    public var card: LenientCard
}

extension RecordedTerminal {
    /// Taps the recorded card on the recorded terminal as our kernels are.
    ///
    /// Nothing is left to chance: where the recording tells no Unpredictable Number, it is zero.
    /// - Parameters:
    ///   - configuration: The terminal where the recording does not tell what it was.
    ///   - payment: The payment where the recording does not tell it.
    ///   - directory: The applications of a directory for a card that was not asked for one.
    ///   - standIns: Answers to other commands that the recording has not.
    /// - Returns: What became of it, and what was asked otherwise.
    /// - Throws: `ProfilesError` for a terminal that cannot be; `TransportError` for a recorded failure of a
    ///   reader.
    public func tap(
        on configuration: TerminalConfiguration,
        _ payment: Transaction,
        directory: [[UInt8]] = [],
        standIns: [Exchange] = []
    ) throws -> RecordedTap {
        let transaction = transaction(payment)
        var environment = POSEnvironment(
            caKeys: configuration.caKeys,
            unpredictableNumbers: unpredictableNumbers,
            generator: NoChance()
        )
        environment.waivesOfflineDataAuthentication = hasLostCertificates
        let directories = directory.isEmpty ? [] : [Self.directory(of: directory)]
        var card = LenientCard(trace.exchanges, standIns: directories + standIns)
        let report = try POSTerminal(self.configuration(configuration, for: transaction)).tap(
            transaction,
            over: &card,
            host: nil,
            environment: &environment,
            surroundings: POSTerminal.Surroundings(
                clock: .continuous,
                presentCard: { [self] in isPresented($0) }
            )
        )
        return RecordedTap(report: report, card: card)
    }

    /// The answer of a directory that names applications in the order of their priority.
    private static func directory(of applications: [[UInt8]]) -> Exchange {
        let entries = applications.enumerated().map { index, name in
            TLV(
                .applicationTemplate,
                [
                    TLV(.applicationIdentifier, name),
                    TLV(.applicationPriority, [UInt8(truncatingIfNeeded: index + 1)]),
                ]
            )
        }
        let proprietary = TLV(
            .fileControlInformationProprietary,
            [TLV(.issuerDiscretionaryData, entries)]
        )
        let information = TLV(
            .fileControlInformation,
            [TLV(.dedicatedFileName, Array("2PAY.SYS.DDF01".utf8)), proprietary]
        )
        return Exchange(
            selectDirectory,
            ResponseAPDU(body: information.encoded, status: .success).bytes
        )
    }
}

/// Random numbers without chance.
private struct NoChance: RandomNumberGenerator {
    mutating func next() -> UInt64 { 0 }
}
