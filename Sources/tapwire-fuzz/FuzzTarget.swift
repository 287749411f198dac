import EMVData

/// What can be fuzzed, by the name it has on the command line.
enum FuzzTarget: String, CaseIterable {
    /// BER-TLV, both readers of it.
    case tlv
    /// Command APDUs, both readers of them, and responses.
    case apdu
    /// Data object lists and what is filled into them.
    case dol
    /// Guesses what bytes are, and TLV read past its faults.
    case kind
    /// What the values of data objects mean.
    case meaning
    /// Certificates and signatures with well signed but invented contents.
    case certificate
    /// Elliptic curve certificates, signed likewise, and sealed messages.
    case ellipticCurveCertificate = "ec-certificate"
    /// Answers to reset, tracks, account numbers, dates, PIN blocks and Issuer Application Data.
    case value
    /// JSON files of cards, issuers, terminals and keys.
    case json
    /// Files of test values, and what is computed of them.
    case vectors
    /// Recorded cards, tapped.
    case trace
    /// Card scripts, played.
    case script
    /// Copies of invented cards.
    case copy
    /// Texts of other programs, from which traces are made.
    case importing = "import"
    /// Command lines.
    case arguments
    /// Authorisation requests, answered by an issuer.
    case request
    /// Exchanges, masked.
    case redaction
    /// Frames of the virtual reader's driver.
    case vpcd
    /// The answers of a reader that acts as a card.
    case pn532
    /// Requests, certificates and access tokens of a provisioning.
    case provisioning
    /// Pictures of cards.
    case cardArt = "card-art"
    /// A whole card.
    case card
    /// A reader with kernel 2, tapped by an invented card.
    case entryPointKernel2 = "entrypoint-kernel2"
    /// A reader with kernel 3, tapped by an invented card.
    case entryPointKernel3 = "entrypoint-kernel3"

    /// Runs the code under test once; whatever must not happen traps.
    func run(_ bytes: [UInt8]) {
        switch self {
        case .tlv: fuzzTLV(bytes)
        case .apdu: fuzzAPDU(bytes)
        case .dol: fuzzDataObjectList(bytes)
        case .kind: fuzzKind(bytes)
        case .meaning: fuzzMeaning(bytes)
        case .certificate: fuzzCertificate(bytes)
        case .ellipticCurveCertificate: fuzzECCertificate(bytes)
        case .value: fuzzValues(bytes)
        case .json: fuzzJSON(bytes)
        case .vectors: fuzzVectors(bytes)
        case .trace: fuzzTrace(bytes)
        case .script: fuzzScript(bytes)
        case .copy: fuzzCopy(bytes)
        case .importing: fuzzImport(bytes)
        case .arguments: fuzzArguments(bytes)
        case .request: fuzzRequest(bytes)
        case .redaction: fuzzRedaction(bytes)
        case .vpcd: fuzzVPCD(bytes)
        case .pn532: fuzzPN532(bytes)
        case .provisioning: fuzzProvisioning(bytes)
        case .cardArt: fuzzCardArt(bytes)
        case .card: fuzzCard(bytes)
        case .entryPointKernel2: fuzzReader(bytes, kernel: .kernel2)
        case .entryPointKernel3: fuzzReader(bytes, kernel: .kernel3)
        }
    }
}
