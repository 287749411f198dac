import Dispatch
import Emulation
import NFCWallet
import Synchronization
import TestSupport
import Testing
import Transport

struct SoftwareFieldTests {
    @Test func `a tap is told to the card in order`() throws {
        let field = SoftwareField()
        let card = ScribeCard()
        var reader = field.makeTransport()
        field.present(card)
        try reader.fieldOn()
        let response = try reader.transmit([0x01, 0x02])
        #expect(response == [0x01, 0x02, 0x90, 0x00])
        reader.fieldOff()
        reader.fieldOff()
        #expect(card.told == ["on", "command", "sent", "off"])
    }

    @Test func `a field may be raised and dropped again and again`() throws {
        let field = SoftwareField()
        let card = ScribeCard()
        var reader = field.makeTransport()
        field.present(card)
        try reader.fieldOn()
        try reader.fieldOn()
        reader.fieldOff()
        try reader.fieldOn()
        #expect(card.told == ["on", "off", "on"])
    }

    @Test func `without a card there is nothing to wait for`() {
        let field = SoftwareField()
        var reader = field.makeTransport()
        #expect(throws: TransportError.timeout) { try raise(&reader) }
        #expect(throws: TransportError.cardRemoved) { try transmit(&reader) }
    }

    @Test func `a terminal waits no longer once nobody is to wait for a card`() async throws {
        let field = SoftwareField(patienceSeconds: 3_600)
        let watching = ScribeCard()
        field.watch(watching)
        let waiting = Task.detached {
            var reader = field.makeTransport()
            do throws(TransportError) {
                try reader.fieldOn()
                return nil as TransportError?
            } catch {
                return error
            }
        }
        while watching.told.isEmpty { await Task.yield() }
        field.endWaiting()
        #expect(await waiting.value == .timeout)
        // Nor does one begin to wait, while a card that is there is still found.
        var reader = field.makeTransport()
        #expect(throws: TransportError.timeout) { try raise(&reader) }
        #expect(field.awaitCard())
        field.withdraw(watching)
        #expect(!field.awaitCard())
        field.present(ScribeCard())
        try reader.fieldOn()
    }

    @Test func `a card that only watches is told of the field and hears no command`() throws {
        let field = SoftwareField()
        let card = ScribeCard()
        var reader = field.makeTransport()
        field.watch(card)
        #expect(throws: TransportError.timeout) { try raise(&reader) }
        #expect(throws: TransportError.cardRemoved) { try transmit(&reader) }
        #expect(card.told == ["on"])

        field.present(card)
        try reader.fieldOn()
        _ = try reader.transmit([0x01])
        #expect(card.told == ["on", "command", "sent"])
    }

    @Test func `a card that is shown in a field is told at once`() throws {
        let field = SoftwareField()
        let card = ScribeCard()
        var reader = field.makeTransport()
        #expect(throws: TransportError.timeout) { try raise(&reader) }
        field.present(card)
        #expect(card.told == ["on"])
    }

    @Test func `a card that withdraws is removed`() throws {
        let field = SoftwareField()
        let card = ScribeCard()
        var reader = field.makeTransport()
        field.present(card)
        try reader.fieldOn()
        field.withdraw(card)
        #expect(throws: TransportError.cardRemoved) { try transmit(&reader) }
        reader.fieldOff()
        #expect(card.told == ["on"])
        #expect(!field.isPresentingCard)
    }

    @Test(arguments: ["on", "sent", "off"])
    func `a card may withdraw itself while it is told something`(_ moment: String) throws {
        let field = SoftwareField()
        let card = ScribeCard()
        card.whenever { if $0 == moment { field.withdraw(card) } }
        var reader = field.makeTransport()
        field.present(card)
        if moment == "on" {
            #expect(throws: TransportError.timeout) { try raise(&reader) }
            #expect(throws: TransportError.cardRemoved) { try transmit(&reader) }
        } else {
            try reader.fieldOn()
            let response = try reader.transmit([])
            #expect(response == [0x90, 0x00])
        }
        reader.fieldOff()
        #expect(card.told.last == moment)
        #expect(!field.isPresentingCard)
    }

    @Test func `a card that wants to be shown no more is met by no other reader`() throws {
        let field = SoftwareField()
        let (card, next) = (ScribeCard(), ScribeCard())
        var reader = field.makeTransport()
        field.present(card)
        try reader.fieldOn()
        card.leave()
        reader.fieldOff()
        #expect(!field.isPresentingCard)
        #expect(throws: TransportError.timeout) { try raise(&reader) }
        field.present(next)
        _ = try reader.transmit([0x01])
        // The first one withdraws late, and takes nobody else out.
        field.withdraw(card)
        #expect(field.isPresentingCard)
        _ = try reader.transmit([0x01])
        #expect(next.told == ["on", "command", "sent", "command", "sent"])
    }

    @Test func `another card takes the place of the first`() throws {
        let field = SoftwareField()
        let (first, second) = (ScribeCard(), ScribeCard())
        var reader = field.makeTransport()
        field.present(first)
        try reader.fieldOn()
        field.present(second)
        _ = try reader.transmit([0x01])
        #expect(first.told == ["on"])
        #expect(second.told == ["on", "command", "sent"])
    }

    @Test func `a reader that is dropped takes its field away`() throws {
        let field = SoftwareField()
        let card = ScribeCard()
        field.present(card)
        do {
            var reader = field.makeTransport()
            try reader.fieldOn()
        }
        #expect(card.told == ["on", "off"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `a patient reader waits for the card`() throws {
        let field = SoftwareField(patienceSeconds: 60)
        let card = ScribeCard()
        // The card is shown by another thread once it hears of the field.
        card.whenever { line in
            guard line == "on", !field.isPresentingCard else { return }
            DispatchQueue.global().async { field.present(card) }
        }
        field.watch(card)
        var reader = field.makeTransport()
        try reader.fieldOn()
        _ = try reader.transmit([0x01])
        #expect(card.told == ["on", "command", "sent"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `no call begins once a withdrawal is over`() throws {
        var generator = SeededGenerator()
        let source = generator.description
        for _ in 0..<200 {
            let field = SoftwareField()
            let card = ScribeCard()
            field.present(card)
            let delay = Int.random(in: 0..<200, using: &generator)
            let countAtWithdrawal = Mutex(0)
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                if index == 0 {
                    var reader = field.makeTransport()
                    try? reader.fieldOn()
                    for _ in 0..<20 { _ = try? reader.transmit([0x01]) }
                } else {
                    for _ in 0..<delay { _ = field.isPresentingCard }
                    field.withdraw(card)
                    countAtWithdrawal.withLock { $0 = card.told.count }
                }
            }
            #expect(card.told.count == countAtWithdrawal.withLock { $0 }, "\(source)")
        }
    }

    // A macro cannot borrow a noncopyable value that is changed.
    private func raise(_ reader: inout SoftwareFieldTransport) throws(TransportError) {
        try reader.fieldOn()
    }

    private func transmit(_ reader: inout SoftwareFieldTransport) throws(TransportError) {
        _ = try reader.transmit([0x01])
    }
}
