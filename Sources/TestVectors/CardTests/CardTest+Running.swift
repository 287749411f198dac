import BERTLV
public import EMVData
import ISO7816
import Octets
public import Transport

extension CardTest {
    /// Taps a card and sends it the commands, up to the first answer that is not as expected.
    /// - Parameters:
    ///   - card: The way to the card; its field goes off and on before.
    ///   - redaction: What is taken out of values that are shown.
    /// - Returns: How it went.
    /// - Throws: `TransportError` when the card gave no answer.
    public func run(
        over card: inout some Transport & ~Copyable,
        redaction: Redaction
    ) throws(TransportError) -> VectorCase.Verdict {
        card.fieldOff()
        try card.fieldOn()
        var redaction = redaction
        var values: [String: [UInt8]] = [:]
        for (index, step) in steps.enumerated() {
            let place = steps.count == 1 ? "" : "answer \(index + 1): "
            guard let command = step.command.bytes(values) else {
                return .failed(
                    expected: "\(place)a command",
                    got: "a value kept before is too long for it"
                )
            }
            let response = try card.transmit(command)
            guard let parsed = try? ResponseAPDU(parsing: response) else {
                throw .protocolViolation
            }
            if let mismatch = step.mismatch(of: parsed, &redaction) {
                return .failed(expected: place + mismatch.expected, got: mismatch.got)
            }
            let objects = (try? TLV.parse(parsed.body)) ?? []
            for (name, path) in step.kept {
                guard let object = path.find(in: objects) else {
                    return .failed(expected: "\(place)\(path.text) present", got: "absent")
                }
                values[name] = object.value
            }
        }
        return .passed
    }
}

extension CardTest.Step {
    /// The first thing in an answer that is not as expected; nil when all is.
    fileprivate func mismatch(
        of response: ResponseAPDU,
        _ redaction: inout Redaction
    ) -> (expected: String, got: String)? {
        guard statuses.contains(where: { $0.matches(response.status) }) else {
            let expected = statuses.map(\.text).joined(separator: " or ")
            return ("status \(expected)", response.status.rawValue.hex)
        }
        guard !objects.isEmpty else { return nil }
        guard let found = try? TLV.parse(response.body) else {
            return ("data objects", "\(response.body.count) bytes that are none")
        }
        for (path, pattern) in objects {
            let object = path.find(in: found)
            guard !pattern.matches(object?.value) else { continue }
            let got = object.map { redaction.mask([$0])[0].value.hex } ?? "absent"
            return ("\(path.text) \(pattern.text)", got.isEmpty ? "no bytes" : got)
        }
        return nil
    }
}
