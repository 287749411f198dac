import EMVData

/// The kernel that runs: one case for each kernel there is.
enum RunningKernel: Sendable {
    case kernel2(Kernel2)
    case kernel3(Kernel3)

    /// Creates the kernel of an identifier; nil when there is none such.
    init?(_ identifier: KernelIdentifier) {
        switch identifier {
        case .kernel2: self = .kernel2(Kernel2())
        case .kernel3: self = .kernel3(Kernel3())
        default: return nil
        }
    }

    /// Passes an event on.
    mutating func handle(
        _ event: KernelEvent,
        environment: inout some KernelEnvironment
    ) -> KernelStep {
        switch self {
        case .kernel2(var kernel):
            defer { self = .kernel2(kernel) }
            return kernel.handle(event, environment: &environment)
        case .kernel3(var kernel):
            defer { self = .kernel3(kernel) }
            return kernel.handle(event, environment: &environment)
        }
    }

    /// What the kernel knows.
    var report: KernelReport {
        switch self {
        case .kernel2(let kernel): kernel.report
        case .kernel3(let kernel): kernel.report
        }
    }
}
