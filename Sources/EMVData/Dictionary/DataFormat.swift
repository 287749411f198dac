#if !hasFeature(Embedded)

/// How a data object's value is written (EMV Book 3, 4.3).
public enum DataFormat: String, Sendable {
    /// Letters, one to a byte (a).
    case alphabetic = "a"
    /// Letters and digits, one to a byte (an).
    case alphanumeric = "an"
    /// Any character of the common set, one to a byte (ans).
    case alphanumericSpecial = "ans"
    /// A number or bits (b).
    case binary = "b"
    /// Digits two to a byte, left justified, F behind (cn).
    case compressedNumeric = "cn"
    /// Digits two to a byte, right justified, zeros before (n).
    case numeric = "n"
    /// Whatever the objects inside are (var.).
    case variable = "var."
}

#endif
