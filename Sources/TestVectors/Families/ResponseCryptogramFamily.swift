import EMVCrypto
import Octets
import Profiles

/// `response-cryptograms`: ARPCs of both methods (EMV Book 2, 8.2).
enum ResponseCryptogramFamily: VectorFamily {
    case method1(key: [UInt8], cryptogram: UInt64, responseCode: UInt16)
    case method2(key: [UInt8], cryptogram: UInt64, status: UInt32, proprietaryData: [UInt8])

    static let name = "response-cryptograms"

    init(parameters: inout JSONObject, input: inout JSONObject) throws(ProfilesError) {
        let method = try parameters.count("method", 1...2)
        let key = try input.desKey("key")
        let cryptogram: UInt64 = try input.number("cryptogram")
        if method == 1 {
            self = .method1(
                key: key,
                cryptogram: cryptogram,
                responseCode: try input.number("responseCode")
            )
        } else {
            self = .method2(
                key: key,
                cryptogram: cryptogram,
                status: try input.number("cardStatusUpdate"),
                proprietaryData: try input.hex("proprietaryData", 0...8)
            )
        }
    }

    func output() throws -> VectorOutput {
        switch self {
        case .method1(let key, let cryptogram, let responseCode):
            let response = ResponseCryptogram.method1(
                cryptogram: cryptogram,
                responseCode: responseCode,
                key: DoubleLengthKey(key)
            )
            return ["responseCryptogram": .bytes(response)]
        case .method2(let key, let cryptogram, let status, let proprietaryData):
            let response = ResponseCryptogram.method2(
                cryptogram: cryptogram,
                cardStatusUpdate: status,
                proprietaryData: proprietaryData,
                key: DoubleLengthKey(key)
            )
            return ["responseCryptogram": .bytes(response)]
        }
    }
}
