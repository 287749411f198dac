import BERTLV
import EMVCrypto
import EMVData
import Octets
import Testing

/// A handmade qVSDC card that can sign, with everything in it that tests change.
struct VisaCard {
    static let aid = "A0000000031010"

    var pan = "4761739001010010"
    var expiration = "301231"
    /// Application Interchange Profile: DDA.
    var profile = "2000"
    /// What the card decides.
    var kind = CryptogramKind.arqc
    /// Card Transaction Qualifiers; nil for none.
    var qualifiers: String? = "0000"
    /// Version of Card Authentication Related Data; nil for no such data.
    var version: UInt8? = 1
    /// The qualifiers repeated in Card Authentication Related Data; nil for those above.
    var repeatedQualifiers: String?
    /// The format of the signature.
    var format = SignedDataFormat.fastDynamicData
    /// More objects of the answer to GET PROCESSING OPTIONS, or other values; an empty value leaves one out.
    var optionObjects: [(BERTLV.Tag, String)] = []
    /// More objects of the signed record, or other values; an empty value leaves one out.
    var recordObjects: [(BERTLV.Tag, String)] = []
    /// Whether the card proves to be genuine by static data instead.
    var isStatic = false
    /// Changes the answer to GET PROCESSING OPTIONS after it was signed.
    var tamper: @Sendable ([TLV]) -> [TLV] = { $0 }

    static let pdol = DataObjectList(entries: [
        DataObjectList.Entry(.terminalTransactionQualifiers, 4),
        DataObjectList.Entry(.amountAuthorised, 6), DataObjectList.Entry(.amountOther, 6),
        DataObjectList.Entry(.terminalCountryCode, 2),
        DataObjectList.Entry(.terminalVerificationResults, 5),
        DataObjectList.Entry(.transactionCurrencyCode, 2),
        DataObjectList.Entry(.transactionDate, 3), DataObjectList.Entry(.transactionType, 1),
        DataObjectList.Entry(.unpredictableNumber, 4),
    ])

    private static func replace(
        _ objects: [(BERTLV.Tag, String)],
        _ changes: [(BERTLV.Tag, String)]
    ) throws -> [TLV] {
        var objects = objects
        for (tag, value) in changes {
            if let index = objects.firstIndex(where: { $0.0 == tag }) {
                objects[index].1 = value
            } else {
                objects.append((tag, value))
            }
        }
        return try objects.filter { !$0.1.isEmpty }.map { try TLV($0.0, hex: $0.1) }
    }

    /// Card Authentication Related Data; nil for none.
    private var relatedData: String? {
        version.map { [$0].hex + "A1A2A3A4" + (repeatedQualifiers ?? qualifiers ?? "0000") }
    }

    /// Makes the card: an ARQC has no records, a TC has those that prove the card to be genuine.
    func card() throws -> HandmadeCard {
        let record = TLV(
            .recordTemplate,
            try Self.replace(
                [
                    (.applicationPAN, pan), (.applicationExpirationDate, expiration),
                    (.issuerCountryCode, "0056"), (.applicationUsageControl, "FFC0"),
                    (.staticDataAuthenticationTagList, "82"),
                ],
                recordObjects
            )
        )
        let digits = try #require(PackedDigits.digits(of: pan))
        let staticData = try record.value + [UInt8](hex: profile)
        let issuer = try CardKeys.issuerCertificate(identifier: Array(digits[..<6]))
        let icc = try CardKeys.cardCertificate(pan: digits, staticData: staticData)

        var card = HandmadeCard()
        card[.selectDirectory] = CardFile.directory([try CardFile.entry(Self.aid, label: "Visa")])
        card[.select(Self.aid)] = try CardFile.application(
            Self.aid,
            [
                TLV(.applicationLabel, [UInt8]("Visa".utf8)),
                TLV(.processingOptionsList, Self.pdol.bytes),
            ]
        )
        card[.processingOptions] = .made { try optionsAnswer($0) }
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
        var last = [
            TLV(.iccPublicKeyCertificate, icc.certificate),
            TLV(.iccPublicKeyRemainder, icc.remainder),
            TLV(.iccPublicKeyExponent, icc.exponent),
        ]
        if let relatedData {
            last.append(try TLV(.cardAuthenticationRelatedData, hex: relatedData))
        }
        if isStatic {
            last = [
                TLV(.signedStaticApplicationData, try CardKeys.staticSignature(staticData))
            ]
        }
        card[.record(4, 1)] = .data(TLV(.recordTemplate, last).encoded)
        return card
    }

    /// The answer to GET PROCESSING OPTIONS.
    private func optionsAnswer(_ command: [UInt8]) throws -> CardAnswer {
        let values = Array(command[7..<7 + Int(command[6])])
        let terminal = try #require(Self.pdol.split(values))
        func value(_ tag: BERTLV.Tag) -> [UInt8] {
            terminal.first { $0.tag == tag }?.value ?? []
        }
        var objects: [(BERTLV.Tag, String)] = [
            (.applicationInterchangeProfile, profile),
            (
                .track2EquivalentData,
                pan + "D" + expiration.prefix(4) + "2010000000000"
            ),
            (.panSequenceNumber, "01"),
            (.issuerApplicationData, "06011203A00000"),
            (.applicationCryptogram, "0102030405060708"),
            (.cryptogramInformationData, [kind.rawValue].hex),
            (.applicationTransactionCounter, "0001"),
        ]
        if let qualifiers { objects.append((.cardTransactionQualifiers, qualifiers)) }
        if kind == .tc {
            objects.append((.applicationFileLocator, "100101011801010020010100"))
            if !isStatic {
                var signed = value(.unpredictableNumber)
                if version == 1, let relatedData {
                    signed += value(.amountAuthorised) + value(.transactionCurrencyCode)
                    signed += try [UInt8](hex: relatedData)
                }
                let signature = try CardKeys.dynamicSignature(
                    [2, 0, 1],
                    terminalData: signed,
                    format: format
                )
                objects.append((.signedDynamicApplicationData, signature.hex))
            }
        }
        let all = try Self.replace(objects, optionObjects)
        return .data(TLV(.responseTemplate2, tamper(all)).encoded)
    }
}
