import EMVData
import Profiles

/// `tracks`: the data of a magnetic stripe as a chip gives them (ISO/IEC 7813; EMV Book C-2, A.1).
struct TrackFamily: VectorFamily {
    private enum Track: String, CaseIterable {
        case first = "1"
        case second = "2"
    }

    private var track: Track
    private var data: [UInt8]

    static let name = "tracks"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        track = try parameters.choice("track", of: Track.self)
        data = try input.hex("data")
    }

    func output() throws -> VectorOutput {
        switch track {
        case .first:
            let track = try Track1(parsing: data)
            return Self.output(
                track.accountNumber,
                (track.expiryYear, track.expiryMonth),
                track.serviceCode
            ).merging([
                "discretionary": .text(String(decoding: track.discretionaryData, as: UTF8.self)),
                "encoded": .bytes(track.bytes),
            ]) { $1 }
        case .second:
            let track = try Track2(parsing: data)
            return Self.output(
                track.accountNumber,
                (track.expiryYear, track.expiryMonth),
                track.serviceCode
            ).merging([
                "discretionary": .digits(track.discretionaryData), "encoded": .bytes(track.bytes),
            ]) { $1 }
        }
    }

    private static func output(
        _ number: PrimaryAccountNumber,
        _ expiry: (year: UInt8, month: UInt8),
        _ serviceCode: [UInt8]
    ) -> VectorOutput {
        let digits = [expiry.year, expiry.month].flatMap { [$0 / 10, $0 % 10] }
        return [
            "accountNumber": .text(number.text), "expiry": .digits(digits),
            "serviceCode": .digits(serviceCode),
        ]
    }
}
