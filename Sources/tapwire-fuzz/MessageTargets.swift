import BERTLV
import EMVCrypto
import EMVData
import Emulation
import IssuerHost
import Octets
import Profiles

/// Authorisation requests, to an issuer that knows the cards of the seeds.
func fuzzRequest(_ bytes: [UInt8]) {
    guard let objects = try? TLV.parse(bytes) else { return }
    let request = AuthorizationRequest(chipData: objects)
    let isReadable = (try? PaymentRequest(request)) != nil
    let host = IssuerHost(issuers: Bank.issuers, accounts: Bank.accounts)
    guard let answer = host.authorize(request) else { return }
    precondition(answer.responseCode.utf8.count == 2 && !answer.reason.isEmpty)
    precondition(answer.issuerAuthenticationData.map { 8...16 ~= $0.count } ?? true)
    precondition(isReadable || !answer.isApproved)
    guard answer.isApproved else { return }
    precondition(host.authorize(request)?.isApproved == false, "approved twice")
}

/// The issuers and accounts of published test cards.
private enum Bank {
    static let issuers = [
        issuer(.visa, [4, 7, 6, 1, 7, 3], 0x2315_208C_9110_AD40, 0x2315_208C_9110_AD40),
        issuer(.mastercard, [5, 4, 1, 3, 3, 3], 0x9E15_2043_13F7_318A, 0xCB79_B90B_D986_AD29),
    ]

    static let accounts = ["4761739001010010", "5413330089604111"].compactMap(account)

    private static func issuer(
        _ scheme: Scheme,
        _ number: [UInt8],
        _ left: UInt64,
        _ right: UInt64
    ) -> IssuerProfile {
        IssuerProfile(
            name: "Test issuer",
            scheme: scheme,
            identificationNumber: number,
            masterKey: IssuerMasterKey(
                DoubleLengthKey(left: left, right: right),
                derivation: .optionA
            )
        )
    }

    private static func account(_ text: String) -> Account? {
        guard let number = PrimaryAccountNumber(text: text),
            let lastDay = TransactionDate(year: 2049, month: 12, day: 31)
        else { return nil }
        return Account(
            number: number,
            sequenceNumber: 1,
            lastDay: lastDay,
            availableMinorUnits: .max
        )
    }
}

/// Masking keeps every message as long as it was, whatever it learned before.
func fuzzRedaction(_ bytes: [UInt8]) {
    var input = InputReader(bytes)
    var redaction = Redaction()
    while !input.isAtEnd {
        let command = input.message()
        let response = input.message()
        precondition(redaction.mask(command: command).count == command.count)
        precondition(redaction.mask(response: response).count == response.count)
    }
}

/// Frames of vpcd, in whatever parts they arrive.
func fuzzVPCD(_ bytes: [UInt8]) {
    var input = InputReader(bytes)
    let partCount = Int(input.byte() % 64) + 1
    let stream = input.rest()
    var buffer = VPCDFrameBuffer()
    var taken: [UInt8] = []
    var position = 0
    while position < stream.count {
        let end = min(position + partCount, stream.count)
        let received = buffer.receive { (free: inout MutableSpan<UInt8>) in
            let count = min(end - position, free.count)
            for index in 0..<count { free[index] = stream[position + index] }
            return count
        }
        precondition(received > 0, "a buffer that takes no more")
        position += received
        while let frame = buffer.next() {
            let body = buffer.body(of: frame)
            let request = VPCDRequest(body)
            precondition((request == nil) == body.isEmpty)
            taken += [UInt8(body.count >> 8), UInt8(body.count & 0xFF)]
            for index in body.indices { taken.append(body[index]) }
        }
    }
    precondition(stream.starts(with: taken))
    precondition(buffer.isInsideFrame == (taken.count < stream.count))
}
