/// The body of a device's registration, which may also be missing.
public struct WireRegistrationRequest: Codable, Sendable, Hashable {
    /// The name by which the device's owner looks for it among all devices, such as its serial number. Other
    /// devices never see it. `nil` if it has none.
    public var label: String?

    /// - Parameter label: 1 to 64 printable ASCII characters.
    public init(label: String? = nil) { self.label = label }
}

/// The answer to a device's registration.
public struct WireRegistration: Codable, Sendable, Hashable {
    /// The device's name and credential in one, for every request from now on: a bearer secret of 256 bits,
    /// base64url.
    public var device: String
    /// The number of observations that this server takes in one report; it leaves out the rest. `nil` if the
    /// server refuses reports with more than 200.
    public var observationsPerReport: Int?

    /// - Parameter device: the complete secret.
    public init(device: String) {
        (self.device, observationsPerReport) = (device, WireLimits.observations)
    }
}

/// The body of a refused request.
public struct WireRefusal: Codable, Sendable, Hashable {
    /// The reason in one line.
    public var error: String

    /// - Parameter error: one line that says what was expected and what came.
    public init(_ error: String) { self.error = error }
}
