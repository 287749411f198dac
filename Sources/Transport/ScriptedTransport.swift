/// A card whose answers a script changes, for a terminal in the same process.
public struct ScriptedTransport<Base: Transport & ~Copyable>: Transport, ~Copyable {
    /// The way to the card.
    public var base: Base
    private var player: CardScriptPlayer
    private let wait: (Duration) -> Void

    /// Wraps a transport.
    /// - Parameters:
    ///   - base: The way to the card.
    ///   - script: What it shall answer.
    ///   - wait: Lets time pass.
    public init(
        _ base: consuming Base,
        _ script: CardScript,
        wait: @escaping (Duration) -> Void
    ) {
        self.base = base
        player = CardScriptPlayer(script)
        self.wait = wait
    }

    /// Raises the field of the transport below.
    /// - Throws: What the transport below throws.
    public mutating func fieldOn() throws(TransportError) {
        try base.fieldOn()
        player.beginTap()
    }

    /// Takes the field of the transport below away.
    public mutating func fieldOff() { base.fieldOff() }

    /// Answers as the script says, or as the card does.
    /// - Parameter command: A whole command APDU.
    /// - Returns: The response.
    /// - Throws: `cardRemoved` or `timeout` where the script says so, or what the transport below throws.
    public mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        guard let step = player.step(for: command) else { return try base.transmit(command) }
        let own = step.reachesCard ? try base.transmit(command) : []
        if step.answer.delay > .zero { wait(step.answer.delay) }
        switch step.answer.action {
        case .respond(let parts): return step.response(of: parts, to: command, own: own)
        case .leave:
            base.fieldOff()
            throw .cardRemoved
        case .staySilent: throw .timeout
        }
    }
}
