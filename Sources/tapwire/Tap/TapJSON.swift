import BERTLV
import CommandLineKit
import EMVData
import Octets
import TerminalKernels
import Transport
import VirtualPOS

/// A tap as JSON, everything masked that shall be.
struct TapJSON {
    /// What became of the tap.
    var run: TapRun
    /// The masking, shared by everything printed.
    var redaction: Redaction

    /// The whole text's value.
    mutating func value() -> JSONValue {
        let report = run.report
        var decoder = ExchangeDecoder(
            currency: report.transaction.amount.currency,
            redaction: redaction
        )
        let exchanges = report.exchanges.map { decoder.decode($0) }
        redaction = decoder.redaction
        let kernel = report.attempt?.kernelIdentifier
        return [
            "result": .string(report.result.word),
            "exitCode": .integer(Int64(run.exitCode.rawValue)),
            "transaction": Self.transaction(report.transaction),
            "card": [
                "source": .string(run.cardName),
                "masked": .bool(redaction.extent == .cardholderData),
            ],
            "walletEvents": .array(run.walletEvents.map(JSONValue.string)),
            "outcome": outcome(report.outcome, kernel),
            "application": report.attempt.map(application) ?? nil,
            "attempts": .array(
                report.events.compactMap { event in
                    guard case .outcome(let outcome) = event else { return nil }
                    return .string(outcome.status.word)
                }
            ),
            "messages": .array(
                report.events.compactMap { event in
                    guard case .message(let request) = event else { return nil }
                    return Self.message(request)
                }
            ),
            "exchanges": .array(exchanges.map { JSONValue($0) }),
            "de55": report.request.map { request in
                JSONValue.string(redaction.mask(request.chipData).flatMap(\.encoded).hex)
            } ?? nil,
            "de55Objects": report.request.map { objects($0.chipData, kernel) } ?? nil,
            "issuer": report.response.map(Self.issuer) ?? nil,
            "receipt": report.receipt.map(Self.receipt) ?? nil,
            "timings": [
                "cardNanoseconds": .integer(report.elapsed.nanoseconds),
                "exchangeNanoseconds": .array(
                    report.exchanges.map { .integer(($0.elapsed ?? .zero).nanoseconds) }
                ),
                "radio": run.timeline?.json ?? nil,
            ],
        ]
    }

    private static func transaction(_ transaction: Transaction) -> JSONValue {
        [
            "amount": .string(transaction.amount.decimalText),
            "amountOther": transaction.amountOther.map { .string($0.decimalText) } ?? nil,
            "currency": .string(transaction.amount.currency.description),
            "type": .string([transaction.type.rawValue].hex),
            "date": .string(transaction.date.description),
            "time": .string(transaction.time.hex),
            "sequenceCounter": .integer(Int64(transaction.sequenceCounter)),
        ]
    }

    private mutating func outcome(_ outcome: Outcome, _ kernel: KernelIdentifier?) -> JSONValue {
        [
            "status": .string(outcome.status.word),
            "start": outcome.start.map { .string($0.word) } ?? nil,
            "onlineResponseData": outcome.onlineResponseData.map { .string($0.word) } ?? nil,
            "cvm": outcome.cvm.map { .string($0.word) } ?? nil,
            "uiRequestOnOutcome": outcome.uiRequestOnOutcome.map(Self.message) ?? nil,
            "uiRequestOnRestart": outcome.uiRequestOnRestart.map(Self.message) ?? nil,
            "dataRecord": outcome.dataRecord.map { objects($0, kernel) } ?? nil,
            "discretionaryData": outcome.discretionaryData.map { objects($0, kernel) } ?? nil,
            "alternateInterface": outcome.alternateInterface.map { .string($0.word) } ?? nil,
            "receipt": .bool(outcome.isReceiptNeeded),
            "fieldOffMilliseconds": outcome.fieldOffHoldTime.map { .integer(Int64($0) * 100) }
                ?? nil,
            "removalTimeoutMilliseconds": .integer(Int64(outcome.removalTimeout) * 100),
            "error": [
                "l1": .integer(Int64(outcome.error.l1?.rawValue ?? 0)),
                "l2": .integer(Int64(outcome.error.l2.rawValue)),
                "l3": .integer(Int64(outcome.error.l3.rawValue)),
                "statusWord": .string(outcome.error.statusWord.hex),
                "messageIdentifier": .string([outcome.error.message.rawValue].hex),
                "text": outcome.error.text.map(JSONValue.string) ?? nil,
            ],
            "parameterSet": .string(outcome.parameterSet.hex),
            "errorIndication": .string(outcome.error.bytes.hex),
        ]
    }

    private func application(_ attempt: Conclusion.Attempt) -> JSONValue {
        let data = attempt.report.dataObjects
        return [
            "aid": .string(attempt.applicationIdentifier.bytes.hex),
            "kernel": .string(attempt.kernelIdentifier.bytes.hex),
            "offlineDataAuthentication": .string(attempt.report.authentication.text),
            "terminalVerificationResults":
                data[.terminalVerificationResults].map { .string($0.hex) } ?? nil,
            "cvmResults": data[.cvmResults].map { .string($0.hex) } ?? nil,
        ]
    }

    private static func message(_ request: UserInterfaceRequest) -> JSONValue {
        [
            "identifier": .string([request.message.rawValue].hex),
            "text": .string(request.message.text),
            "status": .string(request.status.text),
            "holdMilliseconds": .integer(Int64(request.holdTime) * 100),
        ]
    }

    private mutating func objects(_ objects: [TLV], _ kernel: KernelIdentifier?) -> JSONValue {
        .array(redaction.mask(objects).map { JSONValue(DecodedObject($0, kernel: kernel)) })
    }

    private static func issuer(_ response: AuthorizationResponse) -> JSONValue {
        [
            "responseCode": .string(response.responseCode),
            "approved": .bool(response.isApproved),
            "reason": .string(response.reason),
            "issuerAuthenticationData":
                response.issuerAuthenticationData.map { .string($0.hex) } ?? nil,
            "deliveredToCard": false,
        ]
    }

    private static func receipt(_ receipt: Receipt) -> JSONValue {
        [
            "merchant": .string(receipt.merchant),
            "amount": .string(receipt.amount.decimalText),
            "amountOther": receipt.amountOther.map { .string($0.decimalText) } ?? nil,
            "currency": .string(receipt.amount.currency.description),
            "date": .string(receipt.date.description),
            "applicationLabel": .string(receipt.applicationLabel),
            "aid": .string(receipt.applicationIdentifier.hex),
            "pan": .string(receipt.maskedPAN),
            "atc": .string(receipt.transactionCounter.hex),
            "cryptogram": .string(receipt.cryptogram.hex),
            "cryptogramKind": .string(receipt.cryptogramKind.description),
            "tvr": .string(receipt.terminalVerificationResults.hex),
            "cvm": receipt.cvm.map { .string($0.word) } ?? nil,
            "responseCode": receipt.responseCode.map(JSONValue.string) ?? nil,
            "result": .string(receipt.result.word),
        ]
    }
}
