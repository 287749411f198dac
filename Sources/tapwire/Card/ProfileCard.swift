import CardEngine
import Profiles
import Transport

/// A card of ours that answers in this process, without a wallet.
struct ProfileCard: Transport, ~Copyable {
    private let personalization: CardPersonalization
    private var card: Card
    /// The last counter of each application for which there is a key.
    private var counters: [UInt16]

    /// How many random bytes are added at a time.
    private static var randomByteCount: Int { 32 }

    /// Makes the card.
    /// - Parameters:
    ///   - personalization: What is on it.
    ///   - usesDeviceCVM: Whether its user was authenticated on the device.
    init(_ personalization: CardPersonalization, usesDeviceCVM: Bool = false) {
        self.personalization = personalization
        card = personalization.makeCard()
        card.userAuthenticated = usesDeviceCVM
        counters = personalization.issuers.map { _ in 0 }
    }

    mutating func fieldOn() throws(TransportError) {
        card.fieldOn()
        topUp()
    }

    mutating func fieldOff() { card.fieldOff() }

    mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        defer { topUp() }
        return card.response(to: command)
    }

    /// Puts in keys and random bytes for the next payment.
    private mutating func topUp() {
        for index in counters.indices
        where card.reservedKeyCount(forApplication: index) == 0 && counters[index] < .max {
            counters[index] += 1
            let key = personalization.issuers[index].makePaymentKey(
                for: personalization.profile.applications[index],
                counter: counters[index]
            )
            card.reserve(key, forApplication: index)
        }
        if card.randomByteCount < Self.randomByteCount {
            let bytes = (0..<Self.randomByteCount).map { _ in UInt8.random(in: .min ... .max) }
            card.addRandomBytes(bytes.span)
        }
    }
}
