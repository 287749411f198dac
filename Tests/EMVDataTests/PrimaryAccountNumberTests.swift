import EMVData
import Octets
import Testing

@Suite("Primary account numbers")
struct PrimaryAccountNumberTests {
    @Test(
        "The value of 5A is digits and F behind them",
        arguments: [
            ("5413330089020011", "5413330089020011"), ("541333008902001F", "541333008902001"),
            ("476173900101011 9FFFF", "4761739001010119"),
            ("5555556688776655667F", "5555556688776655667"),
            ("12345678", "12345678"),
        ]
    )
    func reads(value: String, digits: String) throws {
        let bytes = try [UInt8](hex: value.filter { $0 != " " })
        let number = try PrimaryAccountNumber(parsing: bytes)
        #expect(number.text == digits)
        #expect(number.bytes == Array(bytes.prefix(number.bytes.count)))
    }

    @Test(
        "What is no account number is refused where it breaks",
        arguments: [
            ("", .invalidAccountNumber, 0), ("1234567F", .invalidAccountNumber, 0),
            ("12345678901234567890", .invalidAccountNumber, 0), ("5413A30089020011", .notADigit, 2),
            ("5413F30089020011", .notADigit, 2), ("5413330089020011D2", .notADigit, 8),
        ] as [(String, EMVDataError.Reason, Int)]
    )
    func refuses(value: String, reason: EMVDataError.Reason, offset: Int) throws {
        let bytes = try [UInt8](hex: value)
        #expect(throws: EMVDataError(reason, at: offset)) {
            try PrimaryAccountNumber(parsing: bytes)
        }
    }

    // Numbers of published test cards.
    @Test(
        "The check digit is that of ISO/IEC 7812-1",
        arguments: [
            ("4761739001010119", true), ("4111111111111111", true), ("5555555555554444", true),
            ("378282246310005", true), ("6011111111111117", true), ("3530111333300000", true),
            ("4111111111111112", false), ("4111111111111101", false), ("1411111111111111", false),
        ]
    )
    func checkDigit(text: String, isValid: Bool) throws {
        let number = try #require(PrimaryAccountNumber(text: text))
        #expect(number.hasValidCheckDigit == isValid)
    }

    @Test(
        "Printing a number shows its ends only",
        arguments: [
            ("4761739001010119", "476173******0119", "4761730000000119"),
            ("378282246310005", "378282*****0005", "378282000000005"),
            ("5555556688776655667", "555555*********5667", "5555550000000005667"),
            ("1234567890123", "123456***0123", "1234560000123"),
            ("123456789012", "********9012", "000000009012"),
            ("12345678", "****5678", "00005678"),
        ]
    )
    func masks(text: String, masked: String, substitute: String) throws {
        let number = try #require(PrimaryAccountNumber(text: text))
        #expect("\(number)" == masked)
        #expect(String(reflecting: number) == masked)
        #expect("\([number])" == "[\(masked)]")
        #expect(number.substitute.text == substitute)
        #expect(number.substitute.substitute == number.substitute)
    }

    @Test(
        "Text of anything but 8 to 19 digits is no number",
        arguments: [
            "", "1234567", "12345678901234567890", "4761 7390 0101 0119", "476173900101011A",
        ]
    )
    func text(text: String) {
        #expect(PrimaryAccountNumber(text: text) == nil)
    }
}
