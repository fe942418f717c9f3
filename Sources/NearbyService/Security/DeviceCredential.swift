import Nearby

/// A device's secret, parsed and hashed.
package struct DeviceCredential: Sendable, Hashable {
    let project: ProjectID
    let hash: SecretHash

    /// - Parameter text: the device's secret. The result is `nil` unless it has the form of one.
    package init?(_ text: Substring) {
        guard let secret = Secret(.device, text) else { return nil }
        (project, hash) = (secret.project, secret.hash)
    }
}
