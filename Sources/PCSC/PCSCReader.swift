public import Transport

/// A reader as a terminal uses it: it waits for whatever card comes, and takes the field away again.
///
/// Between `fieldOn` and `fieldOff` no other program reaches the card.
public struct PCSCReader: Transport, ~Copyable {
    private let context: PCSCContext
    private let isGivenUp: @Sendable () -> Bool
    private var card: PCSCCard?
    /// The reader's name.
    public let name: String
    /// The answer to reset of the last card that came; empty before the first.
    public private(set) var answerToReset: [UInt8] = []

    /// Takes a reader into use; it need not have a card yet.
    /// - Parameters:
    ///   - name: The reader's whole name.
    ///   - context: The session that only this reader uses from now on.
    ///   - isGivenUp: Asked several times a second whether whoever waits for a card wants to wait no more.
    public init(
        name: String,
        context: consuming PCSCContext,
        isGivenUp: @escaping @Sendable () -> Bool = { false }
    ) {
        self.name = name
        self.context = context
        self.isGivenUp = isGivenUp
    }

    /// Whether this is a virtual reader of vsmartcard's vpcd, whose card never has to be taken away by hand.
    public var isVirtual: Bool { Self.isVirtual(name) }

    /// Whether a reader of that name is a virtual one of vsmartcard's vpcd.
    public static func isVirtual(_ name: String) -> Bool { name.hasPrefix("Virtual PCD") }

    /// How often `isGivenUp` is asked.
    private static var pollMilliseconds: UInt32 { 200 }

    /// Waits for a card, connects to it and keeps other programs off it.
    /// - Throws: `TransportError.timeout` when waiting was given up, or what the reader says.
    public mutating func fieldOn() throws(TransportError) {
        do throws(PCSCError) {
            card = nil
            var states = [PCSCReaderState(name: name)]
            while !isGivenUp() {
                try look(&states)
                guard states[0].flags.isCardPresent, !states[0].flags.isMute else { continue }
                guard try connect(isInUse: states[0].flags.isInUse) else { continue }
                answerToReset = states[0].answerToReset
                return
            }
        } catch {
            // No tap has begun that a card could have left.
            throw .reader(code: error.rawValue)
        }
        throw .timeout
    }

    /// Whether there is a card now.
    public func hasCard() throws(PCSCError) -> Bool {
        var states = [PCSCReaderState(name: name)]
        try look(&states)
        return states[0].flags.isCardPresent
    }

    /// Takes power or field from the card and lets other programs have it.
    public mutating func fieldOff() { card = nil }

    /// Sends a command to the card.
    public mutating func transmit(_ command: [UInt8]) throws(TransportError) -> [UInt8] {
        guard card != nil else { throw .cardRemoved }
        return try card?.transmit(command) ?? []
    }

    /// Waits until the card that is there now has left, or waiting is given up.
    /// - Returns: False when waiting was given up.
    /// - Throws: What the resource manager says.
    public func awaitRemoval() throws(PCSCError) -> Bool {
        var states = [PCSCReaderState(name: name)]
        try look(&states)
        let seen = states[0].flags
        while states[0].flags.isCardPresent, states[0].flags.cardEventCount == seen.cardEventCount {
            guard !isGivenUp() else { return false }
            try look(&states)
        }
        return true
    }

    /// Waits a while for a change of the reader.
    private func look(_ states: inout [PCSCReaderState]) throws(PCSCError) {
        _ = try context.waitForChange(of: &states, timeoutMilliseconds: Self.pollMilliseconds)
        if states[0].flags.isUnknown { throw .unknownReader }
        if states[0].flags.isUnavailable { throw .readerUnavailable }
    }

    /// Connects; false when the card has gone, or another program has just reset it.
    ///
    /// pcscd lets a connection wait, too, for as long as another program's transaction takes.
    private mutating func connect(isInUse: Bool) throws(PCSCError) -> Bool {
        do throws(PCSCError) {
            var found = try context.connect(to: name)
            found.disposition = .unpower
            try found.beginTransaction()
            card = consume found
            return true
        } catch {
            if error == .waitedTooLong, isInUse { throw .sharingViolation }
            guard error.isCardLost || error == .resetCard else { throw error }
            return false
        }
    }
}
