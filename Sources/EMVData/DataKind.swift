#if !hasFeature(Embedded)

/// What bytes can be that nobody has said anything about.
public enum DataKind: String, CaseIterable, Sendable {
    /// A tag alone.
    case tag
    /// BER-TLV objects.
    case objects = "tlv"
    /// The chip data of an authorisation message, ISO 8583's field 55, with or without its length in front.
    case issuerData = "de55"
    /// A data object list: PDOL, CDOL, DDOL ...
    case list = "dol"
    /// A command APDU.
    case command
    /// A response APDU with data.
    case response
    /// A status word alone.
    case statusWord = "sw"
    /// An Application File Locator (94).
    case fileLocator = "afl"
    /// A CVM List (8E).
    case cvmList = "cvm-list"
    /// Track 1 (56).
    case track1
    /// Track 2 (57).
    case track2
    /// An Answer To Reset.
    case answerToReset = "atr"
    /// An application identifier (4F, 84, 9F06).
    case applicationIdentifier = "aid"
    /// A certificate of an issuer's or a card's key alone (90, 9F46).
    case certificate
}

#endif
