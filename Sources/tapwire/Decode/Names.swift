import BERTLV
import EMVCrypto
import EMVData
import IssuerHost
import NFCWallet
import Octets
import TerminalKernels
import VirtualPOS

// Words for what outcomes are made of: `word` for JSON, `text` for people.

extension KernelIdentifier? {
    /// What the kernel is called in a sentence.
    var name: String { map { "kernel \($0.rawValue)" } ?? "the kernel" }
}

extension Outcome.Status {
    var text: String {
        switch self {
        case .approved: "Approved"
        case .declined: "Declined"
        case .onlineRequest: "Online Request"
        case .endApplication: "End Application"
        case .selectNext: "Select Next"
        case .tryAnotherInterface: "Try Another Interface"
        case .tryAgain: "Try Again"
        }
    }

    var word: String {
        switch self {
        case .approved: "approved"
        case .declined: "declined"
        case .onlineRequest: "onlineRequest"
        case .endApplication: "endApplication"
        case .selectNext: "selectNext"
        case .tryAnotherInterface: "tryAnotherInterface"
        case .tryAgain: "tryAgain"
        }
    }
}

extension Outcome.Start {
    var word: String {
        switch self {
        case .a: "A"
        case .b: "B"
        case .c: "C"
        case .d: "D"
        }
    }
}

extension Outcome.OnlineResponseData {
    var word: String {
        switch self {
        case .emvData: "emvData"
        case .any: "any"
        }
    }
}

extension Outcome.CVM {
    var text: String {
        switch self {
        case .noCVM: "no CVM"
        case .obtainSignature: "signature"
        case .onlinePIN: "online PIN"
        case .confirmationCodeVerified: "verified on the device"
        }
    }

    var word: String {
        switch self {
        case .noCVM: "noCVM"
        case .obtainSignature: "obtainSignature"
        case .onlinePIN: "onlinePIN"
        case .confirmationCodeVerified: "confirmationCodeVerified"
        }
    }
}

extension Outcome.AlternateInterface {
    var text: String {
        switch self {
        case .contactChip: "contact chip"
        case .magneticStripe: "magnetic stripe"
        }
    }

    var word: String {
        switch self {
        case .contactChip: "contactChip"
        case .magneticStripe: "magneticStripe"
        }
    }
}

extension TapReport.Result {
    var text: String {
        switch self {
        case .approvedOffline: "APPROVED, offline"
        case .approvedOnline: "APPROVED, by the issuer"
        case .declinedOffline: "DECLINED, offline"
        case .declinedOnline: "DECLINED, by the issuer"
        case .unanswered: "NOT DECIDED: the issuer should decide, and nobody could be asked"
        case .ended: "ENDED without a decision"
        }
    }

    var word: String {
        switch self {
        case .approvedOffline: "approvedOffline"
        case .approvedOnline: "approvedOnline"
        case .declinedOffline: "declinedOffline"
        case .declinedOnline: "declinedOnline"
        case .unanswered: "unanswered"
        case .ended: "ended"
        }
    }
}

extension ErrorIndication {
    /// What went wrong, in words; nil when nothing did.
    var text: String? {
        var parts: [String] = []
        switch l1 {
        case .timeout: parts.append("the card did not answer in time")
        case .transmission: parts.append("the transmission failed")
        case .protocolViolation: parts.append("the card broke the protocol")
        case nil: break
        }
        switch l2 {
        case .ok: break
        case .cardDataMissing: parts.append("card data missing")
        case .camFailed: parts.append("offline data authentication failed")
        case .statusBytes: parts.append("unexpected status \(statusWord.hex)")
        case .parsingError: parts.append("card data cannot be read")
        case .maximumLimitExceeded: parts.append("amount over the limit")
        case .cardDataError: parts.append("card data contradict each other")
        case .magstripeNotSupported: parts.append("magnetic stripe mode is not supported")
        case .noPPSE: parts.append("no payment directory on the card")
        case .ppseFault: parts.append("the card's payment directory cannot be read")
        case .emptyCandidateList: parts.append("no application of the card is supported")
        case .terminalDataError: parts.append("terminal data wrong or missing")
        default: parts.append("error \([l2.rawValue].hex)")
        }
        switch l3 {
        case .ok: break
        case .timeout: parts.append("the terminal was too slow")
        case .stop: parts.append("the terminal stopped")
        case .amountNotPresent: parts.append("there is no amount")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

extension OfflineDataAuthentication {
    /// What it came to, in words.
    var text: String {
        switch self {
        case .notPerformed: "not performed"
        case .successful(let method): "\(method.text), successful"
        case .failed(let method, let failure): "\(method.text), failed: \(failure.text)"
        case .waived(let method): "\(method.text), not checked: the recording is masked"
        }
    }
}

extension OfflineDataAuthentication.Method {
    var text: String {
        switch self {
        case .staticData: "SDA"
        case .fastDynamicData: "fDDA"
        case .combined: "CDA"
        }
    }
}

extension OfflineDataAuthentication.Failure {
    var text: String {
        switch self {
        case .missing(let tag): "the card does not have \(tag)"
        case .unknownCAKey(let index): "the terminal does not have the CA key \([index].hex)"
        case .revokedIssuerCertificate: "the issuer's certificate is revoked"
        case .invalidTagList: "9F4A names more than 82"
        case .staticDataTooLong: "the static data are too long"
        case .issuerCertificate(let error): "issuer certificate, \(error)"
        case .iccCertificate(let error): "card certificate, \(error)"
        case .signature(let error): "signature, \(error)"
        case .differentCryptogramInformation: "the signed 9F27 is another one"
        case .differentTransactionData: "the signed transaction data are others"
        case .unsupportedVersion(let version): "version \([version].hex) of 9F69 is not supported"
        }
    }
}
