import BERTLV
import EMVCrypto
import EMVData
import ISO7816
import Octets

/// A transaction an M/Chip application has opened: its key, and what the terminal sent to open it.
struct MChipTransaction: ~Copyable, Sendable {
    let key: PaymentKey
    /// The PDOL values, which the signature covers too.
    let processingData: FixedBytes<252>
}

extension Card {
    /// Answers GET PROCESSING OPTIONS with where the records are, and spends the key of the cryptogram to come.
    mutating func open(
        _ index: Int,
        _ application: CardApplication,
        _ mastercard: MChipApplication,
        with terminalData: Span<UInt8>,
        into response: inout OutputSpan<UInt8>
    ) -> Answer {
        let interchange = ApplicationInterchangeProfile(rawValue: application.interchangeProfile)
        if interchange.supportsCDA, hasSigner(index), randomPool.count < 8 {
            return .refused(.conditionsNotSatisfied)
        }
        guard let key = keys[index].take() else { return .refused(.conditionsNotSatisfied) }
        let counter = key.transactionCounter
        var processingData = FixedBytes<252>()
        processingData.append(copying: terminalData)
        openTransaction = MChipTransaction(key: key, processingData: processingData)

        response.append(.responseTemplate2) { body in
            body.append(.applicationInterchangeProfile, application.interchangeProfile)
            body.append(.applicationFileLocator, mastercard.fileLocator.span)
        }
        state = .initiated(application: index)
        return .done(.processingOptions(application: index, transactionCounter: counter))
    }

    /// GENERATE AC (EMV Book 3, 6.5.5): once in a transaction, and only for M/Chip.
    mutating func generateCryptogram(
        _ command: borrowing CommandView,
        into response: inout OutputSpan<UInt8>
    ) -> Answer {
        guard case .initiated(let index) = state else { return .refused(.conditionsNotSatisfied) }
        let application = image.applications[index]
        guard case .mchip(let mastercard) = application.cryptography else {
            return .refused(.instructionNotSupported)
        }
        guard openTransaction != nil else { return .refused(.conditionsNotSatisfied) }

        let reference = UInt8(truncatingIfNeeded: command.parameters >> 8)
        let requested = CryptogramKind(rawValue: reference)
        guard command.parameters & 0x2FFF == 0, requested != .reserved else {
            return .refused(.incorrectParameters)
        }
        guard command.body.count == mastercard.riskDataCount else { return .refused(.wrongLength) }
        let values = TerminalValues(command.body, mastercard.terminalFields)
        guard values.isWellFormed else { return .refused(.incorrectData) }

        let decision = application.decide(
            requested,
            values,
            isAuthenticated: userAuthenticated
        )
        let isSigned = reference & 0x10 != 0 && decision.kind != .aac && hasSigner(index)
        if isSigned, randomPool.count < 8 { return .refused(.conditionsNotSatisfied) }
        guard let transaction = openTransaction.take() else {
            return .refused(.conditionsNotSatisfied)
        }
        var results = decision.verificationResults
        if isSigned {
            results.setCombinedDataAuthentication()
            hash.update(transaction.processingData.span)
            hash.update(values.bytes)
        }
        let counter = transaction.key.transactionCounter
        let cryptogram = cryptogram(
            application,
            mastercard,
            results,
            values.bytes,
            with: transaction.key
        )

        let verificationResults = results.rawValue
        let unpredictableNumber = values.unpredictableNumber
        var isComplete = true
        response.append(.responseTemplate2) { body in
            let start = body.count
            body.append(.cryptogramInformationData, decision.kind.rawValue)
            body.append(.applicationTransactionCounter, counter)
            if !isSigned { body.append(.applicationCryptogram, cryptogram) }
            body.append(.issuerApplicationData) { contents in
                contents.append(mastercard.derivationKeyIndex)
                contents.append(MChipApplication.cryptogramVersion)
                contents.append(verificationResults, byteCount: 6)
                // No data authentication code, and no counters are kept.
                contents.append(repeating: 0, count: 10)
            }
            if application.consumerDeviceCVM != .none {
                append(interaction(needsUser: decision.needsUser), to: &body)
            }
            guard isSigned else { return }
            hash.update(body.span.extracting(start..<body.count))
            isComplete = sign(index, decision.kind, cryptogram, unpredictableNumber, into: &body)
        }
        guard isComplete else { return .refused(.conditionsNotSatisfied) }
        return .done(
            .cryptogram(event(index, decision.kind, counter, values, needsUser: decision.needsUser))
        )
    }

    /// Computes the cryptogram: CDOL1 fields, AIP, ATC and CVR under the session key.
    private mutating func cryptogram(
        _ application: CardApplication,
        _ mastercard: MChipApplication,
        _ verificationResults: CardVerificationResults,
        _ terminalData: Span<UInt8>,
        with key: borrowing PaymentKey
    ) -> UInt64 {
        var input = FixedBytes<320>()
        Self.append(mastercard.cryptogramFields, of: terminalData, to: &input)
        input.append(bigEndian: application.interchangeProfile)
        input.append(bigEndian: key.transactionCounter)
        input.append(verificationResults.rawValue, byteCount: 6)
        mac.load(key.cryptogramKey)
        return mac.mac(of: input.span, padding: .marked)
    }

    /// What the device has to tell its user or the terminal (DF4B; EMV Book C-2, A.1.117).
    private func interaction(needsUser: Bool) -> POSCardholderInteractionInformation {
        var information = POSCardholderInteractionInformation(rawValue: 0)
        information.onDeviceCVMSuccessful = userAuthenticated
        information.onDeviceCVMRequired = needsUser
        return information
    }

    private func append(
        _ information: POSCardholderInteractionInformation,
        to body: inout OutputSpan<UInt8>
    ) {
        body.append(.posCardholderInteractionInformation) { contents in
            contents.append(UInt64(information.rawValue), byteCount: 3)
        }
    }

    /// Appends Signed Dynamic Application Data (9F4B) over the cryptogram (CDA; EMV Book 2, 6.6.1).
    ///
    /// `hash` has everything exchanged so far. False when libcrypto fails.
    private mutating func sign(
        _ index: Int,
        _ kind: CryptogramKind,
        _ cryptogram: UInt64,
        _ unpredictableNumber: Span<UInt8>,
        into body: inout OutputSpan<UInt8>
    ) -> Bool {
        let transactionDataHash = hash.finish()
        var dynamicData = FixedBytes<38>()
        dynamicData.append(8)
        dynamicData.append(randomPool.take(8), byteCount: 8)
        dynamicData.append(kind.rawValue)
        dynamicData.append(cryptogram, byteCount: 8)
        dynamicData.append(copying: transactionDataHash.span)

        var isDone = false
        body.append(.signedDynamicApplicationData) { contents in
            isDone =
                signers[index]?.sign(
                    dynamicData.span,
                    terminalData: unpredictableNumber,
                    into: &contents
                ) ?? false
        }
        return isDone
    }
}
