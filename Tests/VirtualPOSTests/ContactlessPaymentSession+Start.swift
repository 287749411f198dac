import NFCWallet

extension ContactlessPaymentSession {
    /// Starts a payment, authenticates its user and puts the card into the field.
    /// - Returns: The session's events, read as far as that needed.
    func startAndShowCard() async -> sending AsyncStream<Event>.Iterator {
        var events = eventStream.makeAsyncIterator()
        startPayment()
        while let event = await events.next() {
            switch event {
            case .authenticationRequired(let authentication): authentication.proceed()
            case .authenticationCompleted:
                startEmulation()
                return events
            default: break
            }
        }
        return events
    }
}
