public import BERTLV
import EMVData
import ISO7816
import Octets
public import Transport

extension Trace {
    /// One pass of a kernel through a recording: from a GET PROCESSING OPTIONS up to the next one.
    public struct Activation: Hashable, Sendable {
        /// Where the GET PROCESSING OPTIONS stands among the exchanges.
        public var index: Int
        /// DF name of the selected application (84); empty where the recording does not tell.
        public var dedicatedFileName: [UInt8]
        /// What the terminal gave for the card's PDOL.
        public var processingOptions: [TLV]
        /// What the terminal gave for the card's CDOL1; empty without a GENERATE AC.
        public var generateAC: [TLV]

        /// What the terminal gave for `tag`; the last list that asks for it counts.
        public func value(_ tag: Tag) -> [UInt8]? {
            (generateAC.last { $0.tag == tag } ?? processingOptions.last { $0.tag == tag })?.value
        }
    }

    /// Recovers what the recorded terminal told the card.
    ///
    /// A command carries only values; their tags come from the lists the card gave before: the PDOL in the
    /// response to SELECT, CDOL1 in the records.
    /// - Returns: The passes, in order.
    /// - Throws: `TraceError.Reason.misfit` when a list does not fit the values that answered it.
    public func activations() throws(TraceError) -> [Activation] {
        var activations: [Activation] = []
        var selected: [TLV] = []
        var records: [TLV] = []
        for (index, exchange) in wholeExchanges {
            let objects = exchange.objects
            guard let command = try? CommandAPDU(parsing: exchange.command) else { continue }
            // What was not recorded tells nothing, but a pass of the kernel it may be all the same.
            let isTelling = !exchange.isCommandPartial
            switch command.code {
            case .select:
                selected = objects
            case .getProcessingOptions:
                records = objects
                activations.append(
                    Activation(
                        index: index,
                        dedicatedFileName: TLV.first(.dedicatedFileName, in: selected)?.value ?? [],
                        processingOptions: isTelling
                            ? try Self.processingOptions(command, selected, index) : [],
                        generateAC: []
                    )
                )
            case .readRecord:
                records += objects
            case .generateAC where isTelling && activations.last?.generateAC.isEmpty ?? false:
                let list = try Self.list(.cardRiskManagementList1, in: records, index)
                // A card that stores data asks for more behind CDOL1 (DSDOL).
                guard command.body.count >= list.count,
                    let objects = list.split(Array(command.body.prefix(list.count)))
                else { throw TraceError(.misfit(exchange: index + 1)) }
                activations[activations.count - 1].generateAC = objects
            default: break
            }
        }
        return activations
    }

    /// The exchanges as terminal and card meant them: responses in one piece, lengths as they should have been.
    ///
    /// A command that was answered with 61xx goes together with each GET RESPONSE after it; one that was answered
    /// with 6Cxx is left out for the one after it. The index is that of the first exchange.
    public var wholeExchanges: [(index: Int, exchange: Exchange)] {
        var whole: [(index: Int, exchange: Exchange)] = []
        var isContinued = false
        for (index, exchange) in exchanges.enumerated() {
            let last = whole.count - 1
            let status = exchange.response?.status.firstByte
            let isCorrected = last >= 0 && whole[last].exchange.response?.status.firstByte == 0x6C
            if isContinued, exchange.command.starts(with: [0x00, 0xC0]),
                let body = whole[last].exchange.response?.body
            {
                whole[last].exchange.result = exchange.result.map { body + $0 }
            } else if isCorrected, !exchange.command.isEmpty,
                exchange.command.dropLast() == whole[last].exchange.command.dropLast()
            {
                whole[last].exchange.result = exchange.result
            } else {
                whole.append((index, exchange))
            }
            isContinued = status == 0x61
        }
        return whole
    }

    /// The terminal's data objects given by headers.
    public var headerObjects: [TLV] {
        headers.compactMap { header in
            if header.name == .date {
                return TransactionDate(text: header.value).map { TLV(.transactionDate, $0.bytes) }
            }
            guard let tag = header.name.tag, let value = try? [UInt8](hex: header.value) else {
                return nil
            }
            return TLV(tag, value)
        }
    }

    /// Splits the data of a GET PROCESSING OPTIONS by the PDOL.
    private static func processingOptions(
        _ command: CommandAPDU,
        _ selected: [TLV],
        _ index: Int
    ) throws(TraceError) -> [TLV] {
        let list = try list(.processingOptionsList, in: selected, index)
        guard let template = try? TLV.parseOne(command.body), template.tag == .commandTemplate
        else { throw TraceError(.misfit(exchange: index + 1)) }
        // A terminal that knows no list fills nothing in, and some cards let it.
        guard !template.value.isEmpty else { return [] }
        guard let objects = list.split(template.value) else {
            throw TraceError(.misfit(exchange: index + 1))
        }
        return objects
    }

    /// The list of that tag among a card's objects, empty where there is none.
    private static func list(
        _ tag: Tag,
        in objects: [TLV],
        _ index: Int
    ) throws(TraceError) -> DataObjectList {
        guard let value = TLV.first(tag, in: objects)?.value else {
            return DataObjectList(entries: [])
        }
        guard let list = try? DataObjectList(parsing: value) else {
            throw TraceError(.misfit(exchange: index + 1))
        }
        return list
    }
}

extension Exchange {
    /// The response; nil where there is none, or none that is whole.
    fileprivate var response: ResponseAPDU? {
        (try? result.get()).flatMap { try? ResponseAPDU(parsing: $0) }
    }

    /// The data objects of a successful response; none where it is anything else.
    fileprivate var objects: [TLV] {
        guard let response, response.status == .success else { return [] }
        return (try? TLV.parse(response.body)) ?? []
    }
}

extension StatusWord {
    fileprivate var firstByte: UInt16 { rawValue >> 8 }
}
