import Octets

#if !hasFeature(Embedded)

/// Authorisation Response Cryptograms (ARPC), by which a card knows its issuer (EMV Book 2, 8.2).
public enum ResponseCryptogram {
    /// Computes the eight-byte ARPC over cryptogram and response code (method 1, 8.2.1).
    /// - Parameters:
    ///   - cryptogram: Application Cryptogram (9F26) of the request.
    ///   - responseCode: Authorisation Response Code (8A), `0x3030` for 00.
    ///   - key: The session key of the request, or the card key where the card has none.
    /// - Returns: The ARPC, the first eight bytes of Issuer Authentication Data (91).
    public static func method1(
        cryptogram: UInt64,
        responseCode: UInt16,
        key: borrowing DoubleLengthKey
    ) -> UInt64 {
        var cipher = TripleDES(key: key)
        return cipher.encrypt(cryptogram ^ UInt64(responseCode) << 48)
    }

    /// Computes the four-byte ARPC over cryptogram, Card Status Update and proprietary data (method 2, 8.2.2).
    /// - Parameters:
    ///   - cryptogram: Application Cryptogram (9F26) of the request.
    ///   - cardStatusUpdate: Card Status Update, four bytes (EMV Book 3, C9).
    ///   - proprietaryData: Proprietary authentication data, up to eight bytes.
    ///   - key: The session key of the request.
    /// - Returns: The ARPC, the first four bytes of Issuer Authentication Data (91).
    public static func method2(
        cryptogram: UInt64,
        cardStatusUpdate: UInt32,
        proprietaryData: [UInt8] = [],
        key: borrowing DoubleLengthKey
    ) -> UInt32 {
        precondition(proprietaryData.count <= 8)
        let message = [UInt8](capacity: 20) { (output: inout OutputSpan<UInt8>) in
            output.append(bigEndian: cryptogram)
            output.append(bigEndian: cardStatusUpdate)
            output.append(copying: proprietaryData.span)
        }
        var mac = RetailMAC(key: key)
        return UInt32(truncatingIfNeeded: mac.mac(of: message.span, padding: .marked) >> 32)
    }
}

#endif
