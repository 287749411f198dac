import BERTLV
import CardEngine
import EMVCrypto
import EMVData

extension ApplicationPersonalization {
    /// The records and the locator (94) that lists them; no locator for a Visa card that cannot sign.
    ///
    /// File 2 holds the static data, all of it signed; file 3 the certificates. A Visa card is read only when it has
    /// signed, since everything an online request needs is in its response already.
    func records() throws(ProfilesError) -> ([CardApplication.Record], [UInt8]) {
        let staticObjects = staticObjects
        let contents = try pack(staticObjects)
        guard contents.count <= maximumStaticRecordCount else {
            throw ProfilesError(
                path,
                "what it holds takes \(contents.count) records, of which \(maximumStaticRecordCount) fit; "
                    + "shorten recordObjects"
            )
        }
        var records = Self.records(contents, file: staticFile)
        var entries = [
            ApplicationFileLocator.Entry(
                shortFileIdentifier: staticFile,
                firstRecord: 1,
                lastRecord: UInt8(contents.count),
                authenticatedRecordCount: isSigning ? UInt8(contents.count) : 0
            )
        ]
        guard isSigning else {
            guard profile.scheme == .mastercard else { return ([], []) }
            return (records, ApplicationFileLocator(entries: entries).bytes)
        }

        let certificates = try certificateObjects(staticObjects.flatMap(\.encoded))
        records += Self.records(try pack(certificates), file: certificateFile)
        let last = records.count - 1
        if profile.scheme == .visa {
            // The seven bytes of 9F69 end the last record.
            records[last].authenticationDataOffset = records[last].contents.count - 7
        }
        entries.append(
            .init(
                shortFileIdentifier: certificateFile,
                firstRecord: 1,
                lastRecord: records[last].number
            )
        )
        return (records, ApplicationFileLocator(entries: entries).bytes)
    }

    /// Wraps the contents of a file's records into templates (70), numbered from 1.
    private static func records(_ contents: [[UInt8]], file: UInt8) -> [CardApplication.Record] {
        contents.enumerated().map { index, objects in
            CardApplication.Record(
                file: file,
                number: UInt8(index + 1),
                contents: TLV(.recordTemplate, objects).encoded
            )
        }
    }

    /// The objects of the records that are signed.
    private var staticObjects: [TLV] {
        var objects = [TLV(.applicationPAN, profile.pan.bytes)]
        objects.append(TLV(.applicationExpirationDate, profile.expirationDate.bytes))
        if let date = profile.effectiveDate {
            objects.append(TLV(.applicationEffectiveDate, date.bytes))
        }
        objects.append(TLV(.issuerCountryCode, issuerCountry))
        objects.append(TLV(.applicationUsageControl, profile.usageControl.bytes))
        objects.append(TLV(.applicationCurrencyCode, profile.currency.bytes))
        if let name = profile.cardholderName {
            objects.append(TLV(.cardholderName, [UInt8](name.utf8)))
        }
        if case .mastercard(let mastercard) = profile.details {
            let codes = mastercard.issuerActionCodes
            let version = mastercard.applicationVersion
            objects += [
                TLV(.track2EquivalentData, track2),
                TLV(.panSequenceNumber, [profile.panSequenceNumber]),
                TLV(.cardRiskManagementList1, mastercard.riskManagementList.bytes),
                TLV(.cvmList, mastercard.cvmList.bytes),
                TLV(.applicationVersionNumber, [UInt8(version >> 8), UInt8(version & 0xFF)]),
                TLV(.issuerActionCodeDefault, codes.default),
                TLV(.issuerActionCodeDenial, codes.denial),
                TLV(.issuerActionCodeOnline, codes.online),
            ]
        }
        objects += profile.recordObjects.map { TLV($0.tag, $0.value) }
        if isSigning {
            // The one object beside records that may be signed is the AIP (82).
            objects.append(TLV(.staticDataAuthenticationTagList, [0x82]))
        }
        return objects
    }

    /// Track 2 Equivalent Data (57).
    var track2: [UInt8] {
        Track2(
            accountNumber: profile.pan,
            expiryYear: UInt8(profile.expirationDate.year % 100),
            expiryMonth: UInt8(profile.expirationDate.month),
            serviceCode: profile.serviceCode,
            discretionaryData: profile.trackDiscretionaryData
        ).bytes
    }

    /// Signs the issuer's and the card's key and returns the objects that carry them, in order.
    private func certificateObjects(_ staticObjects: [UInt8]) throws(ProfilesError) -> [TLV] {
        // Beyond any card's own date, so that an expired card is refused for its date and nothing else.
        guard let expiry = CertificateExpiry(month: 12, year: 2049) else { return [] }
        let issuerCertificate: SignedKeyCertificate
        let cardCertificate: SignedKeyCertificate
        do throws(CertificateError) {
            var authority = try RSAPrivateKey(keys.authority)
            issuerCertificate = try IssuerCertificate.sign(
                RSAPublicKey(
                    modulus: keys.issuer.modulus,
                    exponent: keys.issuer.publicExponent
                ),
                issuerIdentifier: issuer.identificationNumber,
                expiry: expiry,
                serialNumber: [0, 0, 1],
                caKey: &authority
            )
            var issuerKey = try RSAPrivateKey(keys.issuer)
            cardCertificate = try ICCCertificate.sign(
                RSAPublicKey(modulus: keys.card.modulus, exponent: keys.card.publicExponent),
                pan: profile.pan.digits,
                expiry: expiry,
                serialNumber: [0, 0, 2],
                staticData: staticObjects + profile.interchangeProfile.bytes,
                issuerKey: &issuerKey
            )
        } catch {
            throw ProfilesError(path, "cannot be certified: \(error)")
        }

        // The longest object first: an authority's key of 1984 bits fills a record with its certificate.
        var objects = [TLV(.issuerPublicKeyCertificate, issuerCertificate.certificate)]
        objects.append(TLV(.certificationAuthorityKeyIndex, [keys.index]))
        objects.append(TLV(.issuerPublicKeyExponent, issuerCertificate.exponent))
        if !issuerCertificate.remainder.isEmpty {
            objects.append(TLV(.issuerPublicKeyRemainder, issuerCertificate.remainder))
        }
        objects.append(TLV(.iccPublicKeyCertificate, cardCertificate.certificate))
        objects.append(TLV(.iccPublicKeyExponent, cardCertificate.exponent))
        if !cardCertificate.remainder.isEmpty {
            objects.append(TLV(.iccPublicKeyRemainder, cardCertificate.remainder))
        }
        if profile.scheme == .visa {
            objects.append(
                TLV(.cardAuthenticationRelatedData, [UInt8](repeating: 0, count: 7))
            )
        }
        return objects
    }

    /// Fills records with objects, in order, as many as fit each.
    private func pack(_ objects: [TLV]) throws(ProfilesError) -> [[UInt8]] {
        var records: [[UInt8]] = [[]]
        for object in objects {
            let bytes = object.encoded
            guard bytes.count <= maximumRecordCount else {
                throw ProfilesError(
                    path,
                    "\(object.tag) has \(bytes.count) bytes with its tag and length, of which "
                        + "\(maximumRecordCount) fit a record"
                )
            }
            let last = records.count - 1
            if records[last].count + bytes.count > maximumRecordCount {
                records.append(bytes)
            } else {
                records[last] += bytes
            }
        }
        return records
    }
}

/// The file of the signed records.
private let staticFile: UInt8 = 2

/// The file of the certificates.
private let certificateFile: UInt8 = 3

/// How many bytes of objects fit a record: 256 without the template's tag and two bytes of length.
private let maximumRecordCount = 253

/// How many records the static data may take: far more than any card has.
private let maximumStaticRecordCount = 16
