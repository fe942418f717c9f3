import NIOCore
import NIOPosix

/// Devices that report, and the times of their reports, on one event loop. Times count from when a report was
/// due, so that a late one counts as slow (no coordinated omission).
///
/// Devices stand in rooms of ten. Each hears two of its room in every report, asks for a new token once a
/// minute, and changes its publication in every twentieth report. In each of `pairs`, one device hears the
/// other for a while and then not, and the other one, which holds a stream, receives the events.
///
/// A server bounds the registrations of one network for a project. Each connection therefore comes from a
/// network of its own, 127.x.y.0/24, and has a hundred devices at most.
// Everything runs on its event loop.
final class Load: @unchecked Sendable {
    struct Plan {
        var host = "127.0.0.1"
        /// The ports of one server, or of several that share a database: connections use them in turn.
        var ports = [8480]
        var key = ""
        var devices = 5000
        var reportsPerSecond = 3000.0
        var seconds = 30.0
        var pairs = 200
        var connections: Int { max(64, (devices + 2 * pairs + 99) / 100) }
    }

    struct Result {
        var reports = 0
        var failures: [Int: Int] = [:]
        var latencies: [Double] = []
        var deliveries: [Double] = []
        var seconds = 0.0
        /// The time of setting up, registrations included.
        var setUpSeconds = 0.0
    }

    private struct Device {
        var secret = ""
        var token: String?
        var mailbox: String?
        var taken: Int64 = 0
        var count = 0
        var lastToken = -1000.0
    }

    private let plan: Plan
    private let loop: any EventLoop
    private var connections: [Connection] = []
    private var devices: [Device]
    private var result = Result()
    private var isMeasuring = false
    private var sent = 0
    /// The times when the first device of each pair reported that it hears the other.
    private var heardAt: [Double?]
    private let begun = ContinuousClock.now

    private init(_ plan: Plan, _ loop: any EventLoop) {
        (self.plan, self.loop) = (plan, loop)
        devices = [Device](repeating: Device(), count: plan.devices + 2 * plan.pairs)
        heardAt = [Double?](repeating: nil, count: plan.pairs)
    }

    static func run(_ plan: Plan) throws -> Result {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { try? group.syncShutdownGracefully() }
        let loop = group.next()
        let done = loop.makePromise(of: Result.self)
        loop.execute { Load(plan, loop).begin(done) }
        return try done.futureResult.wait()
    }

    private var now: Double {
        let passed = begun.duration(to: .now).components
        return Double(passed.seconds) + Double(passed.attoseconds) * 1e-18
    }

    // MARK: Set-up

    private func begin(_ done: EventLoopPromise<Result>) {
        connections = (0..<plan.connections).map { n in
            let connection = Connection()
            connect(connection, n).whenFailure { done.fail($0) }
            return connection
        }
        register(0) { [self] in
            result.setUpSeconds = now
            isMeasuring = true
            schedule()
            for pair in 0..<plan.pairs { openStream(pair) }
            let start = now
            loop.scheduleTask(in: .milliseconds(Int64(plan.seconds * 1000))) { [self] in
                isMeasuring = false
                result.seconds = now - start
                done.succeed(result)
            }
        }
    }

    private func connect(_ handler: any ChannelHandler & Sendable, _ n: Int) -> EventLoopFuture<Void> {
        var bootstrap = ClientBootstrap(group: loop).channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
        if let source = source(n) { bootstrap = bootstrap.bind(to: source) }
        return bootstrap.connect(host: plan.host, port: plan.ports[n % plan.ports.count]).map { _ in }
    }

    /// Returns the address that a connection comes from; `nil`, which means any, unless the server is on this
    /// machine.
    private func source(_ n: Int) -> SocketAddress? {
        guard plan.host.hasPrefix("127.") else { return nil }
        return try? SocketAddress(ipAddress: "127.\(1 + n / 250 % 250).\(n % 250).1", port: 0)
    }

    /// Registers a hundred devices at a time; each reports everything.
    private func register(_ first: Int, _ done: @escaping () -> Void) {
        guard first < devices.count else { return done() }
        let batch = first..<min(first + 100, devices.count)
        var left = batch.count
        for n in batch {
            connection(n).send(Wire.post("/v1/devices", bearer: plan.key, body: "")) { [self] reply in
                guard let reply, reply.status == 201, let secret = Wire.string("device", in: reply.body)
                else {
                    preconditionFailure("no registration: \(reply?.status ?? 0)")
                }
                devices[n].secret = secret
                connection(n).send(report(n, isComplete: true)) { [self] reply in
                    take(reply, n, due: nil)
                    left -= 1
                    if left == 0 { register(batch.upperBound, done) }
                }
            }
        }
    }

    // MARK: Reports

    private func connection(_ n: Int) -> Connection { connections[n % connections.count] }

    /// Lets each device of the crowd report in its turn, in ticks of 5 ms.
    private func schedule() {
        let start = now
        loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(5)) { [self] task in
            guard isMeasuring else { return task.cancel() }
            while isMeasuring, Double(sent) < (now - start) * plan.reportsPerSecond {
                let due = start + Double(sent) / plan.reportsPerSecond
                send(sent % plan.devices, due: due)
                sent += 1
            }
        }
        for pair in 0..<plan.pairs { cycle(pair) }
    }

    private func send(_ n: Int, due: Double) {
        connection(n).send(report(n)) { [self] in take($0, n, due: due) }
    }

    private func take(_ reply: Reply?, _ n: Int, due: Double?) {
        let status = reply?.status ?? 0
        if isMeasuring, let due {
            result.reports += 1
            result.latencies.append(now - due)
        }
        guard let reply, status == 200 else {
            result.failures[status, default: 0] += 1
            return
        }
        if let token = Wire.string("token", in: reply.body) { devices[n].token = token }
        devices[n].mailbox = Wire.string("mailbox", in: reply.body)
        devices[n].taken = Wire.number("news", in: reply.body) ?? 0
    }

    private func report(_ n: Int, isComplete: Bool = false, hears: [Int]? = nil) -> ByteBuffer {
        devices[n].count += 1
        let device = devices[n]
        var parts: [String] = []
        if let mailbox = device.mailbox {
            parts.append("\"mailbox\":\"\(mailbox)\",\"takenNews\":\(device.taken)")
        }
        if isComplete { parts.append("\"isComplete\":true") }
        if device.token == nil || now - device.lastToken > 60 {
            // The tokens are not all due in the same second.
            devices[n].lastToken = isComplete ? now - Double(n % 60) : now
            parts.append("\"wantsTokens\":[\"audio\"]")
        }
        let strategy = "\"strategy\":{\"media\":[\"audio\"],\"mode\":[\"broadcast\",\"scan\"]}"
        if isComplete || (device.count % 20 == 0 && n < plan.devices) {
            parts.append(
                "\"publish\":[{\"id\":1,\"message\":{\"type\":\"t\",\"content\":\"\(content(n))\"},\(strategy)}]"
            )
        }
        if isComplete { parts.append("\"subscribe\":[{\"id\":2,\"filter\":[{\"type\":\"t\"}],\(strategy)}]") }
        let heard = (hears ?? neighbours(n)).compactMap { devices[$0].token }
        if !heard.isEmpty {
            let list = heard.map { "{\"token\":\"\($0)\",\"medium\":\"audio\",\"ageMillis\":200}" }
            parts.append("\"observations\":[\(list.joined(separator: ","))]")
        }
        if let token = device.token {
            parts.append("\"playing\":[{\"token\":\"\(token)\",\"medium\":\"audio\",\"periodMillis\":1350}]")
        }
        return Wire.post("/v1/report", bearer: device.secret, body: "{\(parts.joined(separator: ","))}")
    }

    /// Returns base64 of changing bytes.
    private func content(_ n: Int) -> String { String(10_000_000 + n * 100 + devices[n].count % 100) }

    /// Returns two of the ten devices in its room, others each time.
    private func neighbours(_ n: Int) -> [Int] {
        guard n < plan.devices else { return [] }
        let room = n / 10 * 10
        return [1, 4].map { room + (n + $0 + devices[n].count) % 10 }.filter { $0 != n && $0 < plan.devices }
    }

    // MARK: Pairs

    private func listener(_ pair: Int) -> Int { plan.devices + 2 * pair }
    private func told(_ pair: Int) -> Int { plan.devices + 2 * pair + 1 }

    /// Every 20 s the first device hears the other one. After 13.5 s that is forgotten, and begins again.
    private func cycle(_ pair: Int) {
        let first = Double(pair) / Double(plan.pairs) * 20
        loop.scheduleRepeatedTask(
            initialDelay: .milliseconds(Int64(first * 1000)), delay: .seconds(20)
        ) { [self] task in
            guard isMeasuring else { return task.cancel() }
            heardAt[pair] = now
            connection(pair).send(report(listener(pair), hears: [told(pair)])) { [self] in
                take($0, listener(pair), due: nil)
            }
        }
        // Both stay alive.
        loop.scheduleRepeatedTask(initialDelay: .seconds(5), delay: .seconds(5)) { [self] task in
            guard isMeasuring else { return task.cancel() }
            for n in [listener(pair), told(pair)] {
                connection(pair).send(report(n, hears: [])) { [self] in take($0, n, due: nil) }
            }
        }
    }

    private func openStream(_ pair: Int) {
        let request = Wire.get("/v1/events", bearer: devices[told(pair)].secret)
        connect(
            EventLines(request) { [self] line in
                guard isMeasuring, let heard = heardAt[pair],
                    String(decoding: line, as: UTF8.self).contains("\"change\":\"found\"")
                else { return }
                heardAt[pair] = nil
                result.deliveries.append(now - heard)
            }, pair
        ).whenFailure { preconditionFailure("no stream: \($0)") }
    }
}
