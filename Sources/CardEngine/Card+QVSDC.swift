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
        let issuerData = visa.issuerApplicationData(kind, key.derivationData, qualifiers)
        let issuerDataCount = visa.issuerDataCount
        let cryptogram = cryptogram(
            application,
            visa,
            issuerData.span.extracting(first: issuerDataCount),
            terminalData,
            with: key
        )
        authenticationData = isSigned ? 0x01 << 48 | randomPool.take(4) << 16 : 0
        if isSigned { authenticationData |= UInt64(qualifiers.rawValue) }

        var isComplete = true
        response.append(.responseTemplate2) { body in
            body.append(.applicationInterchangeProfile, application.interchangeProfile)
            if isSigned { body.append(.applicationFileLocator, visa.fileLocator.span) }
            body.append(copying: visa.responseObjects.span)
            body.append(
                .issuerApplicationData,
                issuerData.span.extracting(first: issuerDataCount)
            )
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
        _ issuerData: Span<UInt8>,
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
            input.append(copying: issuerData.extracting(3..<7))
            return mac.mac(of: input.span, padding: .zeros)
        case .cvn17:
            input.append(bigEndian: key.transactionCounter)
            input.append(issuerData[4])
            return mac.mac(of: input.span, padding: .zeros)
        case .cvn18, .cvn43:
            input.append(bigEndian: application.interchangeProfile)
            input.append(bigEndian: key.transactionCounter)
            input.append(copying: issuerData)
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
    /// Issuer Application Data (9F10): 06, key index, CVN, 03, three bytes of CVR (format 0), or 1F, CVN, key index, five
    /// bytes of CVR, wallet (4), what the key was derived for (4), and issuer data of format 0 (format 4).
    ///
    /// CVR byte 2: no second cryptogram was asked for (80), in bits 6 and 5 the kind of this one, and in format 4
    /// whether the device verified its user (04).
    func issuerApplicationData(
        _ kind: CryptogramKind,
        _ derivationData: UInt32,
        _ qualifiers: CardTransactionQualifiers
    ) -> [32 of UInt8] {
        var bytes = [32 of UInt8](repeating: 0)
        let decision = 0x80 | kind.rawValue >> 2
        if cryptogramVersion == .cvn43 {
            bytes[0] = 0x1F
            bytes[1] = cryptogramVersion.rawValue
            bytes[2] = derivationKeyIndex
            bytes[4] = decision | (qualifiers.consumerDeviceCVMPerformed ? 0x04 : 0)
            for index in 0..<4 {
                bytes[12 + index] = UInt8(
                    truncatingIfNeeded: derivationData >> UInt32(24 - 8 * index)
                )
            }
        } else {
            bytes[0] = 0x06
            bytes[1] = derivationKeyIndex
            bytes[2] = cryptogramVersion.rawValue
            bytes[3] = 0x03
            bytes[4] = decision
        }
        return bytes
    }

    /// How many bytes of Issuer Application Data there are; zeros follow.
    var issuerDataCount: Int { cryptogramVersion == .cvn43 ? 32 : 7 }
}
