import EMVData
import Testing

@Suite("Masked text")
struct RedactedTextTests {
    /// A redaction that has seen the cardholder.
    private var redaction: Redaction {
        var redaction = Redaction()
        _ = redaction.mask([Cardholder.record])
        return redaction
    }

    @Test(
        "A number seen before is found however it is written",
        arguments: [
            ("PAN 4761739001010119.", "PAN 476173******0119."),
            ("4761 7390 0101 0119", "4761 73** **** 0119"),
            ("4761-7390-0101-0119", "4761-73**-****-0119"),
            ("5A 08 47 61 73 90 01 01 01 19 9F", "5A 08 47 61 73 ** ** ** 01 19 9F"),
            ("5A084761739001010119", "5A08476173******0119"),
            ("4761739001010119=2212201", "476173******0119=2212201"),
            ("DOE/JOHN pays", "XXXXXXXX pays"),
            ("5F2008444F452F4A4F484E", "5F20085858585858585858"),
            ("amount 12.34, ATC 0001", "amount 12.34, ATC 0001"),
        ]
    )
    func seen(text: String, masked: String) {
        #expect(redaction.mask(text: text) == masked)
    }

    @Test(
        "An unknown number is found by its length and check digit",
        arguments: [
            ("4761739001010119", "476173******0119"), ("(4111111111111111)", "(411111******1111)"),
            ("378282246310005 and 5555555555554444", "378282*****0005 and 555555******4444"),
            ("4761739001010118", "4761739001010118"), ("000000001234", "000000001234"),
            ("", ""), ("é4111111111111111é", "é411111******1111é"),
        ]
    )
    func unknown(text: String, masked: String) {
        #expect(Redaction().mask(text: text) == masked)
    }
}
