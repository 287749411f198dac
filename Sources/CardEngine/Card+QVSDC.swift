import BERTLV
import EMVCrypto
import EMVData
import ISO7816
import Octets

extension Card {
    /// Answers GET PROCESSING OPTIONS with a Visa cryptogram (EMV Book C-3, 2.4).
    mutating func pay(
        _ index: Int,
        _ application: CardApplication,
        _ visa: QVSDCApplication,
        with terminalData: Span<UInt8>,
        into response: inout OutputSpan<UInt8>
    ) -> Answer {
        let values = TerminalValues(terminalData, visa.terminalFields)
        guard values.isWellFormed else { return .refused(.incorrectData) }
        let decision = application.decide(
            visa,
            values,
            isAuthenticated: userAuthenticated,
            canSign: hasSigner(index) && !visa.fileLocator.isEmpty,
            amountLimit: amountLimitMinorUnits
        )
        let kind: CryptogramKind
        let qualifiers: CardTransactionQualifiers
        let isSigned: Bool
        switch decision {
        case .refuse(let status): return .refused(status)
        case .answer(let decided, let asked, let signed):
            (kind, qualifiers, isSigned) = (decided, asked, signed)
        }
        if isSigned, randomPool.count < 4 { return .refused(.conditionsNotSatisfied) }
        guard let key = keys[index].take() else { return .refused(.conditionsNotSatisfied) }

        let counter = key.transactionCounter
        let issuerData = visa.issuerApplicationData(kind)
        let cryptogram = cryptogram(application, visa, issuerData, terminalData, with: key)
        authenticationData = isSigned ? 0x01 << 48 | randomPool.take(4) << 16 : 0
        if isSigned { authenticationData |= UInt64(qualifiers.rawValue) }

        var isComplete = true
        response.append(.responseTemplate2) { body in
            body.append(.applicationInterchangeProfile, application.interchangeProfile)
            if isSigned { body.append(.applicationFileLocator, visa.fileLocator.span) }
            body.append(copying: visa.responseObjects.span)
            body.append(.issuerApplicationData, issuerData.span)
            body.append(.applicationCryptogram, cryptogram)
            body.append(.cryptogramInformationData, kind.rawValue)
            body.append(.applicationTransactionCounter, counter)
            body.append(.cardTransactionQualifiers, qualifiers.rawValue)
            if isSigned { isComplete = sign(index, counter, values, into: &body) }
        }
        guard isComplete else { return .refused(.conditionsNotSatisfied) }
        state = .initiated(application: index)
        return .done(.cryptogram(event(index, kind, counter, values)))
    }

    /// Whether an application has a private key.
    func hasSigner(_ index: Int) -> Bool {
        switch signers[index] {
        case .some: true
        case .none: false
        }
    }

    /// Computes the cryptogram over what the terminal sent and what the card adds, and uses up `key`.
    private mutating func cryptogram(
        _ application: CardApplication,
        _ visa: QVSDCApplication,
        _ issuerData: [7 of UInt8],
        _ terminalData: Span<UInt8>,
        with key: consuming PaymentKey
    ) -> UInt64 {
        var input = FixedBytes<320>()
        Self.append(visa.cryptogramFields, of: terminalData, to: &input)
        mac.load(key.cryptogramKey)
        switch visa.cryptogramVersion {
        case .cvn10:
            input.append(bigEndian: application.interchangeProfile)
            input.append(bigEndian: key.transactionCounter)
            input.append(copying: issuerData.span.extracting(3..<7))
            return mac.mac(of: input.span, padding: .zeros)
        case .cvn17:
            input.append(bigEndian: key.transactionCounter)
            input.append(issuerData[4])
            return mac.mac(of: input.span, padding: .zeros)
        case .cvn18:
            input.append(bigEndian: application.interchangeProfile)
            input.append(bigEndian: key.transactionCounter)
            input.append(copying: issuerData.span)
            return mac.mac(of: input.span, padding: .marked)
        }
    }

    /// Appends Signed Dynamic Application Data (9F4B) of fast DDA, version 01 (EMV Book C-3, Annex C).
    ///
    /// The ICC dynamic number is the transaction counter. False when libcrypto fails.
    private mutating func sign(
        _ index: Int,
        _ counter: UInt16,
        _ values: borrowing TerminalValues,
        into body: inout OutputSpan<UInt8>
    ) -> Bool {
        var dynamicData = FixedBytes<3>()
        dynamicData.append(2)
        dynamicData.append(bigEndian: counter)

        var terminalData = FixedBytes<32>()
        terminalData.append(copying: values.unpredictableNumber)
        terminalData.append(copying: values.amountBytes)
        terminalData.append(copying: values.currencyBytes)
        terminalData.append(authenticationData, byteCount: 7)

        var isDone = false
        body.append(.signedDynamicApplicationData) { contents in
            isDone =
                signers[index]?.sign(
                    dynamicData.span,
                    terminalData: terminalData.span,
                    format: .fastDynamicData,
                    into: &contents
                ) ?? false
        }
        return isDone
    }

    /// What to tell about a cryptogram.
    func event(
        _ index: Int,
        _ kind: CryptogramKind,
        _ counter: UInt16,
        _ values: borrowing TerminalValues,
        needsUser: Bool = false
    ) -> CryptogramEvent {
        CryptogramEvent(
            application: index,
            kind: kind,
            transactionCounter: counter,
            needsUserAuthentication: needsUser,
            amountMinorUnits: values.amountMinorUnits,
            currency: values.currency,
            date: values.date,
            transactionType: values.transactionType
        )
    }
}

extension QVSDCApplication {
    /// Issuer Application Data (9F10), format 0: 06, key index, CVN, 03, three bytes of CVR.
    ///
    /// CVR byte 2: no second cryptogram was asked for (80), and in bits 6 and 5 the kind of this one.
    func issuerApplicationData(_ kind: CryptogramKind) -> [7 of UInt8] {
        [
            0x06, derivationKeyIndex, cryptogramVersion.rawValue,
            0x03, 0x80 | kind.rawValue >> 2, 0x00, 0x00,
        ]
    }
}
