import BERTLV
import EMVCrypto
import EMVData
import Foundation
import Octets
import Profiles
import Transport
import VirtualPOS

/// A tap as `tools/verify-taps` reads it; its help says what each field means.
struct TapLine: Encodable {
    private var tap: UInt64
    private var scheme: String
    private var masterKey: String
    private var derivation: String
    private var authorities: [Authority]
    private var exchanges: [Exchange]
    private var chipData: String?
    private var responseCode: String?
    private var issuerAuthenticationData: String?

    private struct Authority: Encodable {
        var rid: String
        var index: String
        var modulus: String
        var exponent: String
    }

    private struct Exchange: Encodable {
        var command: String
        var response: String
    }

    /// Writes down a tap; nil when the card made no cryptogram in it.
    init?(number: UInt64, _ report: TapReport, _ party: RandomParty) {
        guard report.receipt != nil else { return nil }
        tap = number
        scheme = party.scheme.rawValue
        masterKey = party.masterKey.hex
        derivation = party.derivation == .optionA ? "A" : "B"
        authorities = party.authorities.map { key in
            Authority(
                rid: key.rid.hex,
                index: key.index.hex,
                modulus: key.modulus.hex,
                exponent: key.exponent.hex
            )
        }
        exchanges = report.exchanges.map { exchange in
            let response = (try? exchange.result.get()) ?? []
            return Exchange(command: exchange.command.hex, response: response.hex)
        }
        chipData = report.request?.de55.hex
        responseCode = report.response?.responseCode
        issuerAuthenticationData = report.response?.issuerAuthenticationData?.hex
    }

    /// The line.
    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }
}
