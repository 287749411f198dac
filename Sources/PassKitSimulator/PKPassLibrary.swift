public import Foundation

/// The kinds of passes a library has.
public enum PKPassType: UInt, Hashable, Sendable {
    /// Passes that are no cards; there are none here.
    case barcode = 0
    /// Payment cards.
    case secureElement = 1
}

/// The passes of an app that runs: those of its own cards and no others.
public struct PKPassLibrary: Sendable {
    private let process: AppProcess?

    /// The library of the app that runs now.
    public init() { process = AppProcess.current }

    /// The library of a process.
    public init(_ process: AppProcess) { self.process = process }

    /// The app's passes on the phone.
    public func passes(of type: PKPassType) -> [PKPass] {
        guard type == .secureElement else { return [] }
        return passes(onWatch: false)
    }

    /// The app's passes on the paired watch; none while it is not paired.
    public var remoteSecureElementPasses: [PKSecureElementPass] { passes(onWatch: true) }

    private func passes(onWatch: Bool) -> [PKSecureElementPass] {
        guard let process, process.entitlements.mayProvisionPasses else { return [] }
        return process.host.passes(visibleTo: process.bundleIdentifier, onWatch: onWatch)
    }

    /// Whether a device has no live pass of the account yet.
    public func canAddSecureElementPass(primaryAccountIdentifier: String) -> Bool {
        process?.host.canAddPass(primaryAccountIdentifier: primaryAccountIdentifier) ?? false
    }

    /// Activates a pass with data of the issuer, in place of a code that the user types in.
    public func activate(
        _ pass: PKSecureElementPass,
        activationData: Data,
        completion: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        guard let process, passes(onWatch: pass.isRemotePass).contains(where: { $0 == pass }) else {
            completion?(false, ProvisioningError.unknownPass)
            return
        }
        do throws(ProvisioningError) {
            try process.host.activate(pass, code: String(decoding: activationData, as: UTF8.self))
            completion?(true, nil)
        } catch {
            completion?(false, error)
        }
    }

    /// What changes, from now on; in place of the notifications of the same names.
    public var changes: AsyncStream<PKPassLibraryNotificationName> {
        process?.host.makeChanges() ?? AsyncStream { $0.finish() }
    }
}
