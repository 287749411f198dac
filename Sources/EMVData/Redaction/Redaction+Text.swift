#if !hasFeature(Embedded)
import Octets

extension Redaction {
    /// Masks text: account numbers become stars but for their ends, and what was seen of names and tracks crosses.
    ///
    /// An account number seen so far is found with spaces, dashes or colons between its digits; an unknown one only as
    /// one word of 13 to 19 digits with a right check digit.
    public func mask(text: String) -> String {
        guard extent == .cardholderData else { return text }
        var characters = Array(text)
        for number in accountNumbers { characters.maskSpread(number) }
        characters.maskWords()
        var masked = String(characters)
        for secret in secrets {
            masked = masked.replacing(secret.original.hex, with: secret.replacement.hex)
            guard secret.original.allSatisfy({ 0x20...0x7E ~= $0 }) else { continue }
            let word = String(decoding: secret.original, as: UTF8.self)
            masked = masked.replacing(word, with: String(repeating: "X", count: word.count))
        }
        return masked
    }
}

extension Array<Character> {
    /// Masks the digits of `number` wherever they follow each other, separators between them or not.
    fileprivate mutating func maskSpread(_ number: PrimaryAccountNumber) {
        let digits = Array(number.text)
        let masked = Array(number.masked)
        for start in indices where self[start] == digits[0] {
            var places: [Int] = []
            var index = start
            while index < count, places.count < digits.count {
                if self[index] == digits[places.count] {
                    places.append(index)
                } else if !" -:".contains(self[index]) {
                    break
                }
                index += 1
            }
            guard places.count == digits.count else { continue }
            for (place, character) in zip(places, masked) { self[place] = character }
        }
    }

    /// Masks every run of digits that is an account number by its length and check digit.
    fileprivate mutating func maskWords() {
        var start = 0
        while start < count {
            let run = self[start...].prefix { "0"..."9" ~= $0 }
            if run.count >= 13, let number = PrimaryAccountNumber(text: String(run)),
                number.hasValidCheckDigit
            {
                replaceSubrange(run.indices, with: Array(number.masked))
            }
            start = run.endIndex + 1
        }
    }
}

#endif
