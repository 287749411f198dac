import CardEngine
import Synchronization

extension ContactlessPaymentSession {
    /// Takes in what happened and does what follows from it.
    func handle(_ input: PaymentFlow.Input) {
        core.withLock { $0.handle(input) }
        drain()
    }

    /// Does what is to be done, in order and one at a time.
    ///
    /// Outside the lock, since the radio, the authenticator and the store may call back. Whoever comes while another
    /// thread is at it leaves its work to that one, so nothing overtakes anything.
    func drain() {
        guard core.withLock({ $0.beginDraining() }) else { return }
        while let effect = core.withLock({ $0.nextEffect() }) { perform(effect) }
        for continuation in core.withLock({ $0.settle() }) { continuation.resume() }
    }

    private func perform(_ effect: PaymentFlow.Effect) {
        switch effect {
        case .requireAuthentication:
            let authentication = Authentication(self)
            core.withLock { $0.authentications.append(authentication) }
            continuation.yield(.authenticationRequired(authentication))
        case .prompt:
            wallet.authenticator.authenticate { [self] result in
                let expiry = wallet.clock.now + wallet.configuration.authenticationValidity
                handle(.authentication(result, expiry: expiry))
            }
        case .dismissPrompt:
            wallet.authenticator.dismiss()
        case .wipe:
            // What cannot be dropped now is dropped before anything is paid.
            try? wallet.wipe()
        case .tellAuthenticated:
            continuation.yield(.authenticationCompleted)
        case .watchField:
            wallet.claimField(for: self)
            use { () throws(CardFieldError) in try wallet.field.watch(self) }
        case .prepareCard(let id, let isAuthenticated):
            prepareCard(id, isAuthenticated: isAuthenticated)
        case .showCard:
            if use({ () throws(CardFieldError) in try wallet.field.present(self) }) {
                concludeEmulation(isShown: true)
            }
            // Now nobody keeps the reader that is there from the card.
            if core.withLock({ $0.takeHiddenReader() }) {
                handle(.fieldOn(now: wallet.clock.now))
            }
        case .startTimer:
            startTimer()
        case .topUp(let id):
            topUp(id)
        case .tellConnected:
            continuation.yield(.posConnected)
        case .tellDisconnected:
            continuation.yield(.posDisconnected)
        case .succeed(let cryptogram, let id):
            let context = TransactionContext(cryptogram, by: id)
            wallet.record(HistoryEntry(context, seconds: wallet.configuration.now()))
            continuation.yield(.transactionCompleted(context))
            finish()
        case .fail(let error):
            continuation.yield(.errorEncountered(error))
            finish()
        case .withdraw:
            withdraw()
        }
    }

    private func concludeEmulation(isShown: Bool) {
        for continuation in core.withLock({ $0.concludeEmulation(isShown: isShown) }) {
            continuation.resume(returning: isShown)
        }
    }

    private func finish() {
        concludeEmulation(isShown: false)
        continuation.finish()
        for authentication in core.withLock({ exchange(&$0.authentications, with: []) }) {
            authentication.release()
        }
    }

    /// Does something with the radio; the session ends when that fails.
    /// - Returns: Whether it did not.
    @discardableResult
    private func use(_ action: () throws(CardFieldError) -> Void) -> Bool {
        do throws(CardFieldError) {
            try action()
            return true
        } catch {
            handle(.stop(PaymentError(error)))
            return false
        }
    }

    private func prepareCard(_ id: DigitalCard.ID, isAuthenticated: Bool) {
        do throws(PaymentError) {
            // A closure cannot consume what it captures, but it can take it out of an optional.
            var card: Card? = try wallet.makeCard(id, isAuthenticated: isAuthenticated)
            core.withLock { core in
                core.card = card.take()
                core.cardID = id
            }
            handle(.cardReady)
        } catch {
            handle(.stop(error))
        }
    }

    /// Ends the session when the card may not pay any more, as when another program has suspended or deleted it.
    /// - Returns: Whether it may.
    @discardableResult
    func checkCard(_ id: DigitalCard.ID) -> Bool {
        do throws(PaymentError) {
            _ = try wallet.activeCard(id)
            return true
        } catch {
            handle(.stop(error))
            return false
        }
    }

    private func topUp(_ id: DigitalCard.ID) {
        guard checkCard(id) else { return }
        let held = core.withLock { $0.card?.reservedKeyCount() ?? 0 }
        let missing = wallet.configuration.reservedKeyCount - held
        do throws(PaymentKeyStoreError) {
            let limit = try wallet.keys.reserve(missing, of: id) { key in
                var key: PaymentKey? = consume key
                core.withLock { core in
                    if let key = key.take() { core.reserve(key) }
                }
            }
            core.withLock { $0.limitAmount(toMinorUnits: limit) }
        } catch {
            handle(.stop(.keychainError))
        }
        if core.withLock({ $0.card?.reservedKeyCount() == 0 }) { handle(.stop(.noPaymentKeys)) }
    }

    private func startTimer() {
        let number = core.withLock { core in
            core.timer?.cancel()
            core.timerNumber += 1
            return core.timerNumber
        }
        let timer = wallet.clock.call(after: wallet.configuration.sessionDuration) { [weak self] in
            self?.timeUp(number)
        }
        core.withLock { $0.timer = timer }
    }

    private func timeUp(_ number: Int) {
        let now = wallet.clock.now
        core.withLock { core in
            guard core.timerNumber == number else { return }
            core.handle(.timeUp(now: now))
        }
        drain()
    }

    private func withdraw() {
        wallet.field.withdraw(self)
        guard
            let id = core.withLock({ core in
                core.timer?.cancel()
                core.timer = nil
                core.timerNumber += 1
                return core.cardID
            })
        else { return }
        var unused = core.withLock { $0.dropCard() }
        // Keys that cannot be given back are wasted, which is all that may happen to them.
        try? wallet.giveBack(to: id) { unused.pop() }
    }
}
