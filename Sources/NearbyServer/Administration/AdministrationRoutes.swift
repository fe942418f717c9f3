import Hummingbird
import Logging
import NIOCore
import NearbyService
import NearbyWire

/// The context of a request at the administration socket.
struct AdministrationContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}

/// The routes of the administration socket: see ``AdministrationPath``.
struct AdministrationRoutes: Sendable {
    /// The largest quota.
    static let quotas = 1...10_000_000

    let service: NearbyService
    let table: ConnectionTable
    let drain: Drain
    let audit: AuditLog
    let start = ContinuousClock.now

    static let methods = [
        AdministrationPath.status: ["GET", "HEAD"], AdministrationPath.quota: ["GET", "HEAD", "POST"],
        AdministrationPath.devices: ["GET", "HEAD"], AdministrationPath.device: ["GET", "HEAD"],
        AdministrationPath.expel: ["POST"], AdministrationPath.drain: ["POST"],
    ]

    var router: Router<AdministrationContext> {
        let router = Router(context: AdministrationContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: AdministrationRefusals(logger: audit.logger))
        router.get(.init(AdministrationPath.status)) { _, _ in Response(.ok, json: await status()) }
        router.get(.init(AdministrationPath.quota)) { request, _ in
            let query = try Query(request, ["project"])
            let quota = try await service.quota(ofProject: query.required("project"))
            return Response(.ok, json: AdministrationQuota(quota))
        }
        router.post(.init(AdministrationPath.quota)) { try await setQuota($0, $1) }
        router.get(.init(AdministrationPath.devices)) { request, _ in try await devices(request) }
        router.get(.init(AdministrationPath.device)) { request, _ in
            let query = try Query(request, ["project", "hash"])
            let device = try await service.device(
                query.digits(), ofProject: query.required("project"))
            return Response(.ok, json: AdministrationDevice(device))
        }
        router.post(.init(AdministrationPath.expel)) { try await expel($0, $1) }
        router.post(.init(AdministrationPath.drain)) { try await drain($0, $1) }
        return router
    }

    private func status() async -> AdministrationStatus {
        let projects = await service.sizes().map {
            AdministrationStatus.ServedProject(
                id: $0.project.id.number, name: $0.project.name, devices: $0.devices, streams: $0.streams,
                deviceQuota: $0.deviceQuota)
        }
        return AdministrationStatus(
            uptimeSeconds: Int(start.duration(to: .now).components.seconds), isDraining: drain.isOn,
            connections: table.counts.connections, projects: projects)
    }

    private func setQuota(_ request: Request, _ context: AdministrationContext) async throws -> Response {
        let query = try Query(request, ["project", "devices"])
        let (project, text) = (try query.required("project"), try query.required("devices"))
        let devices = Int(text).flatMap { Self.quotas.contains($0) ? $0 : nil }
        guard text == "standard" || devices != nil else {
            throw BadQuery("devices: expected 1 to \(Self.quotas.upperBound) or 'standard', came '\(text)'")
        }
        let user = try await SocketUser(of: context.channel)
        let entry = AuditLog.Entry(
            action: "quota", project: project, devices: text, user: user.name, uid: user.id)
        let quota = try await audit.note(entry) { try await service.setQuota(devices, ofProject: project) }
        return Response(.ok, json: AdministrationQuota(quota))
    }

    private func devices(_ request: Request) async throws -> Response {
        let query = try Query(request, ["project", "label", "hash", "after", "limit"])
        var search = DeviceQuery(label: query["label"])
        if query["hash"] != nil { search.hashes = SecretHash.range(beginning: try query.digits()) }
        if let after = query["after"] {
            guard after.utf8.count == 64, let range = SecretHash.range(beginning: after) else {
                throw BadQuery("after: expected the 64 digits of a device's hash, came '\(after)'")
            }
            search.after = range.lowerBound
        }
        if let text = query["limit"] {
            guard let limit = Int(text), (1...DeviceQuery.largestPage).contains(limit) else {
                throw BadQuery("limit: expected 1 to \(DeviceQuery.largestPage), came '\(text)'")
            }
            search.limit = limit
        }
        let page = try await service.devices(search, ofProject: query.required("project"))
        return Response(.ok, json: AdministrationPage(page))
    }

    private func expel(_ request: Request, _ context: AdministrationContext) async throws -> Response {
        let query = try Query(request, ["project", "hash"])
        let (project, digits) = (try query.required("project"), try query.digits())
        let user = try await SocketUser(of: context.channel)
        var entry = AuditLog.Entry(
            action: "expel", project: project, device: digits, user: user.name, uid: user.id)
        // The audit log names the device in full, however few digits the request had.
        if let device = try? await service.device(digits, ofProject: project) {
            entry.device = device.hash.hexadecimal
        }
        let device = try await audit.note(entry) { [entry] in
            try await service.expel(entry.device ?? digits, ofProject: project)
        }
        return Response(.ok, json: AdministrationDevice(device))
    }

    private func drain(_ request: Request, _ context: AdministrationContext) async throws -> Response {
        _ = try Query(request, [])
        let user = try await SocketUser(of: context.channel)
        try await audit.note(AuditLog.Entry(action: "drain", user: user.name, uid: user.id)) { drain.begin() }
        return Response(.ok, json: await status())
    }

    /// The parameters of a request, each of which may come once.
    private struct Query {
        /// The fewest digits of a hash, as many as log lines have.
        static let fewestDigits = 8

        private var values: [String: String] = [:]

        init(_ request: Request, _ known: Set<String>) throws {
            for (name, value) in request.uri.queryParameters {
                guard known.contains(String(name)), values[String(name)] == nil else {
                    let names =
                        known.isEmpty ? "none" : known.sorted().joined(separator: ", ") + ", each once"
                    throw BadQuery("'\(name)': expected \(names)")
                }
                values[String(name)] = String(value)
            }
        }

        subscript(name: String) -> String? { values[name] }

        func required(_ name: String) throws -> String {
            guard let value = values[name] else { throw BadQuery("\(name): missing") }
            return value
        }

        /// The beginning of a device's hash.
        func digits() throws -> String {
            let text = try required("hash")
            guard text.utf8.count >= Self.fewestDigits, SecretHash.range(beginning: text) != nil else {
                throw BadQuery("hash: expected \(Self.fewestDigits) to 64 hexadecimal digits, came '\(text)'")
            }
            return text
        }
    }
}

/// A parameter that is missing, unknown or wrong, in one line.
private struct BadQuery: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A middleware that answers refusals with a status and one line.
private struct AdministrationRefusals: RouterMiddleware {
    let logger: Logger

    func handle(
        _ request: Request, context: AdministrationContext,
        next: (Request, AdministrationContext) async throws -> Response
    ) async throws -> Response {
        do {
            if let fault = Connection.current?.fault { return Response(fault) }
            Connection.current?.setKnown()
            return try await next(request, context)
        } catch let refusal as AdministrationRefusal {
            return Response(refusal.status, json: WireRefusal("\(refusal)"))
        } catch let query as BadQuery {
            return Response(.badRequest, json: WireRefusal("\(query)"))
        } catch let problem as AdministrationProblem {
            logger.error("an administrator's change is refused", metadata: ["error": "\(problem)"])
            return Response(.serviceUnavailable, json: WireRefusal("\(problem)"))
        } catch let error as HTTPError where error.status == .notFound {
            return Response(nothingFor: request, methods: AdministrationRoutes.methods)
        }
    }
}

extension AdministrationRefusal {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .noProject, .notServed, .noDevice: .notFound
        case .ambiguous: .conflict
        case .unavailable: .serviceUnavailable
        }
    }
}
