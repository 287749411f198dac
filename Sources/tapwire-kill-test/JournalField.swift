import BERTLV
import CardEngine
import EMVData
import Foundation
import NFCWallet
import Octets
import Synchronization
import Transport

/// A field that writes down what a terminal has got before the wallet hears that it was sent.
///
/// So a kill also strikes between a cryptogram on its way and the wallet's knowing of it.
final class JournalField: CardField {
    private let card = Mutex<(any EmulatedCard)?>(nil)
    private let cardName = Mutex("")
    private let journal: Int32

    /// Opens the journal, or makes it.
    init(journal path: String) throws {
        journal = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        guard journal >= 0 else { fail("\(path) cannot be written") }
    }

    /// Says whose payments are written down from here on.
    func name(_ cardName: String) { self.cardName.withLock { $0 = cardName } }

    func present(_ card: any EmulatedCard) { self.card.withLock { $0 = card } }
    func withdraw(_ card: any EmulatedCard) {
        self.card.withLock { if $0 === card { $0 = nil } }
    }

    /// The terminal's side.
    func makeTransport() -> Reader { Reader(field: self) }

    /// Writes a line in one go: a kill leaves it whole or leaves nothing.
    private func write(_ line: String) {
        let bytes = [UInt8]((line + "\n").utf8)
        let count = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.write(journal, $0.baseAddress, $0.count)
        }
        guard count == bytes.count else { fail("the journal cannot be written") }
    }

    /// A terminal's way to the card.
    struct Reader: Transport {
        let field: JournalField

        mutating func fieldOn() throws(TransportError) { field.card.withLock { $0 }?.fieldOn() }
        mutating func fieldOff() { field.card.withLock { $0 }?.fieldOff() }

        mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
            guard let card = field.card.withLock({ $0 }) else { throw .cardRemoved }
            let response = [UInt8](capacity: Card.maximumResponseCount) {
                (output: inout OutputSpan<UInt8>) in
                card.respond(to: command.span, into: &output)
            }
            if let objects = try? TLV.parse(Array(response.dropLast(2))),
                let counter = TLV.first(.applicationTransactionCounter, in: objects),
                // A combined signature has the cryptogram inside.
                let cryptogram = TLV.first(.applicationCryptogram, in: objects)
                    ?? TLV.first(.signedDynamicApplicationData, in: objects)
            {
                let name = field.cardName.withLock { $0 }
                field.write("\(name) \(counter.value.hex) \(cryptogram.value.hex)")
            }
            card.responseSent()
            return response
        }
    }
}
