/// The body of a device's registration, which may also be missing.
package struct WireRegistrationRequest: Codable, Sendable, Hashable {
    /// The name by which the device's owner looks for it among all devices, such as its serial number. Other
    /// devices never see it. `nil` if it has none.
    package var label: String?

    /// - Parameter label: 1 to 64 printable ASCII characters.
    package init(label: String? = nil) { self.label = label }

    /// The reason why the label is none, in words; `nil` if it is one, or there is none. Labels are shown in
    /// terminals and in logs of administrators, so they are printable ASCII.
    package var labelProblem: String? {
        guard let label else { return nil }
        let isPrintable = label.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        guard !isPrintable || !(1...64).contains(label.utf8.count) else { return nil }
        return "expected 1 to 64 printable ASCII characters, came \(label.utf8.count) bytes"
    }
}

/// The answer to a device's registration.
package struct WireRegistration: Codable, Sendable, Hashable {
    /// The device's name and credential in one, for every request from now on: a bearer secret of 256 bits,
    /// base64url.
    package var device: String
    /// The number of observations that this server takes in one report; it leaves out the rest. `nil` if the
    /// server refuses reports with more than 200.
    package var observationsPerReport: Int?

    /// - Parameter device: the complete secret.
    package init(device: String) {
        (self.device, observationsPerReport) = (device, WireLimits.observations)
    }
}

/// The body of a refused request.
package struct WireRefusal: Codable, Sendable, Hashable {
    /// The reason in one line.
    package var error: String

    /// - Parameter error: one line that says what was expected and what came.
    package init(_ error: String) { self.error = error }

    /// The refusal as a body: the same bytes as from ``WireCoding/encode(_:)``.
    package var json: [UInt8] {
        var text = JSONText()
        text.object { $0.member("error", error) }
        return text.bytes
    }
}
