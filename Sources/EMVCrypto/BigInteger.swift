internal import CLibcrypto
import Octets

/// An integer inside libcrypto, cleansed when dropped.
@safe
struct BigInteger: ~Copyable {
    /// libcrypto's number, for as long as this lives.
    @unsafe let pointer: OpaquePointer

    /// Creates zero, with `BN_new`.
    init() {
        guard let pointer = unsafe BN_new() else { fatalError("out of memory") }
        unsafe self.pointer = pointer
    }

    /// Reads a number, most significant byte first, with `BN_bin2bn`.
    init(_ bytes: Span<UInt8>) {
        let number = unsafe bytes.withUnsafeBufferPointer {
            unsafe BN_bin2bn($0.baseAddress, Int32($0.count), nil)
        }
        guard let pointer = unsafe number else { fatalError("out of memory") }
        unsafe self.pointer = pointer
    }

    /// Cleanses and frees the number, with `BN_clear_free`.
    deinit { unsafe BN_clear_free(pointer) }

    /// Lends the integer to `builder` under libcrypto's parameter name.
    @unsafe
    borrowing func push(_ name: StaticString, to builder: OpaquePointer) -> Bool {
        unsafe name.utf8Start.withMemoryRebound(
            to: CChar.self,
            capacity: name.utf8CodeUnitCount + 1
        ) {
            unsafe OSSL_PARAM_BLD_push_BN(builder, $0, pointer) == 1
        }
    }

    /// Becomes `base` raised to `power` modulo the odd `modulus`, with `BN_mod_exp`.
    ///
    /// Returns false when libcrypto fails. Not constant time, so for public numbers only.
    borrowing func set(
        _ base: borrowing BigInteger,
        power: borrowing BigInteger,
        modulo modulus: borrowing BigInteger
    ) -> Bool {
        guard let scratch = unsafe BN_CTX_new() else { return false }
        defer { unsafe BN_CTX_free(scratch) }
        return unsafe BN_mod_exp(pointer, base.pointer, power.pointer, modulus.pointer, scratch)
            == 1
    }

    /// Appends the number as exactly `byteCount` bytes, zeros on the left, with `BN_bn2binpad`.
    borrowing func append(byteCount: Int, to output: inout OutputSpan<UInt8>) {
        output.append(repeating: 0, count: byteCount)
        var whole = output.mutableSpan
        var target = whole._mutatingExtracting(last: byteCount)
        let written = unsafe target.withUnsafeMutableBufferPointer {
            unsafe BN_bn2binpad(pointer, $0.baseAddress, Int32(byteCount))
        }
        precondition(Int(written) == byteCount)
    }

    /// Reports whether both numbers are equal, with `BN_cmp`.
    borrowing func isEqual(to other: borrowing BigInteger) -> Bool {
        unsafe BN_cmp(pointer, other.pointer) == 0
    }

    /// Reports whether the number is below another, with `BN_cmp`.
    borrowing func isBelow(_ other: borrowing BigInteger) -> Bool {
        unsafe BN_cmp(pointer, other.pointer) < 0
    }

    /// Reports whether the product with another number is 1 modulo a third, with `BN_mod_mul`.
    borrowing func isInverse(
        of other: borrowing BigInteger,
        modulo modulus: borrowing BigInteger
    ) -> Bool {
        guard let scratch = unsafe BN_CTX_new() else { return false }
        defer { unsafe BN_CTX_free(scratch) }
        let product = BigInteger()
        let isDone = unsafe BN_mod_mul(
            product.pointer,
            pointer,
            other.pointer,
            modulus.pointer,
            scratch
        )
        return unsafe isDone == 1 && BN_is_one(product.pointer) == 1
    }

    /// The number one below; nil for 0 and 1.
    borrowing func predecessor() -> BigInteger? {
        let result = BigInteger()
        guard unsafe BN_copy(result.pointer, pointer) != nil,
            unsafe BN_sub_word(result.pointer, 1) == 1,
            unsafe BN_is_zero(result.pointer) == 0, unsafe BN_is_negative(result.pointer) == 0
        else { return nil }
        return result
    }
}
