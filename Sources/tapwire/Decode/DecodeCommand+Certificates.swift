import BERTLV
import EMVCrypto
import EMVData
import Octets

extension DecodeCommand {
    /// Checks the certificates among objects, each with the key that the one before gives.
    static func certificates(
        _ objects: [TLVSurvey.Object],
        _ settings: DecodeSettings
    ) -> [Decoding.Section] {
        CertificateChain(objects, settings).sections
    }
}

/// The certificates among data objects.
private struct CertificateChain {
    private let objects: [TLVSurvey.Object]
    private let settings: DecodeSettings

    init(_ objects: [TLVSurvey.Object], _ settings: DecodeSettings) {
        self.objects = objects
        self.settings = settings
    }

    /// What came out, certificate by certificate; nothing where there is none.
    var sections: [Decoding.Section] {
        guard let certificate = value(.issuerPublicKeyCertificate) else { return [] }
        var section = Decoding.Section(
            name: "issuerCertificate",
            title: "Issuer’s certificate (90)"
        )
        let authority: CAPublicKey
        switch self.authority {
        case .missing(let why):
            section.parts = [DecodedPart(place: "Not checked", text: why)]
            return [section]
        case .found(let key): authority = key
        }
        section.parts = [
            DecodedPart(
                place: "CA key",
                digits: "\(authority.rid.hex) \([authority.index].hex)",
                text: "\(authority.modulus.count * 8) bits, exponent \(authority.exponent.hex)"
            )
        ]
        let issuerKey: RSAPublicKey
        do throws(CertificateError) {
            let issuer = try IssuerCertificate.recover(
                certificate: certificate,
                remainder: value(.issuerPublicKeyRemainder) ?? [],
                exponent: value(.issuerPublicKeyExponent) ?? [3],
                caKey: authority
            )
            var result = CryptoResult()
            CryptoCommand.add(issuer, to: &result)
            section.parts += result.parts
            if let digits = accountNumber?.digits { try issuer.checkIssuer(ofPAN: digits) }
            section.parts.append(DecodedPart(place: "Checks", text: "all hold"))
            issuerKey = issuer.key
        } catch {
            section.parts.append(DecodedPart(place: "Fails", text: error.sentence(remainder: "92")))
            return [section]
        }
        return [section, signedStaticData(issuerKey), card(issuerKey)].compactMap(\.self)
    }

    private enum Authority {
        case found(CAPublicKey)
        case missing(String)
    }

    private var authority: Authority {
        guard let index = value(.certificationAuthorityKeyIndex)?.first else {
            return .missing("the index of the authority’s key (8F) is not among the objects")
        }
        guard let rid = settings.rid ?? ownRID else {
            return .missing("the provider is not known: give --rid")
        }
        let key = settings.keys.first { $0.rid == rid && $0.index == index }
        return key.map(Authority.found)
            ?? .missing("no key \([index].hex) of \(rid.hex) is known: give --ca-keys")
    }

    private func card(_ issuerKey: RSAPublicKey) -> Decoding.Section? {
        guard let certificate = value(.iccPublicKeyCertificate) else { return nil }
        var section = Decoding.Section(name: "cardCertificate", title: "Card’s certificate (9F46)")
        section.parts = attempt(remainder: "9F48") { (staticData) throws(CertificateError) in
            let card = try ICCCertificate.recover(
                certificate: certificate,
                remainder: value(.iccPublicKeyRemainder) ?? [],
                exponent: value(.iccPublicKeyExponent) ?? [3],
                issuerKey: issuerKey,
                staticData: staticData
            )
            let number = PrimaryAccountNumber(digits: card.pan)
            var result = CryptoResult()
            let shown = settings.isOpen ? number?.text : number?.masked
            CryptoCommand.add(card, pan: shown ?? "", to: &result)
            if let digits = accountNumber?.digits { try card.checkPAN(digits) }
            return result.parts
        }
        return section
    }

    private func signedStaticData(_ issuerKey: RSAPublicKey) -> Decoding.Section? {
        guard let signature = value(.signedStaticApplicationData) else { return nil }
        var section = Decoding.Section(name: "signedStaticData", title: "Signed static data (93)")
        section.parts = attempt(remainder: "") { (staticData) throws(CertificateError) in
            let signed = try SignedStaticData.verify(
                signature,
                issuerKey: issuerKey,
                staticData: staticData
            )
            return [
                DecodedPart(
                    place: "Data authentication code",
                    digits: signed.dataAuthenticationCode.hex,
                    text: ""
                )
            ]
        }
        return section
    }

    /// Tries a check with each static data the objects may stand for.
    private func attempt(
        remainder: String,
        _ check: ([UInt8]) throws(CertificateError) -> [DecodedPart]
    ) -> [DecodedPart] {
        var failure: CertificateError?
        for candidate in staticDataCandidates {
            do throws(CertificateError) {
                let parts = try check(candidate.bytes)
                let data = "\(candidate.bytes.count) bytes, \(candidate.what)"
                return parts + [
                    DecodedPart(place: "Static data", text: data),
                    DecodedPart(place: "Checks", text: "all hold"),
                ]
            } catch {
                failure = failure ?? error
                guard error == .wrongHash else { break }
            }
        }
        guard let failure else { return [] }
        let sentence =
            failure == .wrongHash
            ? "the hash does not match: exponent or remainder are others, or the static data are not all here (--static-data)"
            : failure.sentence(remainder: remainder)
        return [DecodedPart(place: "Fails", text: sentence)]
    }

    /// What the card's static data may be (EMV Book 3, 10.3).
    private var staticDataCandidates: [(bytes: [UInt8], what: String)] {
        if let staticData = settings.staticData { return [(staticData, "as given")] }
        let records = all(objects).filter { $0.tag == .recordTemplate }
        let profile =
            value(.staticDataAuthenticationTagList) == nil
            ? [] : value(.applicationInterchangeProfile) ?? []
        var candidates: [(bytes: [UInt8], what: String)] = []
        if let locator = value(.applicationFileLocator).flatMap({
            try? ApplicationFileLocator(parsing: $0)
        }), locator.records.count == records.count {
            let signed = zip(locator.records, records).filter(\.0.isAuthenticated)
            // Files above 10 are signed with tag and length.
            let bytes = signed.flatMap { place, record in
                place.shortFileIdentifier <= 10
                    ? record.value
                    : TLV(record.tag, record.value).encoded
            }
            candidates.append((bytes + profile, "the records the AFL marks"))
        }
        candidates.append((records.flatMap(\.value) + profile, "all records here"))
        candidates += records.map { ($0.value + profile, "one record") }
        candidates.append((profile, "no record"))
        return candidates
    }

    // MARK: Objects

    private var accountNumber: PrimaryAccountNumber? {
        value(.applicationPAN).flatMap { try? PrimaryAccountNumber(parsing: $0) }
    }

    /// The provider of the last application that is named.
    private var ownRID: [UInt8]? {
        let names: Set<Tag> = [
            .applicationIdentifier, .dedicatedFileName, .terminalApplicationIdentifier,
        ]
        let identifiers = all(objects).filter { names.contains($0.tag) && $0.isWhole }
            .compactMap { ApplicationIdentifier(bytes: $0.value) }
        return identifiers.last { $0.rid[0] == 0xA0 }?.rid
    }

    /// The value of the first object of a tag.
    private func value(_ tag: Tag) -> [UInt8]? {
        all(objects).first { $0.tag == tag && $0.isWhole }?.value
    }

    private func all(_ objects: [TLVSurvey.Object]) -> [TLVSurvey.Object] {
        objects.flatMap { [$0] + all($0.objects) }
    }
}

extension CryptoResult {
    /// The values as parts.
    fileprivate var parts: [DecodedPart] {
        values.dropFirst().map { DecodedPart(place: $0.label, digits: $0.text, text: "") }
    }
}

extension CertificateError {
    /// What is wrong, with the tags of the objects and not the options of `tapwire crypto`.
    fileprivate func sentence(remainder: String) -> String {
        switch self {
        case .wrongRemainderLength(let expected, let found):
            "the remainder (\(remainder)) has \(found) bytes and should have \(expected)"
        case .wrongExponentLength(let byte): "the exponent should have \(byte) bytes"
        case .wrongIssuer: "the issuer identifier is not the beginning of the PAN (5A)"
        case .wrongPAN: "the certificate is for another PAN than 5A"
        default: sentence
        }
    }
}
