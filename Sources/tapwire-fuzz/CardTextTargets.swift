import BERTLV
import EMVData
import ISO7816
import Octets
import Profiles
import Transport

/// A card script and commands: whatever it answers is an answer.
func fuzzScript(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let script = try? CardScript(parsing: text) else { return }
    precondition(1...CardScript.maximumRuleCount ~= script.rules.count)
    var player = CardScriptPlayer(script)
    let own: [UInt8] = [0x70, 0x00, 0x90, 0x00]
    for round in 0..<3 {
        player.beginTap()
        for rule in script.rules.prefix(50) {
            precondition(
                !rule.answers.isEmpty && rule.pattern.bytes.count == rule.pattern.mask.count
            )
            precondition(rule.pattern.fits(rule.pattern.bytes), "a rule is not for its own command")
            let command = rule.pattern.bytes + [UInt8](repeating: 0, count: round)
            guard let step = player.step(for: command) else { continue }
            precondition((.zero...CardScript.maximumDelay).contains(step.answer.delay))
            guard case .respond(let parts) = step.answer.action else { continue }
            let response = step.response(of: parts, to: command, own: step.reachesCard ? own : [])
            precondition(2...CardScript.maximumAnswerCount ~= response.count)
        }
    }
}

/// A card that was read: its copy is a profile that reads as it was written, and holds nobody's number.
func fuzzCopy(_ bytes: [UInt8]) {
    var input = InputReader(bytes)
    let isKept = input.byte() & 1 == 1
    var application = CardContents.Application(
        name: input.message(),
        selection: [],
        processingOptions: [],
        records: []
    )
    while !input.isAtEnd {
        let objects = (try? TLV.parse(input.message())) ?? []
        switch objects.first?.tag {
        case .fileControlInformation?: application.selection += objects
        case .responseTemplate1?, .responseTemplate2?: application.processingOptions += objects
        case .recordTemplate?: application.records += objects
        default: application.retrieved += objects
        }
    }
    let contents = CardContents(
        name: "invented",
        isPublic: false,
        uid: [],
        historicalBytes: [],
        applications: [application]
    )
    guard let copy = try? CardCopy(of: contents, keepsAccountNumbers: isKept) else { return }
    guard let text = try? copy.profile.json(), let read = try? CardProfile(json: Array(text.utf8))
    else { preconditionFailure("what was written cannot be read") }
    precondition(read.applications == copy.profile.applications, "it reads otherwise")
    precondition((try? CardPersonalization(read)) != nil, "no card can be made of it")
    guard !isKept, let value = TLV.first(.applicationPAN, in: application.objects)?.value,
        let number = try? PrimaryAccountNumber(parsing: value), number.digits.count >= 13,
        number != copy.profile.applications[0].pan
    else { return }
    precondition(!text.contains(number.text), "an account number is left in it")
}
