import BERTLV
import EMVData

/// The applications a card offers for contactless payment, as its PPSE lists them (EMV Book B, 3.3.2).
struct PaymentDirectory: Hashable {
    /// The name by which the directory is selected, 2PAY.SYS.DDF01.
    static let name = [UInt8]("2PAY.SYS.DDF01".utf8)

    /// One directory entry (61).
    struct Entry: Hashable {
        /// ADF Name (4F).
        var applicationIdentifier: ApplicationIdentifier
        /// Application Label (50).
        var label: [UInt8]?
        /// The rank, 1 the highest and 15 the lowest; an entry without one has the lowest.
        var priority: UInt8
        /// Kernel Identifier (9F2A).
        var kernelIdentifier: [UInt8]?
        /// Extended Selection (9F29).
        var extendedSelection: [UInt8]
    }

    /// The entries with a valid name, in order.
    var entries: [Entry]

    /// Reads the answer to SELECT PPSE.
    /// - Throws: `CardFault.malformed` when it is no file control information with a directory in it.
    init(_ body: [UInt8]) throws(CardFault) {
        let template = try CardResponse.template(body, .fileControlInformation)
        guard let proprietary = template.child(.fileControlInformationProprietary),
            let directory = proprietary.child(.issuerDiscretionaryData)
        else { throw .malformed(.issuerDiscretionaryData) }
        entries = directory.objects.filter { $0.tag == .applicationTemplate }.compactMap(Entry.init)
    }
}

extension PaymentDirectory.Entry {
    /// Reads an entry; nil when its name is missing or malformed, so that it is passed over (step A).
    init?(_ template: TLV) {
        guard
            let name = template.child(.applicationIdentifier)
                .flatMap({ ApplicationIdentifier(bytes: $0.value) })
        else { return nil }
        applicationIdentifier = name
        label = template.child(.applicationLabel)?.value
        let rank = template.child(.applicationPriority)?.value.first.map { $0 & 0x0F } ?? 0
        priority = rank == 0 ? 15 : rank
        kernelIdentifier = template.child(.kernelIdentifier)?.value
        extendedSelection = template.child(.extendedSelection)?.value ?? []
    }
}

extension TLV {
    /// The first object of `tag` directly inside this template.
    func child(_ tag: Tag) -> TLV? { objects.first { $0.tag == tag } }
}
