import EMVData
import Octets
import Testing

@testable import TerminalKernels

/// Pre-processing, EMV Book B, 3.1.1.
@Suite("Pre-processing")
struct PreProcessingTests {
    private static func indicators(
        _ minorUnits: UInt64,
        currency: Currency = .eur,
        qualifiers: UInt32? = 0x2680_4000 | 0x00C0_0000,
        comparison: ReaderConfiguration.FloorLimitComparison = .over,
        _ change: (inout Combination) -> Void = { _ in }
    ) throws -> EntryPointIndicators {
        var combination = Combination(
            applicationIdentifier: try RecordedTerminal.aid(VisaCard.aid),
            kernelIdentifier: .kernel3,
            transactionTypes: [.purchase],
            terminalTransactionQualifiers: qualifiers.map(
                TerminalTransactionQualifiers.init(rawValue:)
            )
        )
        change(&combination)
        return EntryPointIndicators(
            combination,
            amount: try #require(Amount(minorUnits: minorUnits, currency: currency)),
            floorLimitComparison: comparison
        )
    }

    @Test("The dynamic bits of the qualifiers are cleared (3.1.1.2)")
    func cleared() throws {
        let indicators = try Self.indicators(1000)
        #expect(indicators.terminalTransactionQualifiers?.bytes.hex == "26004000")
        #expect(!indicators.isNotAllowed)
        #expect(try Self.indicators(1000, qualifiers: nil).terminalTransactionQualifiers == nil)
    }

    @Test(
        "Status check: one unit of the currency, whatever its decimals (3.1.1.3, 3.1.1.10)",
        arguments: [
            (100, Currency.eur, true), (101, .eur, false), (1, .jpy, true), (100, .jpy, false),
        ] as [(UInt64, Currency, Bool)]
    )
    func statusCheck(minorUnits: UInt64, currency: Currency, isRequested: Bool) throws {
        let indicators = try Self.indicators(minorUnits, currency: currency) {
            $0.supportsStatusCheck = true
        }
        #expect(indicators.isStatusCheckRequested == isRequested)
        #expect(
            indicators.terminalTransactionQualifiers?.requiresOnlineCryptogram == isRequested
        )
        #expect(try !Self.indicators(100).isStatusCheckRequested)
    }

    @Test("Nothing to pay (3.1.1.4, 3.1.1.11)")
    func zeroAmount() throws {
        let online = try Self.indicators(0)
        #expect(online.isZeroAmount && !online.isNotAllowed)
        #expect(online.terminalTransactionQualifiers?.requiresOnlineCryptogram == true)
        #expect(try Self.indicators(0, qualifiers: 0x2E00_4000).isNotAllowed)
        #expect(try Self.indicators(0) { $0.allowsZeroAmount = false }.isNotAllowed)
        #expect(try !Self.indicators(0) { $0.allowsZeroAmount = true }.isNotAllowed)
        #expect(try !Self.indicators(0, qualifiers: nil).isNotAllowed)
    }

    @Test(
        "The transaction limit counts from the limit on (3.1.1.5)",
        arguments: [
            (9999, false), (10000, true), (10001, true),
        ] as [(UInt64, Bool)]
    )
    func transactionLimit(minorUnits: UInt64, isNotAllowed: Bool) throws {
        let indicators = try Self.indicators(minorUnits) { $0.limits.transaction = 10000 }
        #expect(indicators.isNotAllowed == isNotAllowed)
    }

    @Test(
        "The floor limit counts above it, or from it on (3.1.1.6, 3.1.1.9; named option)",
        arguments: [
            (1999, ReaderConfiguration.FloorLimitComparison.over, false), (2000, .over, false),
            (2001, .over, true), (1999, .atOrOver, false), (2000, .atOrOver, true),
        ] as [(UInt64, ReaderConfiguration.FloorLimitComparison, Bool)]
    )
    func floorLimit(
        minorUnits: UInt64,
        comparison: ReaderConfiguration.FloorLimitComparison,
        isExceeded: Bool
    ) throws {
        let contactless = try Self.indicators(minorUnits, comparison: comparison) {
            $0.limits.floor = 2000
            $0.limits.terminalFloor = 1
        }
        #expect(contactless.isFloorLimitExceeded == isExceeded)
        #expect(
            contactless.terminalTransactionQualifiers?.requiresOnlineCryptogram == isExceeded
        )
        // 3.1.1.7: the terminal's floor limit counts where there is no contactless one.
        let terminal = try Self.indicators(minorUnits, comparison: comparison) {
            $0.limits.terminalFloor = 2000
        }
        #expect(terminal.isFloorLimitExceeded == isExceeded)
        #expect(try !Self.indicators(minorUnits).isFloorLimitExceeded)
    }

    @Test(
        "The CVM limit counts from the limit on (3.1.1.8, 3.1.1.12)",
        arguments: [
            (4999, false), (5000, true), (5001, true),
        ] as [(UInt64, Bool)]
    )
    func cvmLimit(minorUnits: UInt64, isExceeded: Bool) throws {
        let indicators = try Self.indicators(minorUnits) { $0.limits.cvm = 5000 }
        #expect(indicators.isCVMLimitExceeded == isExceeded)
        #expect(indicators.terminalTransactionQualifiers?.requiresCVM == isExceeded)
    }
}
