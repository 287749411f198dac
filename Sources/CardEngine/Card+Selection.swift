import ISO7816
import Octets

extension Card {
    /// SELECT by name, first or next occurrence (EMV Book 1, 11.3).
    ///
    /// A name may be given by its first bytes alone. `Next` continues behind the selected application and ends
    /// with 6A82, so that a terminal which asks until it is refused comes to an end.
    mutating func select(
        _ command: borrowing CommandView,
        into response: inout OutputSpan<UInt8>
    ) -> Answer {
        let first: Int
        switch command.parameters {
        case 0x0400:
            if command.body.hasSameBytes(as: paymentSystemEnvironmentName.span) {
                response.append(copying: image.directory.span)
                enter(.idle)
                return .done(.environmentSelected)
            }
            first = 0
        case 0x0402:
            guard let selected = selectedApplication else { return .refused(.fileNotFound) }
            first = selected + 1
        default:
            return .refused(.incorrectParameters)
        }
        guard let index = image.applicationIndex(named: command.body, from: first) else {
            return .refused(.fileNotFound)
        }
        let application = image.applications[index]
        response.append(copying: application.selectionResponse.span)
        enter(.selected(application: index))
        return .done(.selected(application: index))
    }

    /// The place of the selected application on the card; nil when none is.
    var selectedApplication: Int? {
        switch state {
        case .idle: nil
        case .selected(let index), .initiated(let index): index
        }
    }

    /// Starts anew in another state; a transaction left open is given up and its key stays spent.
    private mutating func enter(_ newState: State) {
        state = newState
        openTransaction = nil
    }
}

/// 2PAY.SYS.DDF01, the name of the Proximity Payment System Environment (EMV Book B, 3.3.2).
private let paymentSystemEnvironmentName: [14 of UInt8] = [
    0x32, 0x50, 0x41, 0x59, 0x2E, 0x53, 0x59, 0x53, 0x2E, 0x44, 0x44, 0x46, 0x30, 0x31,
]
