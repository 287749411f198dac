import CMeasuredCalls

/// What commands are counted as.
enum CommandKind: String, CaseIterable {
    case selectEnvironment = "SELECT PPSE"
    case selectApplication = "SELECT AID"
    case processingOptions = "GET PROCESSING OPTIONS"
    case signedProcessingOptions = "GET PROCESSING OPTIONS, signed"
    case readRecord = "READ RECORD"
    case signedCryptogram = "GENERATE AC, signed"
    /// What no tap sends, and what cards refuse.
    case others = "other and refused commands"

    /// Sorts a command before it is answered.
    /// - Parameters:
    ///   - command: The command of a tap.
    ///   - isSigned: Whether the card will sign its answer to GET PROCESSING OPTIONS.
    init(_ command: [UInt8], isSigned: Bool) {
        switch command[1] {
        case 0xA4: self = command.count == 20 ? .selectEnvironment : .selectApplication
        case 0xA8: self = isSigned ? .signedProcessingOptions : .processingOptions
        case 0xB2: self = .readRecord
        default: self = .signedCryptogram
        }
    }

    /// Calls `body` below a function by which callgrind knows the kind.
    @unsafe
    func call(
        _ body: @convention(c) (UnsafeMutableRawPointer?) -> Void,
        _ context: UnsafeMutableRawPointer
    ) {
        switch self {
        case .selectEnvironment: unsafe measured_select_ppse(body, context)
        case .selectApplication: unsafe measured_select_aid(body, context)
        case .processingOptions: unsafe measured_processing_options(body, context)
        case .signedProcessingOptions: unsafe measured_signed_processing_options(body, context)
        case .readRecord: unsafe measured_read_record(body, context)
        case .signedCryptogram: unsafe measured_signed_cryptogram(body, context)
        case .others: unsafe measured_others(body, context)
        }
    }
}
