import BERTLV
import EMVCrypto
import EMVData
import Octets
import Testing

/// A handmade M/Chip card that signs its cryptograms, with everything in it that tests change.
struct MastercardCard {
    static let aid = "A0000000041010"

    var pan = "5413330089600010"
    var expiration = "301231"
    /// Application Interchange Profile: cardholder verification, CDA, EMV mode.
    var profile = "1180"
    /// The PDOL; nil for none, as most M/Chip cards have it.
    var pdol: String?
    /// Online PIN if supported, else signature, else none.
    var cvmList = "000000000000000042031E031F03"
    /// More objects of the file control information.
    var selectionObjects: [(BERTLV.Tag, String)] = []
    /// More objects of the signed record, or other values for some; an empty value leaves one out.
    var recordObjects: [(BERTLV.Tag, String)] = []
    /// More objects in the answer to GENERATE AC.
    var cryptogramObjects: [(BERTLV.Tag, String)] = []
    /// What the card gives for what is asked.
    var decide: @Sendable (CryptogramKind) -> CryptogramKind = { $0 }
    /// Whether the card signs when it is asked to.
    var signs = true
    /// Changes the answer to GENERATE AC after it was signed.
    var tamper: @Sendable ([TLV]) -> [TLV] = { $0 }

    static let cdol = DataObjectList(entries: [
        DataObjectList.Entry(.amountAuthorised, 6), DataObjectList.Entry(.amountOther, 6),
        DataObjectList.Entry(.terminalCountryCode, 2),
        DataObjectList.Entry(.terminalVerificationResults, 5),
        DataObjectList.Entry(.transactionCurrencyCode, 2),
        DataObjectList.Entry(.transactionDate, 3), DataObjectList.Entry(.transactionType, 1),
        DataObjectList.Entry(.unpredictableNumber, 4), DataObjectList.Entry(.terminalType, 1),
        DataObjectList.Entry(.cvmResults, 3),
    ])

    /// Application Cryptogram, any number: nobody here has the issuer's keys.
    static let cryptogram: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    static let iccDynamicNumber: [UInt8] = [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]
    static let issuerApplicationData = "0110A00003220000000000000000000000FF"

    /// The objects of the signed record.
    private func signedRecord() throws -> TLV {
        var objects: [(BERTLV.Tag, String)] = [
            (.track2EquivalentData, pan + "D" + expiration.prefix(4) + "2010000000000"),
            (.applicationPAN, pan), (.applicationExpirationDate, expiration),
            (.applicationEffectiveDate, "200101"), (.issuerCountryCode, "0056"),
            (.panSequenceNumber, "01"), (.cardRiskManagementList1, Self.cdol.bytes.hex),
            (.cvmList, cvmList), (.applicationUsageControl, "FFC0"),
            (.applicationVersionNumber, "0002"), (.issuerActionCodeDefault, "FC50808800"),
            (.issuerActionCodeDenial, "0000000000"), (.issuerActionCodeOnline, "FC50808800"),
            (.applicationCurrencyCode, "0978"), (.staticDataAuthenticationTagList, "82"),
        ]
        for (tag, value) in recordObjects {
            if let index = objects.firstIndex(where: { $0.0 == tag }) {
                objects[index].1 = value
            } else {
                objects.append((tag, value))
            }
        }
        return TLV(
            .recordTemplate,
            try objects.filter { !$0.1.isEmpty }.map { try TLV($0.0, hex: $0.1) }
        )
    }

    /// Makes the card.
    func card() throws -> HandmadeCard {
        let record = try signedRecord()
        let profileBytes = try [UInt8](hex: profile)
        let digits = try #require(PackedDigits.digits(of: pan))
        let issuer = try CardKeys.issuerCertificate(identifier: Array(digits[..<6]))
        let icc = try CardKeys.cardCertificate(pan: digits, staticData: record.value + profileBytes)

        var card = HandmadeCard()
        card[.selectDirectory] = CardFile.directory([
            try CardFile.entry(Self.aid, label: "Mastercard")
        ])
        var proprietary = [TLV(.applicationLabel, [UInt8]("Mastercard".utf8))]
        if let pdol { proprietary.append(try TLV(.processingOptionsList, hex: pdol)) }
        if !selectionObjects.isEmpty {
            let objects = try selectionObjects.map { try TLV($0.0, hex: $0.1) }
            proprietary.append(TLV(.issuerDiscretionaryData, objects))
        }
        card[.select(Self.aid)] = try CardFile.application(Self.aid, proprietary)
        card[.processingOptions] = .data(
            TLV(
                .responseTemplate2,
                [
                    TLV(.applicationInterchangeProfile, profileBytes),
                    try TLV(.applicationFileLocator, hex: "100101011801010020010100"),
                ]
            ).encoded
        )
        card[.record(2, 1)] = .data(record.encoded)
        card[.record(3, 1)] = .data(
            TLV(
                .recordTemplate,
                [
                    TLV(.certificationAuthorityKeyIndex, [0x92]),
                    TLV(.issuerPublicKeyCertificate, issuer.certificate),
                    TLV(.issuerPublicKeyRemainder, issuer.remainder),
                    TLV(.issuerPublicKeyExponent, issuer.exponent),
                ]
            ).encoded
        )
        card[.record(4, 1)] = .data(
            TLV(
                .recordTemplate,
                [
                    TLV(.iccPublicKeyCertificate, icc.certificate),
                    TLV(.iccPublicKeyRemainder, icc.remainder),
                    TLV(.iccPublicKeyExponent, icc.exponent),
                ]
            ).encoded
        )
        card[.cryptogram] = .made { try cryptogramAnswer($0) }
        return card
    }

    /// The answer to GENERATE AC.
    func cryptogramAnswer(_ command: [UInt8]) throws -> CardAnswer {
        let requested = CryptogramKind(rawValue: command[2])
        let kind = decide(requested)
        let isSigned = signs && command[2] & 0x10 != 0 && (kind != .aac || requested == .aac)
        let values = Array(command[5..<5 + Int(command[4])])
        let number = try #require(Self.cdol.split(values)).first { $0.tag == .unpredictableNumber }

        var objects = [
            TLV(.cryptogramInformationData, [kind.rawValue]),
            TLV(.applicationTransactionCounter, [0x00, 0x01]),
            try TLV(.issuerApplicationData, hex: Self.issuerApplicationData),
        ]
        objects += try cryptogramObjects.map { try TLV($0.0, hex: $0.1) }
        if isSigned {
            // PDOL values are empty for a card without PDOL.
            let hash = SHA1.digest(of: values, objects.flatMap(\.encoded))
            let number = try #require(number)
            let signature = try CardKeys.dynamicSignature(
                [8] + Self.iccDynamicNumber + [kind.rawValue] + Self.cryptogram + hash,
                terminalData: number.value
            )
            objects.append(TLV(.signedDynamicApplicationData, signature))
        } else {
            objects.append(TLV(.applicationCryptogram, Self.cryptogram))
        }
        return .data(TLV(.responseTemplate2, tamper(objects)).encoded)
    }
}
