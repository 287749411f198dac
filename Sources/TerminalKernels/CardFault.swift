import BERTLV
import EMVData

/// What is wrong with something a card answered; a kernel turns it into an Error Indication.
struct CardFault: Error, Hashable {
    /// The level 2 byte.
    var l2: ErrorIndication.L2
    /// The data object concerned, if it is about one.
    var tag: Tag?

    /// The answer is not the TLV it should be, or has an object twice.
    static func malformed(_ tag: Tag? = nil) -> CardFault { CardFault(l2: .parsingError, tag: tag) }
    /// A mandatory object is not there.
    static func missing(_ tag: Tag) -> CardFault { CardFault(l2: .cardDataMissing, tag: tag) }
    /// An object's value makes no sense.
    static func wrong(_ tag: Tag) -> CardFault { CardFault(l2: .cardDataError, tag: tag) }
}

extension ErrorIndication {
    /// Says what is wrong with the card's data.
    init(_ fault: CardFault) {
        self.init(l2: fault.l2, concerning: fault.tag)
    }
}
