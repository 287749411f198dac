import BERTLV
import EMVData

extension Kernel2.Context {
    /// Concludes from a cryptogram that was read (S910.70 to S910.81).
    mutating func conclude(
        _ body: [UInt8],
        _ request: Kernel2.CryptogramRequest,
        _ environment: some KernelEnvironment
    ) -> Outcome {
        if database.cardValue(.signedDynamicApplicationData) != nil {
            verifyCombinedAuthentication(body, request, environment)
            if case .failed = authentication { return authenticationFailed }
        }
        if let information = cardholderInteraction, information.needsSecondTap {
            return secondTap(information)
        }
        switch (try? cryptogramKind()) ?? .aac {
        case .tc: return approved
        case .arqc: return onlineRequest
        default: return refused
        }
    }

    // MARK: Outcomes of a cryptogram

    private var approved: Outcome {
        var outcome = outcome(.approved)
        let message: UserInterfaceRequest.Message =
            cvm == .obtainSignature ? .approvedPleaseSign : .approved
        outcome.uiRequestOnOutcome = self.message(message, .notReady, holds: true)
        return outcome
    }

    private var onlineRequest: Outcome {
        var outcome = outcome(.onlineRequest)
        let message: UserInterfaceRequest.Message = cvm == .onlinePIN ? .enterPIN : .authorising
        outcome.uiRequestOnOutcome = self.message(message, .notReady)
        return outcome
    }

    /// The card declines: another interface may still do for a plastic card (S910.74).
    private var refused: Outcome {
        let types: [TransactionType] = [.purchase, .cash, .cashback, .manualCash, .refund]
        guard types.contains(activation.transaction.type) else {
            return outcome(.endApplication)
        }
        guard capabilities.supportsContactChip, !isMobileDevice else {
            var outcome = outcome(.declined)
            outcome.uiRequestOnOutcome = message(.notAuthorised, .notReady, holds: true)
            return outcome
        }
        var outcome = outcome(.tryAnotherInterface)
        outcome.alternateInterface = .contactChip
        outcome.uiRequestOnOutcome = message(.insertCard, .notReady, holds: true)
        return outcome
    }

    /// The cardholder has to do something on the device and to tap again (S910.72 and S910.73).
    private func secondTap(_ information: POSCardholderInteractionInformation) -> Outcome {
        var outcome = outcome(.tryAgain)
        outcome.start = .b
        if let (message, status) = configuration.phoneMessage(for: information) {
            outcome.uiRequestOnOutcome = self.message(message, status, holds: true)
        }
        outcome.uiRequestOnRestart = message(.presentAgain, .readyToRead)
        outcome.fieldOffHoldTime = configuration.fieldOffHoldTime
        return outcome
    }

    /// The signature does not verify (S910.7).
    private var authenticationFailed: Outcome {
        let error = ErrorIndication(l2: .camFailed, concerning: .signedDynamicApplicationData)
        switch activation.combination.kernel2.failedAuthentication {
        case .endApplication: return endApplication(error)
        case .declined:
            var outcome = outcome(.declined)
            outcome.uiRequestOnOutcome = message(.notAuthorised, .notReady, holds: true)
            set(error, message: .notAuthorised, in: &outcome)
            return outcome
        }
    }

    /// POS Cardholder Interaction Information (DF4B); nil when the card has nothing to tell.
    private var cardholderInteraction: POSCardholderInteractionInformation? {
        database.cardValue(.posCardholderInteractionInformation)
            .flatMap(POSCardholderInteractionInformation.init(bytes:))
    }

    /// Whether the card is a phone or another device that has no contacts.
    ///
    /// The device type is the fifth and sixth byte of Third Party Data (9F6E), there when bit 8 of the unique
    /// identifier is clear; "00" is a card.
    private var isMobileDevice: Bool {
        if profile.isMobilePhone { return true }
        guard let data = database.cardValue(.thirdPartyData), data.count >= 6, data[2] & 0x80 == 0
        else { return false }
        return data[4..<6] != [0x30, 0x30]
    }

    // MARK: Outcomes of errors

    /// The terminal stopped the transaction.
    var stopped: Outcome {
        var outcome = Outcome(.endApplication)
        set(ErrorIndication(l3: .stop), message: .none, in: &outcome)
        return outcome
    }

    /// The application cannot be used; another one of the card may.
    func selectNext(_ error: ErrorIndication) -> Outcome {
        var outcome = Outcome(.selectNext)
        outcome.start = .c
        set(error, message: .none, in: &outcome)
        return outcome
    }

    /// The transaction cannot go on with this card.
    func endApplication(_ error: ErrorIndication) -> Outcome {
        var outcome = Outcome(.endApplication)
        outcome.fieldOffHoldTime = fieldOffHoldTime
        outcome.uiRequestOnOutcome = message(.tryAnotherCard, .notReady, holds: true)
        set(error, message: .tryAnotherCard, in: &outcome)
        return outcome
    }

    /// The card could not be reached.
    func tryAgain(after error: L1Error) -> Outcome {
        var outcome = Outcome(.tryAgain)
        outcome.start = .b
        outcome.uiRequestOnOutcome = message(.presentAgain, .processingError, holds: true)
        outcome.uiRequestOnRestart = message(.presentAgain, .readyToRead)
        set(ErrorIndication(l1: error), message: .presentAgain, in: &outcome)
        return outcome
    }

    // MARK: Parts

    /// A message in the card's language.
    func message(
        _ message: UserInterfaceRequest.Message,
        _ status: UserInterfaceRequest.Status,
        holds: Bool = false
    ) -> UserInterfaceRequest {
        UserInterfaceRequest(
            message,
            status,
            holdTime: holds ? configuration.messageHoldTime : 0,
            languagePreference: languagePreference
        )
    }

    /// An outcome that comes with data for the acquirer.
    private func outcome(_ status: Outcome.Status) -> Outcome {
        var outcome = Outcome(status)
        outcome.cvm = cvm
        outcome.isReceiptNeeded = isReceiptNeeded
        outcome.fieldOffHoldTime = fieldOffHoldTime
        outcome.dataRecord = database.record(Self.dataRecord)
        set(ErrorIndication(), message: .none, in: &outcome)
        return outcome
    }

    /// Puts an error and the discretionary data, which hold it, into an outcome.
    private func set(
        _ error: ErrorIndication,
        message: UserInterfaceRequest.Message,
        in outcome: inout Outcome
    ) {
        outcome.error = error
        outcome.error.message = message
        outcome.discretionaryData =
            database.record(Self.discretionaryData) + [TLV(.errorIndication, outcome.error.bytes)]
    }

    /// What goes to the acquirer in EMV mode (EMV Book C-2, Table 4.7).
    private static let dataRecord: [Tag] = [
        .amountAuthorised, .amountOther, .applicationCryptogram, .applicationExpirationDate,
        .applicationInterchangeProfile, .applicationLabel, .applicationPAN, .panSequenceNumber,
        .applicationPreferredName, .applicationTransactionCounter, .applicationUsageControl,
        .terminalApplicationVersionNumber, .cryptogramInformationData, .cvmResults,
        .dedicatedFileName, .interfaceDeviceSerialNumber, .issuerApplicationData,
        .issuerCodeTableIndex, .paymentAccountReference, .terminalCapabilities,
        .terminalCountryCode, .terminalType, .terminalVerificationResults, .track2EquivalentData,
        .transactionCategoryCode, .transactionCurrencyCode, .transactionDate, .transactionType,
        .unpredictableNumber,
    ]

    /// What the merchant may want to know in EMV mode (EMV Book C-2, Table 4.9).
    private static let discretionaryData: [Tag] = [
        .applicationCapabilitiesInformation, .applicationCurrencyCode, .thirdPartyData,
    ]
}
