import BERTLV
import EMVData
import ISO7816

extension Kernel3.Context {
    // MARK: Decisions

    /// Approved offline (5.8).
    func approved(_ cvm: Outcome.CVM?) -> Outcome {
        var outcome = outcome(.approved, cvm)
        let message: UserInterfaceRequest.Message =
            cvm == .obtainSignature ? .approvedPleaseSign : .approved
        show(message, .cardReadSuccessfully, in: &outcome)
        return outcome
    }

    /// The issuer shall decide, and may update the card where both sides can (5.8.1.2).
    func onlineRequest(_ cvm: Outcome.CVM?, _ card: CardTransactionQualifiers?) -> Outcome {
        var outcome = outcome(.onlineRequest, cvm)
        show(
            cvm == .onlinePIN ? .enterPIN : .authorising,
            .cardReadSuccessfully,
            in: &outcome
        )
        if qualifiers.supportsIssuerUpdate, card?.supportsIssuerUpdate == true {
            outcome.start = .b
            outcome.onlineResponseData = .emvData
            outcome.uiRequestOnRestart = UserInterfaceRequest(.presentAgain, .readyToRead)
            outcome.fieldOffHoldTime = 0
        }
        return outcome
    }

    /// Declined offline.
    var declined: Outcome {
        var outcome = Outcome(.declined)
        if case .failed = authentication {
            outcome.error = ErrorIndication(l2: .camFailed, message: .notAuthorised)
        }
        outcome.cvm = .noCVM
        show(.notAuthorised, .cardReadSuccessfully, in: &outcome)
        return outcome
    }

    /// The contact chip shall be used.
    func insertCard(_ error: ErrorIndication) -> Outcome {
        var outcome = Outcome(.tryAnotherInterface)
        outcome.alternateInterface = .contactChip
        outcome.uiRequestOnOutcome = UserInterfaceRequest(.insertCard, .processingError)
        outcome.error = error
        outcome.error.message = .insertCard
        return outcome
    }

    /// Any other interface shall be used.
    var insertOrSwipe: Outcome {
        var outcome = Outcome(.tryAnotherInterface)
        outcome.uiRequestOnOutcome = UserInterfaceRequest(.insertOrSwipe, .processingError)
        outcome.error.message = .insertOrSwipe
        return outcome
    }

    // MARK: Errors

    /// What a status word other than 9000 to GET PROCESSING OPTIONS leads to (5.2.2.2).
    func outcome(of status: StatusWord) -> Outcome {
        let error = ErrorIndication(l2: .statusBytes, statusWord: status.rawValue)
        switch status {
        case .referenceDataNotUsable: return insertCard(error)
        case .conditionsNotSatisfied: return selectNext(error)
        case .commandNotAllowed where options.conditionsNotMet == .tryAgain: return seePhone(error)
        case .commandNotAllowed: return endApplication(error)
        default:
            return options.unknownStatusWord == .selectNext
                ? selectNext(error) : endApplication(error)
        }
    }

    private func selectNext(_ error: ErrorIndication) -> Outcome {
        var outcome = Outcome(.selectNext)
        outcome.start = .c
        outcome.error = error
        return outcome
    }

    /// The cardholder has to do something on the device first.
    private func seePhone(_ error: ErrorIndication) -> Outcome {
        var outcome = Outcome(.tryAgain)
        outcome.start = .b
        outcome.uiRequestOnOutcome = UserInterfaceRequest(
            .seePhone,
            .processingError,
            holdTime: Self.holdTime
        )
        outcome.uiRequestOnRestart = UserInterfaceRequest(.presentAgain, .readyToRead)
        outcome.fieldOffHoldTime = UInt8(Self.holdTime)
        outcome.error = error
        outcome.error.message = .seePhone
        return outcome
    }

    /// The transaction cannot go on with this card.
    func endApplication(_ error: ErrorIndication) -> Outcome {
        var outcome = Outcome(.endApplication)
        outcome.uiRequestOnOutcome = UserInterfaceRequest(.tryAnotherCard, .processingError)
        outcome.error = error
        outcome.error.message = .tryAnotherCard
        return outcome
    }

    /// The card could not be reached.
    func tryAgain(after error: L1Error) -> Outcome {
        var outcome = Outcome(.tryAgain)
        outcome.start = .b
        outcome.uiRequestOnOutcome = UserInterfaceRequest(
            .presentAgain,
            .processingError,
            holdTime: Self.holdTime
        )
        outcome.uiRequestOnRestart = UserInterfaceRequest(.presentAgain, .readyToRead)
        outcome.error = ErrorIndication(l1: error, message: .presentAgain)
        return outcome
    }

    /// The terminal stopped the transaction.
    var stopped: Outcome {
        var outcome = Outcome(.endApplication)
        outcome.error = ErrorIndication(l3: .stop)
        return outcome
    }

    // MARK: Parts

    /// How long "see phone" and "present card again" stay, in units of 100 ms.
    private static let holdTime: UInt32 = 13

    private func outcome(_ status: Outcome.Status, _ cvm: Outcome.CVM?) -> Outcome {
        var outcome = Outcome(status)
        outcome.cvm = cvm
        outcome.dataRecord = dataRecord
        if case .failed = authentication {
            outcome.error = ErrorIndication(l2: .camFailed)
        }
        return outcome
    }

    /// Shows a message, with what is left on the card where it told (4.3.1.1).
    private func show(
        _ message: UserInterfaceRequest.Message,
        _ status: UserInterfaceRequest.Status,
        in outcome: inout Outcome
    ) {
        var request = UserInterfaceRequest(message, status)
        if let value = database.cardValue(.availableOfflineSpendingAmount),
            let balance = Amount(numeric: value, currency: transaction.amount.currency)
        {
            request.value = .balance(balance)
            outcome.discretionaryData = [TLV(.availableOfflineSpendingAmount, value)]
        }
        outcome.uiRequestOnOutcome = request
    }

    /// What goes to the acquirer.
    private var dataRecord: [TLV] {
        var tags: [Tag] = [.amountAuthorised]
        if transaction.type == .cashback { tags.append(.amountOther) }
        tags += [
            .applicationCryptogram, .applicationInterchangeProfile,
            .applicationTransactionCounter, .panSequenceNumber, .customerExclusiveData,
            .issuerApplicationData, .posEntryMode, .terminalCountryCode, .terminalCapabilities,
            .track2EquivalentData, .transactionCurrencyCode, .transactionDate, .transactionType,
            .unpredictableNumber, .terminalVerificationResults, .formFactorIndicator,
            .cryptogramInformationData, .dedicatedFileName, .paymentAccountReference,
        ]
        return database.record(tags)
    }
}
