import EMVCrypto
import Octets
import Profiles

/// `cvc3`: dynamic CVC3 of magnetic stripe taps, and where its digits go (EMV Book C-2).
enum CVC3Family: VectorFamily {
    case value(ValueCase)
    case placement(PlacementCase)

    static let name = "cvc3"

    private enum Kind: String, CaseIterable { case value, placement }

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        switch try parameters.choice("of", of: Kind.self) {
        case .value: self = .value(try ValueCase(&input))
        case .placement: self = .placement(try PlacementCase(&input))
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .value(let input): input.output()
        case .placement(let input): try input.output()
        }
    }

    /// The value of one tap.
    struct ValueCase: Sendable {
        var card: CardKeyInput
        /// The static track data; nil where the source gives what was made of them.
        var trackData: [UInt8]?
        var initialVector: UInt16
        var unpredictableNumber: UInt32
        var counter: UInt16
        /// How many of the five decimal digits the source gives.
        var decimalDigitCount: Int

        init(_ input: inout JSONObject) throws(ProfilesError) {
            card = try CardKeyInput(&input)
            trackData = try input.optionalHex("trackData", 1...RetailMAC.maximumCount)
            initialVector = trackData == nil ? try input.number("initialVector") : 0
            unpredictableNumber = try input.number("unpredictableNumber")
            counter = try input.number("counter")
            decimalDigitCount =
                input.has("decimalDigitCount") ? try input.count("decimalDigitCount", 1...5) : 5
        }

        func output() -> VectorOutput {
            let cardKey = card.cardKey()
            let initialVector =
                trackData.map { DynamicCVC3.initialVector(trackData: $0, cardKey: cardKey) }
                ?? initialVector
            let cvc3 = DynamicCVC3.value(
                initialVector: initialVector,
                unpredictableNumber: unpredictableNumber,
                counter: counter,
                cardKey: cardKey
            )
            let digits = CVC3Placement.decimalDigits(of: cvc3, count: decimalDigitCount)
            return [
                "cardKey": .bytes(cardKey.exportedBytes),
                "initialVector": .bytes(initialVector), "cvc3": .bytes(cvc3),
                "decimal": digits.map { .digits($0) } ?? .nothing,
            ]
        }
    }

    /// A track with the digits of a tap in it.
    struct PlacementCase: Sendable {
        var cvc3Positions: [UInt8]
        var numberPositions: [UInt8]
        var counterDigitCount: UInt8
        var cvc3: UInt16
        var unpredictableNumber: UInt32
        var counter: UInt16
        var digits: [UInt8]
        var isVerifiedOnDevice: Bool

        init(_ input: inout JSONObject) throws(ProfilesError) {
            cvc3Positions = try input.hex("cvc3Positions")
            numberPositions = try input.hex("numberPositions")
            counterDigitCount = UInt8(try input.count("counterDigitCount", 0...255))
            cvc3 = try input.number("cvc3")
            unpredictableNumber = try input.number("unpredictableNumber")
            counter = try input.number("counter")
            digits = try input.digits("digits", 0...255)
            isVerifiedOnDevice =
                input.has("isVerifiedOnDevice") ? try input.boolean("isVerifiedOnDevice") : false
        }

        func output() throws -> VectorOutput {
            let placement = try CVC3Placement(
                cvc3Positions: cvc3Positions,
                numberPositions: numberPositions,
                counterDigitCount: counterDigitCount
            ).orRefused(as: "positionsDoNotFit")
            let placed = try placement.place(
                in: digits,
                cvc3: cvc3,
                unpredictableNumber: unpredictableNumber,
                counter: counter,
                isVerifiedOnDevice: isVerifiedOnDevice
            ).orRefused(as: "digitsDoNotFit")
            func decimal(_ number: UInt16, _ count: Int) -> VectorValue {
                CVC3Placement.decimalDigits(of: number, count: count).map { .digits($0) }
                    ?? .nothing
            }
            return [
                "unpredictableDigitCount": .number(placement.unpredictableDigitCount),
                "cvc3Digits": decimal(cvc3, placement.cvc3Positions.nonzeroBitCount),
                "counterDigits": decimal(counter, placement.counterDigitCount),
                "digits": .digits(placed),
            ]
        }
    }
}
