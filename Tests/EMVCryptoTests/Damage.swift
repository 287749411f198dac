/// Every way to damage `bytes` a little: each byte changed, each proper prefix, one byte more.
func damaged(_ bytes: [UInt8]) -> [[UInt8]] {
    let changed = bytes.indices.map { index in
        var copy = bytes
        copy[index] ^= 0x01
        return copy
    }
    return changed + bytes.indices.map { [UInt8](bytes[..<$0]) } + [bytes + [0], [0] + bytes]
}
