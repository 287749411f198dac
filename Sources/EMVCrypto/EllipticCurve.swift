#if !hasFeature(Embedded)
internal import CLibcrypto
import Octets

/// Points and numbers of a curve, computed by libcrypto.
///
/// A point is its two coordinates one after another. Running out of memory traps; what else can fail returns nil.
@safe
struct EllipticCurve: ~Copyable {
    private let group: OpaquePointer
    private let scratch: OpaquePointer
    private let order: BigInteger
    /// The bytes of a coordinate.
    let fieldByteCount: Int

    /// Takes up a curve; nil for a suite not known here.
    init?(_ suite: SignatureSuite) {
        guard let parameters = suite.parameters else { return nil }
        guard let group = unsafe EC_GROUP_new_by_curve_name(parameters.curve),
            let scratch = unsafe BN_CTX_secure_new()
        else { fatalError("out of memory") }
        unsafe self.group = group
        unsafe self.scratch = scratch
        order = BigInteger()
        fieldByteCount = parameters.fieldByteCount
        let isDone = unsafe EC_GROUP_get_order(group, order.pointer, scratch)
        precondition(isDone == 1)
    }

    deinit {
        unsafe EC_GROUP_free(group)
        unsafe BN_CTX_free(scratch)
    }

    /// Whether a number lies between zero and the order.
    func isScalar(_ bytes: [UInt8]) -> Bool {
        let number = BigInteger(bytes.span)
        return unsafe BN_is_zero(number.pointer) == 0 && BN_cmp(number.pointer, order.pointer) < 0
    }

    /// The generator, as often as `scalar` says.
    func generator(times scalar: [UInt8]) -> [UInt8]? {
        let number = BigInteger(scalar.span)
        return unsafe withNewPoint { result in
            unsafe EC_POINT_mul(group, result, number.pointer, nil, nil, scratch) == 1
        }
    }

    /// A point, as often as `scalar` says.
    func point(_ point: [UInt8], times scalar: [UInt8]) -> [UInt8]? {
        self.point(point, times: BigInteger(scalar.span))
    }

    /// A point, as often as `scalar` says.
    func point(_ point: [UInt8], times scalar: borrowing BigInteger) -> [UInt8]? {
        let number = unsafe scalar.pointer
        return unsafe withPoint(point) { factor in
            unsafe withNewPoint { result in
                unsafe EC_POINT_mul(group, result, nil, factor, number, scratch) == 1
            }
        }
    }

    /// The generator `scalar` times, less a point `other` times.
    func generator(times scalar: [UInt8], less point: [UInt8], times other: [UInt8]) -> [UInt8]? {
        let first = BigInteger(scalar.span)
        let second = BigInteger(other.span)
        return unsafe withPoint(point) { factor in
            unsafe BN_set_negative(second.pointer, 1)
            let isReduced = unsafe BN_nnmod(second.pointer, second.pointer, order.pointer, scratch)
            guard isReduced == 1 else { return nil }
            return unsafe withNewPoint { result in
                unsafe EC_POINT_mul(
                    group,
                    result,
                    first.pointer,
                    factor,
                    second.pointer,
                    scratch
                ) == 1
            }
        }
    }

    /// The point with coordinate `x` whose y is the smaller one (Book E, 8.8.4); nil when there is none.
    func point(x: [UInt8]) -> [UInt8]? {
        let number = BigInteger(x.span)
        let candidates = [Int32(0), 1].compactMap { parity in
            unsafe withNewPoint { result in
                unsafe EC_POINT_set_compressed_coordinates(
                    group,
                    result,
                    number.pointer,
                    parity,
                    scratch
                ) == 1
            }
        }
        return candidates.min { $0.lexicographicallyPrecedes($1) }
    }

    /// `number + factor · other` modulo the order, as many bytes as a coordinate has.
    func sum(_ number: [UInt8], _ factor: [UInt8], times other: borrowing BigInteger) -> [UInt8]? {
        let sum = BigInteger()
        let first = BigInteger(number.span)
        let second = BigInteger(factor.span)
        guard
            unsafe BN_mod_mul(sum.pointer, second.pointer, other.pointer, order.pointer, scratch)
                == 1,
            unsafe BN_mod_add(sum.pointer, sum.pointer, first.pointer, order.pointer, scratch) == 1
        else { return nil }
        return [UInt8](capacity: fieldByteCount) { (output: inout OutputSpan<UInt8>) in
            sum.append(byteCount: fieldByteCount, to: &output)
        }
    }

    /// Makes a point, has it filled and returns its coordinates; nil when that fails or it lies at infinity.
    @unsafe
    private func withNewPoint(_ body: (OpaquePointer) -> Bool) -> [UInt8]? {
        guard let point = unsafe EC_POINT_new(group) else { fatalError("out of memory") }
        defer { unsafe EC_POINT_clear_free(point) }
        guard unsafe body(point) else { return nil }
        let x = BigInteger()
        let y = BigInteger()
        guard
            unsafe EC_POINT_get_affine_coordinates(group, point, x.pointer, y.pointer, scratch) == 1
        else { return nil }
        return [UInt8](capacity: 2 * fieldByteCount) { (output: inout OutputSpan<UInt8>) in
            x.append(byteCount: fieldByteCount, to: &output)
            y.append(byteCount: fieldByteCount, to: &output)
        }
    }

    /// Reads a point and lends it; nil when the coordinates are not on the curve.
    @unsafe
    private func withPoint(
        _ coordinates: [UInt8],
        _ body: (OpaquePointer) -> [UInt8]?
    ) -> [UInt8]? {
        guard coordinates.count == 2 * fieldByteCount else { return nil }
        guard let point = unsafe EC_POINT_new(group) else { fatalError("out of memory") }
        defer { unsafe EC_POINT_clear_free(point) }
        let x = BigInteger(coordinates.span.extracting(first: fieldByteCount))
        let y = BigInteger(coordinates.span.extracting(last: fieldByteCount))
        guard
            unsafe EC_POINT_set_affine_coordinates(group, point, x.pointer, y.pointer, scratch) == 1
        else { return nil }
        return unsafe body(point)
    }
}

#endif
