import Nearby
import NearbyWire

extension NearbyService {
    /// Checks the key of a registration that has a body, before any part of the body is read.
    ///
    /// Throws: `.unknown`, `.foreign`, `.tooMuch`, `.unavailable`, `.elsewhere`.
    package func checkRegistration(
        key text: Substring?, origin: RequestOrigin = .none, address: String
    ) async throws(ServiceRefusal) {
        let client = ClientNetwork(address)
        guard let key = try await key(text) else { throw stranger(client) }
        try key.web?.check(origin)
        _ = try await service(of: key.project)
    }

    /// Registers a new device in the key's project.
    ///
    /// - Parameters:
    ///   - name: the client's random name for this registration. The same name gives the same device
    ///   for some minutes: see ``RegistrationNames``. `nil` if each request is for a device of its own.
    ///   - request: the body of the registration.
    ///
    /// Throws: `.malformed`, `.unknown`, `.foreign`, `.tooMuch`, `.unavailable`.
    package func register(
        key text: Substring?, name: String? = nil, _ request: WireRegistrationRequest = .init(),
        origin: RequestOrigin = .none, address: String
    ) async throws(ServiceRefusal) -> WireRegistration {
        if let name { try RegistrationNames.check(name) }
        if let problem = request.labelProblem { throw .malformed("label: \(problem)") }
        let client = ClientNetwork(address)
        try spend(1, .request, of: client)
        guard let key = try await key(text) else { throw stranger(client) }
        try key.web?.check(origin)
        guard let service = try await service(of: key.project) else { throw stranger(client) }
        var random = makeRandom()
        let device: Secret
        if let name {
            let secrets = registrationNames.secrets(name, key: key, random: &random, now: clock.now)
            for secret in [secrets.new, secrets.earlier].compactMap({ $0 })
            where try await service.knows(secret.hash) {
                return WireRegistration(device: secret.text)
            }
            device = secrets.new
        } else {
            device = Secret(.device, of: key.project, random: &random)
        }
        try spend(1, .registration, of: client)
        try await requestQueue.pass(client) { () throws(ServiceRefusal) in
            // A request with the same name may have come meanwhile.
            try await service.register(device.hash, key: key, label: request.label, from: client)
        }
        return WireRegistration(device: device.text)
    }
}
