import Emulation

/// A reader that acts as a card, with invented answers: what it is sent stays what its driver takes.
func fuzzPN532(_ bytes: [UInt8]) {
    var input = InputReader(bytes)
    let responseCount = Int(input.number(byteCount: 2) & 0x07FF)
    var target = PN532Target(PN532Identity(identifier: [1, 2, 3]))
    var action = target.handle(.start)
    var sentCount = 0
    while !input.isAtEnd {
        switch action {
        case .send(let command), .awaitTerminal(let command), .awaitCommand(let command):
            precondition((5...260).contains(command.count) && command[0] == 0xFF)
            precondition(command[2] != 0 || Int(command[4]) == command.count - 5)
            if command.count > 7, command[6] == 0x8E || command[6] == 0x94 {
                sentCount += command.count - 7
            }
            let answer = input.message()
            let isPatient =
                if case .send = action { false } else { true }
            action = target.handle(isPatient && answer == [0] ? .nobody : .answer(answer))
        case .respond(let command):
            precondition((1...PN532Target.maximumCommandCount).contains(command.count))
            sentCount = 0
            action = target.handle(.response([UInt8](repeating: 0x90, count: responseCount)))
        case .responseSent:
            precondition(sentCount == responseCount, "a response was cut")
            action = target.handle(.done)
        case .fieldOff, .pause: action = target.handle(.done)
        case .end: action = target.handle(.start)
        }
    }
}
