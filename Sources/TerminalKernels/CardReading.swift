package import BERTLV
package import EMVData
package import ISO7816

/// The parts of reading a card that all kernels share, one at a time, for recorded exchanges.
///
/// A command is a closure's business here: it gets the bytes of the command and gives those of the response.
package enum CardReading {
    /// Why a card could not be read.
    package enum Failure: Error, Hashable {
        /// The card answered with another status word than 9000.
        case status(StatusWord)
        /// An answer, or this object in it, is malformed or there twice.
        case malformed(Tag?)
        /// An object is mandatory and not there.
        case missing(Tag?)
        /// An object's value makes no sense.
        case wrong(Tag?)
    }

    /// The applications a terminal would offer, the first to be selected in front.
    /// - Parameters:
    ///   - records: The answers that hold directory entries (61), without status words.
    ///   - names: The names the terminal knows.
    /// - Returns: The labels (50) of those that match.
    /// - Throws: `Failure` when a record is no template.
    package static func candidates(
        in records: [[UInt8]],
        for names: [ApplicationIdentifier]
    ) throws -> [[UInt8]] {
        var entries: [PaymentDirectory.Entry] = []
        for record in records {
            let template = try perform { try CardResponse.template(record, .recordTemplate) }
            entries += template.objects.filter { $0.tag == .applicationTemplate }
                .compactMap(PaymentDirectory.Entry.init)
        }
        let combinations = names.enumerated().map { index, name in
            let kernel = KernelIdentifier.default(forRID: name.rid)
            return (
                index: index,
                combination: Combination(
                    applicationIdentifier: name,
                    kernelIdentifier: kernel,
                    transactionTypes: []
                )
            )
        }
        return Candidate.list(entries, combinations).map { $0.entry.label ?? [] }
    }

    /// Sends GET PROCESSING OPTIONS for a card that answered to SELECT.
    /// - Parameters:
    ///   - selection: The answer to SELECT, without its status word.
    ///   - terminal: The values the terminal has.
    ///   - transmit: Sends a command.
    /// - Returns: The objects of the answer.
    /// - Throws: `Failure`, `EMVDataError` for a malformed PDOL, or what `transmit` throws.
    package static func processingOptions(
        after selection: [UInt8],
        terminal: [Tag: [UInt8]],
        transmit: ([UInt8]) throws -> [UInt8]
    ) throws -> [Tag: [UInt8]] {
        let template = try perform { try CardResponse.template(selection, .fileControlInformation) }
        let list = TLV.first(.processingOptionsList, in: [template])?.value ?? []
        let values = try DataObjectList(parsing: list).fill { terminal[$0] }
        guard let command = CommandAPDU.getProcessingOptions(values) else {
            throw Failure.wrong(.processingOptionsList)
        }
        let body = try exchange(command, transmit)
        var database = KernelDatabase(kernel: .kernel2, terminal: terminal)
        try perform {
            let answer = try CardResponse.template(body, .responseTemplate2, .responseTemplate1)
            try database.store(CardResponse.processingOptions(answer))
            _ = try database.require(.applicationInterchangeProfile)
        }
        return database.card
    }

    /// Reads every record a locator names, and wants what kernel 2 wants in them.
    /// - Parameters:
    ///   - locator: The Application File Locator (94).
    ///   - transmit: Sends a command.
    /// - Returns: The objects, and the static data to be authenticated.
    /// - Throws: `Failure`, or what `transmit` throws.
    package static func records(
        _ locator: [UInt8],
        transmit: ([UInt8]) throws -> [UInt8]
    ) throws -> (objects: [Tag: [UInt8]], staticData: [UInt8]) {
        var reader = try perform { try RecordReader(locator) }
        var database = KernelDatabase(kernel: .kernel2, terminal: [:])
        while let command = reader.command {
            let body = try exchange(command, transmit)
            try perform { try database.store(reader.receive(body)) }
        }
        try perform {
            for tag in [
                Tag.applicationPAN, .applicationExpirationDate, .cardRiskManagementList1,
            ] {
                _ = try database.require(tag)
            }
        }
        return (database.card, reader.staticData ?? [])
    }

    private static func exchange(
        _ command: CommandAPDU,
        _ transmit: ([UInt8]) throws -> [UInt8]
    ) throws -> [UInt8] {
        let response = try ResponseAPDU(parsing: transmit(command.bytes))
        guard response.status == .success else { throw Failure.status(response.status) }
        return response.body
    }

    /// Turns the room's own error into one that others can see.
    private static func perform<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let fault as CardFault {
            switch fault.l2 {
            case .cardDataMissing: throw Failure.missing(fault.tag)
            case .parsingError: throw Failure.malformed(fault.tag)
            default: throw Failure.wrong(fault.tag)
            }
        }
    }
}
