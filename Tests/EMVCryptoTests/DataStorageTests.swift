import EMVCrypto
import Octets
import Testing

@Suite("Data storage (EMV Book C-2, 8.2)")
struct DataStorageTests {
    @Test("Identifiers too short or too long have nothing", arguments: 0...13)
    func lengths(count: Int) {
        let identifier = [UInt8](repeating: 0x99, count: count)
        #expect((DataStorage.partialKey(identifier: identifier) != nil) == (count >= 6))
        let digest = DataStorage.digest(identifier: identifier, operatorIdentifier: 1, input: 2)
        #expect((digest != nil) == (count >= 6))
        let other = DataStorage.digestAES(identifier: identifier, operatorIdentifier: 1, input: 2)
        #expect((other != nil) == (count <= 11))
    }
}
