import BERTLV
import EMVData
import Profiles
import TerminalKernels
import Transport

extension POSTerminal {
    /// Goes online where the outcome asks for it, and sums up.
    func report<Card: Transport & ~Copyable, Timer: Clock>(
        _ transaction: Transaction,
        _ conclusion: Conclusion,
        _ host: (any AuthorizationHost)?,
        _ driver: inout TapDriver<Card, Timer>
    ) -> TapReport {
        let attempt = conclusion.attempts.last
        var outcome = conclusion.outcome
        if conclusion.isAbandoned, let last = attempt?.outcome { outcome = last }
        var request: AuthorizationRequest?
        var response: AuthorizationResponse?
        var result = TapReport.Result(outcome.status)
        if outcome.status == .onlineRequest, let attempt {
            let asked = AuthorizationRequest(attempt, outcome)
            driver.emit(.authorizationRequest(asked))
            let answer = host?.authorize(asked)
            driver.emit(.authorizationResponse(answer))
            if let answer {
                result = answer.isApproved ? .approvedOnline : .declinedOnline
                if answer.issuerAuthenticationData != nil { driver.emit(.issuerDataNotDelivered) }
                driver.emit(.message(answer.message(outcome.cvm)))
            }
            request = asked
            response = answer
        }
        return TapReport(
            transaction: transaction,
            result: result,
            outcome: outcome,
            attempt: attempt,
            request: request,
            response: response,
            receipt: result == .ended
                ? nil
                : attempt.flatMap {
                    Receipt(transaction, $0, outcome, result, response, configuration.merchant.name)
                },
            events: driver.events
        )
    }
}

extension Conclusion {
    /// Whether nobody came back to a reader that asked for the card again: what the merchant sees is that it asked.
    var isAbandoned: Bool {
        outcome.error.l3 == .stop && attempts.last?.outcome.status == .tryAgain
    }
}

extension TapReport.Result {
    /// How an outcome ends as long as no issuer has answered.
    fileprivate init(_ status: Outcome.Status) {
        self =
            switch status {
            case .approved: .approvedOffline
            case .declined: .declinedOffline
            case .onlineRequest: .unanswered
            case .endApplication, .selectNext, .tryAnotherInterface, .tryAgain: .ended
            }
    }
}

extension AuthorizationResponse {
    /// What the screen says to the issuer's decision.
    fileprivate func message(_ cvm: Outcome.CVM?) -> UserInterfaceRequest {
        guard isApproved else { return UserInterfaceRequest(.notAuthorised, .idle) }
        return UserInterfaceRequest(
            cvm == .obtainSignature ? .approvedPleaseSign : .approved,
            .idle
        )
    }
}
