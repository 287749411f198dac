public import BERTLV

/// What all kernels have in common: events in, steps out, and a report at the end.
protocol Kernel {
    /// Takes what happened and says what to do next.
    ///
    /// An event the state does not wait for, and any event after the end, is a mistake of the caller's and traps;
    /// `stop` is taken at any time before the end.
    mutating func handle(
        _ event: KernelEvent,
        environment: inout some KernelEnvironment
    ) -> KernelStep

    /// What the kernel knows.
    var report: KernelReport { get }
}

/// What a kernel learnt in a transaction, for receipts, displays and logs.
public struct KernelReport: Hashable, Sendable {
    /// All data objects of terminal and card, TVR (95) and CVM Results (9F34) among them.
    public var dataObjects: [Tag: [UInt8]]
    /// What offline data authentication came to.
    public var authentication: OfflineDataAuthentication

    /// Joins the two; by default there is nothing to report.
    public init(
        dataObjects: [Tag: [UInt8]] = [:],
        authentication: OfflineDataAuthentication = .notPerformed
    ) {
        self.dataObjects = dataObjects
        self.authentication = authentication
    }
}
