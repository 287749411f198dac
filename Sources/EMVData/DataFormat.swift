#if !hasFeature(Embedded)
/// How a data object's value is written (EMV Book 3, 4.3).
public enum DataFormat: Hashable, Sendable {
    /// Letters, one to a byte (a).
    case alphabetic
    /// Letters and digits, one to a byte (an).
    case alphanumeric
    /// Any character of the common set, one to a byte (ans).
    case alphanumericSpecial
    /// A number or bits (b).
    case binary
    /// Digits two to a byte, left justified, F behind (cn).
    case compressedNumeric
    /// Digits two to a byte, right justified, zeros before (n).
    case numeric
    /// Whatever the objects inside are (var.).
    case variable
}
#endif
