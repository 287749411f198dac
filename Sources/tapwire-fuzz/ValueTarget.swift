import EMVCrypto
import EMVData
import ISO7816
import Octets

/// The small readers: of values, of texts, and of PIN blocks.
func fuzzValues(_ bytes: [UInt8]) {
    if let reset = try? AnswerToReset(parsing: bytes) {
        precondition(reset.bytes == bytes && reset.historicalBytes.count <= 15)
        precondition(!reset.protocols.isEmpty)
    }
    if let track = try? Track1(parsing: bytes) {
        precondition(1...12 ~= track.expiryMonth && track.expiryYear < 100)
    }
    if let number = try? PrimaryAccountNumber(parsing: bytes) {
        precondition(number.digits.allSatisfy { $0 <= 9 } && number.digits.count <= 19)
        precondition(number.masked.utf8.count == number.digits.count)
    }
    if let date = TransactionDate(bytes: bytes) { precondition(date.bytes == bytes) }
    if let amount = Amount(numeric: bytes, currency: .eur) { precondition(amount.numeric == bytes) }
    readText(String(decoding: bytes, as: UTF8.self))
    readPINBlocks(bytes)
    readIssuerApplicationData(bytes)
}

private func readText(_ text: String) {
    if let bytes = try? [UInt8](hex: text) {
        precondition((try? [UInt8](hex: bytes.hex)) == bytes)
    }
    if let track = TrackText(text) {
        precondition(
            [.track1, .track2].contains(track.kind) && track.bytes.count <= text.utf8.count
        )
    }
    if let date = TransactionDate(text: text) {
        precondition(TransactionDate(text: "\(date)") == date)
    }
    if let amount = try? Amount(parsing: text, currency: .eur) {
        precondition((try? Amount(parsing: amount.decimalText, currency: .eur)) == amount)
    }
    if let number = PrimaryAccountNumber(text: text) {
        precondition(PrimaryAccountNumber(digits: number.digits) == number)
    }
    precondition(Redaction(.nothing).mask(text: text) == text)
    _ = Redaction().mask(text: text)
}

private func readPINBlocks(_ bytes: [UInt8]) {
    let pan = [UInt8]("4761739001010010".utf8.map { $0 - UInt8(ascii: "0") })
    let readers: [([UInt8]) throws -> [UInt8]] = [
        { try PINBlock.pin(inFormat0: $0, pan: pan) }, { try PINBlock.pin(inFormat1: $0) },
        { try PINBlock.pin(inFormat2: $0) }, { try PINBlock.pin(inFormat3: $0, pan: pan) },
    ]
    for read in readers {
        guard let pin = try? read(bytes) else { continue }
        precondition(4...12 ~= pin.count && pin.allSatisfy { $0 <= 9 })
    }
}

/// A version that is read can make a cryptogram, or says which object it misses.
private func readIssuerApplicationData(_ bytes: [UInt8]) {
    let key = DoubleLengthKey(left: 1, right: 2)
    let schemes: [[UInt8]] = [
        [0xA0, 0x00, 0x00, 0x00, 0x03], [0xA0, 0x00, 0x00, 0x00, 0x04],
        [0xA0, 0x00, 0x00, 0x00, 0x25], [0xA0, 0x00, 0x00, 0x01, 0x52],
        [0xA0, 0x00, 0x00, 0x03, 0x33], [0xA0, 0x00, 0x00, 0x00, 0x65],
    ]
    for rid in schemes {
        guard let version = ApplicationCryptogram(issuerApplicationData: bytes, rid: rid) else {
            continue
        }
        let isGenuine = try? version.verify(cardKey: key) { tag in
            tag == .issuerApplicationData ? bytes : nil
        }
        precondition(isGenuine != true)
    }
}
