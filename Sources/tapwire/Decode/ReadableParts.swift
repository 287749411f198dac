import BERTLV
import EMVData
import ISO7816
import Octets

// What can be read of values that are malformed: what stands before the fault.

extension DataObjectList {
    /// Reads the entries before the first that is malformed.
    init(readable bytes: [UInt8]) {
        do throws(EMVDataError) { self = try DataObjectList(parsing: bytes) } catch {
            let before = try? DataObjectList(parsing: Array(bytes.prefix(error.offset)))
            self = before ?? DataObjectList(entries: [])
        }
    }
}

extension ApplicationFileLocator {
    /// Reads the ranges before the first that is malformed.
    init(readable bytes: [UInt8]) {
        var readable = Array(bytes.prefix(Self.maximumByteCount))
        while !readable.isEmpty {
            do throws(EMVDataError) {
                self = try ApplicationFileLocator(parsing: readable)
                return
            } catch {
                readable = Array(readable.prefix(min(error.offset, readable.count - 1) / 4 * 4))
            }
        }
        self.init(entries: [])
    }
}

extension CVMList {
    /// Reads the rules that are whole; nil without both amounts.
    init?(readable bytes: [UInt8]) {
        guard let list = try? CVMList(parsing: Array(bytes.dropLast(bytes.count % 2))) else {
            return nil
        }
        self = list
    }
}

extension Decoding.Fault {
    /// What keeps a value from being read as its object is; nil where nothing does.
    /// - Parameters:
    ///   - value: The value; an empty one is not looked at.
    ///   - tag: Its tag.
    ///   - definition: What it is; nil for a tag nobody knows.
    init?(in value: [UInt8], of tag: Tag, _ definition: DataObjectDefinition?) {
        guard !value.isEmpty else { return nil }
        do throws(EMVDataError) {
            switch tag {
            case .applicationFileLocator: _ = try ApplicationFileLocator(parsing: value)
            case .cvmList: _ = try CVMList(parsing: value)
            case .track2EquivalentData, .track2Data: _ = try Track2(parsing: value)
            case .track1Data: _ = try Track1(parsing: value)
            case .applicationPAN: _ = try PrimaryAccountNumber(parsing: value)
            case .issuerScriptCommand: try Self.checkCommand(value)
            case .staticDataAuthenticationTagList: try Self.checkTags(value)
            case _ where ValueParts.isList(tag, definition):
                _ = try DataObjectList(parsing: value)
            default: break
            }
        } catch {
            self.init(error)
            return
        }
        return nil
    }

    private static func checkCommand(_ value: [UInt8]) throws(EMVDataError) {
        do throws(APDUError) { _ = try CommandAPDU(parsing: value) } catch {
            switch error {
            case .tooShort(let count): throw EMVDataError(.truncated, at: count)
            case .lengthMismatch(let count): throw EMVDataError(.wrongLength, at: min(4, count))
            }
        }
    }

    private static func checkTags(_ value: [UInt8]) throws(EMVDataError) {
        var reader = TLVReader(value.span)
        while reader.offset < value.count {
            let start = reader.offset
            guard (try? reader.readTag()) != nil else {
                throw EMVDataError(.malformedList, at: start)
            }
        }
    }
}
