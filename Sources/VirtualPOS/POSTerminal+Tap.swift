public import EMVData
public import TerminalKernels
public import Transport

extension POSTerminal {
    /// What a tap needs from the world around the terminal.
    public struct Surroundings<Timer: Clock> where Timer.Duration == Duration {
        /// Measures how long the card takes.
        public var clock: Timer
        /// Lets time pass, as a hold time asks for it; blocks until it has.
        public var wait: (Duration) -> Void
        /// Whether somebody presents a card, asked with 1 the first time; blocks until one is there.
        public var presentCard: (Int) -> Bool
        /// Told of everything as it happens.
        public var observe: (TapEvent) -> Void

        /// Collects the parts; by default a card is presented once, no time passes and nobody watches.
        public init(
            clock: Timer,
            wait: @escaping (Duration) -> Void = { _ in },
            presentCard: @escaping (Int) -> Bool = { $0 == 1 },
            observe: @escaping (TapEvent) -> Void = { _ in }
        ) {
            self.clock = clock
            self.wait = wait
            self.presentCard = presentCard
            self.observe = observe
        }
    }

    /// Takes a payment: runs the entry point over a card, asks the issuer where the outcome says so, and prints
    /// a receipt.
    ///
    /// Blocks the calling thread while the card answers.
    /// - Parameters:
    ///   - transaction: The payment.
    ///   - card: The way to the card; it is given back in any case.
    ///   - host: Who answers for the issuer; nil when nobody can be asked.
    ///   - environment: Chance, keys and lists for the kernels.
    ///   - surroundings: Time, people and observers.
    /// - Returns: What became of it.
    /// - Throws: `TransportError` when the way to the card fails, or a recorded card is asked something else than
    ///   was recorded. A card that leaves or stays silent is an outcome, not an error.
    public func tap<Card: Transport & ~Copyable, Timer: Clock>(
        _ transaction: Transaction,
        over card: inout Card,
        host: (any AuthorizationHost)?,
        environment: inout some KernelEnvironment,
        surroundings: Surroundings<Timer>
    ) throws(TransportError) -> TapReport {
        var point = EntryPoint(configuration: reader, transaction: transaction)
        var driver = TapDriver(card, surroundings)
        let conclusion: Conclusion
        do throws(TransportError) {
            conclusion = try driver.run(&point, environment: &environment)
        } catch {
            card = driver.unwrapped()
            throw error
        }
        let report = report(transaction, conclusion, host, &driver)
        card = driver.unwrapped()
        return report
    }
}
