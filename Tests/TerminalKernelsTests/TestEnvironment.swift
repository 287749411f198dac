import EMVCrypto
import TerminalKernels

/// What a kernel gets from outside in a test: a fixed number, some keys and lists.
struct TestEnvironment: KernelEnvironment {
    var number: UInt32 = 0x0102_0304
    var keys: [CAPublicKey] = []
    var revokedSerialNumbers: [[UInt8]] = []
    var exceptionFile: [[UInt8]] = []

    func unpredictableNumber() -> UInt32 { number }

    func certificationAuthorityKey(rid: [UInt8], index: UInt8) -> CAPublicKey? {
        keys.first { $0.rid == rid && $0.index == index }
    }

    func isRevoked(rid: [UInt8], index: UInt8, serialNumber: [UInt8]) -> Bool {
        revokedSerialNumbers.contains(serialNumber)
    }

    func isOnExceptionFile(pan: [UInt8], sequenceNumber: UInt8?) -> Bool {
        exceptionFile.contains(pan)
    }
}
