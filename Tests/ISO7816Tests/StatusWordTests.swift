import ISO7816
import Octets
import Testing

@Suite("Status words and commands in words")
struct StatusWordTests {
    // ISO 7816-4, tables 5 and 6; EMV Book 1, 11.3 and 12.3; Book 3, 6.5 and 10.1; Book C-3, 5.2.2.2.
    @Test(
        "A status word means what its command makes of it",
        arguments: [
            ("00A4040007A000000003101000", 0x6A82, "no application of that name"),
            ("00A4040207A000000003101000", 0x6A82, "no further application of that name"),
            (
                "00A404000E325041592E5359532E444446303100", 0x6A82,
                "the card has no payment directory of that name"
            ),
            ("00A4040007A000000003101000", 0x6283, "the application is blocked"),
            ("00A4040007A000000003101000", 0x6A81, "the card is blocked, or does not know SELECT"),
            (
                "80A8000002830000", 0x6985,
                "conditions of use not satisfied: the terminal offers another application"
            ),
            ("80A8000002830000", 0x6984, "the card wants another interface"),
            ("80A8000002830000", 0x6986, "the cardholder shall look at the device"),
            ("80A8000002830000", 0x6700, "wrong length"),
            ("00B2010C00", 0x6A83, "the file has no such record"),
            ("00B2010C00", 0x6A82, "there is no file with that SFI"),
            (
                "80AE800001AA00", 0x6985,
                "conditions of use not satisfied: no cryptogram, or not a further one"
            ),
            ("80CA9F3600", 0x6A88, "the card does not have that data object"),
            ("0020008008241234FFFFFFFFFF", 0x63C2, "wrong PIN, 2 tries left"),
            ("0020008008241234FFFFFFFFFF", 0x63C1, "wrong PIN, 1 try left"),
            ("0020008008241234FFFFFFFFFF", 0x63C0, "wrong PIN, no try left"),
            ("0020008008241234FFFFFFFFFF", 0x6983, "the PIN is blocked: no tries left"),
            ("00820000081122334455667788", 0x6300, "issuer authentication failed"),
            ("8424000004AABBCCDD", 0x6988, "the script's MAC is wrong"),
            ("0084000000", 0x6985, "conditions of use not satisfied"),
            ("00FE0000", 0x6A82, "file or application not found"),
        ] as [(String, UInt16, String)]
    )
    func byCommand(command: String, status: UInt16, meaning: String) throws {
        let command = try CommandAPDU(parsing: [UInt8](hex: command))
        #expect(StatusWord(rawValue: status).meaning(to: command) == meaning)
    }

    @Test(
        "Without its command a status word means what ISO 7816-4 says",
        arguments: [
            (0x9000, "success"), (0x6985, "conditions of use not satisfied"),
            (0x6A82, "file or application not found"), (0x6A83, "record not found"),
            (0x611C, "28 bytes wait for GET RESPONSE"),
            (0x6100, "256 or more bytes wait for GET RESPONSE"),
            (0x6C1C, "wrong Le, 28 bytes are there"), (0x6C00, "wrong Le, 256 bytes are there"),
            (0x63C3, "warning, counter 3: for a PIN, 3 tries left"),
            (0x6299, "warning, memory unchanged"), (0x6999, "command not allowed"),
            (0x6F42, "error without a diagnosis"), (0x9100, nil), (0x6010, nil), (0x1234, nil),
        ] as [(UInt16, String?)]
    )
    func alone(status: UInt16, meaning: String?) {
        #expect(StatusWord(rawValue: status).meaning(to: nil) == meaning)
    }

    @Test("Only 9000 and 61xx are a success")
    func success() {
        let successes = (0...UInt16.max).filter { StatusWord(rawValue: $0).isSuccess }
        #expect(successes == Array(0x6100...0x61FF) + [0x9000])
    }

    @Test(
        "Commands have the books' names",
        arguments: [
            (0x00A4, "SELECT"), (0x80A8, "GET PROCESSING OPTIONS"), (0x80AE, "GENERATE AC"),
            (0x00B2, "READ RECORD"), (0x841E, "APPLICATION BLOCK"), (0x8C18, "APPLICATION UNBLOCK"),
            (0x04DA, "PUT DATA"), (0x80DA, "PUT DATA"), (0x8424, "PIN CHANGE/UNBLOCK"),
            (0x00DC, "UPDATE RECORD"), (0x801E, nil), (0x8407, nil), (0x90A4, nil),
        ] as [(UInt16, String?)]
    )
    func names(code: UInt16, name: String?) {
        #expect(CommandCode(rawValue: code).name == name)
    }
}
