public import Profiles
public import TerminalKernels

/// A point of sale: a reader with its configuration, its screen and its way to an issuer.
public struct POSTerminal: Sendable {
    /// What the terminal can do and accepts, as people describe it.
    public let configuration: TerminalConfiguration
    /// The same as the entry point and the kernels want it.
    public let reader: ReaderConfiguration

    /// Takes over a configuration.
    /// - Throws: `ProfilesError` with the path of what no reader can be configured with.
    public init(_ configuration: TerminalConfiguration) throws(ProfilesError) {
        self.configuration = configuration
        reader = try ReaderConfiguration(configuration)
    }
}
