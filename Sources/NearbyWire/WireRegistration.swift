/// What a device gets when it registers.
public struct WireRegistration: Codable, Sendable, Hashable {
    /// Its name and proof at once, for every request from now on: a bearer secret of 256 bits, base64url.
    public var device: String
    /// Observations that this server takes in one report; it leaves out what is beyond. Nil: a server that refuses reports with more
    /// than 200.
    public var observationsPerReport: Int?

    /// - Parameter device: the whole secret.
    public init(device: String) {
        (self.device, observationsPerReport) = (device, WireLimits.observations)
    }
}

/// Why a request was refused.
public struct WireRefusal: Codable, Sendable, Hashable {
    /// One line.
    public var error: String

    /// - Parameter error: one line: what was expected, what came.
    public init(_ error: String) { self.error = error }
}
