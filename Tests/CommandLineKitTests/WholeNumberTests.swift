import CommandLineKit
import Testing

@Suite("Whole numbers")
struct WholeNumberTests {
    @Test("Digits are a number", arguments: [("0", 0), ("7", 7), ("007", 7), ("255", 255)])
    func number(text: String, value: UInt8) { #expect(UInt8(digits: text) == value) }

    @Test(
        "Everything else is none",
        arguments: ["", "+7", "-7", "-0", " 7", "7 ", "7.0", "0x7", "1e1", "٧", "256"]
    )
    func nothing(text: String) { #expect(UInt8(digits: text) == nil) }
}
