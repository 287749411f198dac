import EMVData

/// Which way of verifying the cardholder a CVM list and a terminal agree on (EMV Book C-2, 7.5).
///
/// Kernel 2 does not perform the method: a signature or an online PIN is left to the reader, so that the choice
/// alone is a success.
struct CardholderVerification {
    /// What the terminal can do, for this amount.
    var capabilities: TerminalCapabilities
    /// The amount.
    var amount: Amount
    /// Transaction Type (9C).
    var type: TransactionType
    /// Whether nobody attends the terminal.
    var isUnattended: Bool
    /// Application Currency Code (9F42); nil when the card has none.
    var applicationCurrency: Currency?

    /// What was chosen.
    struct Choice: Hashable {
        /// What the reader has to do.
        var cvm: Outcome.CVM
        /// CVM Results (9F34).
        var results: CVMResults
        /// Whether a method was met that the kernel does not know.
        var hasUnrecognisedCVM = false

        /// Whether cardholder verification was not successful.
        var isFailed: Bool { results.result == .failed }
    }

    /// Takes the first rule that applies and succeeds.
    func choose(from list: CVMList) -> Choice {
        var hasUnrecognisedCVM = false
        func finish(_ cvm: Outcome.CVM, _ results: CVMResults) -> Choice {
            Choice(cvm: cvm, results: results, hasUnrecognisedCVM: hasUnrecognisedCVM)
        }

        for (index, rule) in list.rules.enumerated() where applies(rule, list) {
            if isRecognised(rule.code.method) {
                if let cvm = supported(rule.code.method) {
                    let result: CVMResults.Result = cvm == .noCVM ? .successful : .unknown
                    return finish(cvm, CVMResults(rule.code, rule.condition, result))
                }
            } else {
                hasUnrecognisedCVM = true
            }
            let isLast = index == list.rules.count - 1
            if rule.code.appliesSucceedingRuleIfUnsuccessful, !isLast { continue }
            // CVM.22 to CVM.25: only "fail CVM processing" is reported as the method it is.
            let isFailRule = rule.code.method == .fail
            return finish(
                .noCVM,
                isFailRule
                    ? CVMResults(rule.code, rule.condition, .failed)
                    : CVMResults(.notPerformed, .always, .failed)
            )
        }
        return finish(.noCVM, CVMResults(.notPerformed, .always, .failed))
    }

    /// Whether the condition of a rule is known, its data are there and it holds (CVM.10 to CVM.12).
    private func applies(_ rule: CVMList.Rule, _ list: CVMList) -> Bool {
        let isUnattendedCash = isUnattended && type == .cash
        return switch rule.condition {
        case .always: true
        case .unattendedCash: isUnattendedCash
        case .notCashOrCashback: !isUnattendedCash && !isManualCash && type != .cashback
        case .terminalSupportsCVM: supported(rule.code.method) != nil
        case .manualCash: isManualCash
        case .cashback: type == .cashback
        case .underX: isInApplicationCurrency && amount.minorUnits < list.amountX
        case .overX: isInApplicationCurrency && amount.minorUnits > list.amountX
        case .underY: isInApplicationCurrency && amount.minorUnits < list.amountY
        case .overY: isInApplicationCurrency && amount.minorUnits > list.amountY
        default: false
        }
    }

    /// Cash that an attendant pays out.
    private var isManualCash: Bool { type == .manualCash || type == .cash && !isUnattended }

    private var isInApplicationCurrency: Bool { applicationCurrency == amount.currency }

    /// Whether the book gives the method a meaning (CVM.15).
    private func isRecognised(_ method: CVMCode) -> Bool {
        0x00...0x05 ~= method.rawValue || method == .signature || method == .noCVM
    }

    /// What the reader has to do for a method; nil when the terminal does not support it (CVM.17).
    private func supported(_ method: CVMCode) -> Outcome.CVM? {
        switch method {
        case .onlinePIN where capabilities.supportsOnlinePIN: .onlinePIN
        case .signature where capabilities.supportsSignature: .obtainSignature
        case .noCVM where capabilities.supportsNoCVM: .noCVM
        default: nil
        }
    }
}
