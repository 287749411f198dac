import BERTLV

/// The tag of a data object; Swift Testing has a `Tag` of its own.
typealias Tag = BERTLV.Tag
