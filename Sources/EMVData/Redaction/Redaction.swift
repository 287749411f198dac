#if !hasFeature(Embedded)
import BERTLV

/// Takes the cardholder out of what is printed or saved: account number, name, track data, card certificate.
///
/// What is masked keeps its length and place, so that masked bytes still decode. An account number is replaced by
/// `PrimaryAccountNumber.substitute`, everywhere by the same one. Bytes whose structure is not known are blanked
/// whole, since anything might be in them.
///
/// One redaction follows one card: it learns the lists by which the card asks for data, to find its way in what the
/// terminal sends, and the account number, to find it where no tag announces it.
public struct Redaction: Sendable {
    /// What is taken out.
    public enum Extent: Sendable {
        /// Everything that tells who the cardholder is.
        case cardholderData
        /// Nothing: for public test cards, and when the user asks for the whole truth.
        case nothing
    }

    /// What is taken out.
    public let extent: Extent

    /// The account numbers seen so far.
    var accountNumbers: [PrimaryAccountNumber] = []
    /// The digits of account numbers seen so far, packed two to a byte.
    var digits = Replacements()
    /// Other things seen so far that must not be shown, and what stands for each.
    var secrets: [Secret] = []
    /// The same, and account numbers as characters.
    var pieces = Replacements()
    /// The lists by which the selected application asks for data.
    var lists: [Tag: DataObjectList] = [:]

    /// Bytes that must not be shown.
    struct Secret: Hashable, Sendable {
        var original: [UInt8]
        var replacement: [UInt8]
    }

    /// Starts with nothing learned.
    public init(_ extent: Extent = .cardholderData) { self.extent = extent }

    /// Remembers an account number.
    mutating func learn(_ accountNumber: PrimaryAccountNumber) {
        let substitute = accountNumber.substitute
        guard digits.add(accountNumber.digits, substitute.digits) else { return }
        accountNumbers.append(accountNumber)
        pieces.add(Array(accountNumber.text.utf8), Array(substitute.text.utf8))
    }

    /// Remembers bytes that must not be shown; those too short or plain to tell from others are passed over.
    mutating func learn(_ original: [UInt8], as replacement: [UInt8]) {
        guard original.count >= 4, Set(original).count > 1, original != replacement,
            pieces.add(original, replacement)
        else { return }
        secrets.append(Secret(original: original, replacement: replacement))
    }
}

#endif
