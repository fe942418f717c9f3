import NIOCore
import NIOPosix

/// Devices with open streams that lose all of them in one moment and come back, as clients do: each draws its
/// time from what the server told it in advance, sends a complete report on a new connection, and opens its
/// stream on another one. A device that is refused waits as `Retry-After` says; one that gets no answer waits
/// longer and longer.
///
/// In each pair one device hears the other, so that both are live and come back within 2 s.
// Everything runs on its event loop.
final class Storm: @unchecked Sendable {
    struct Plan {
        var host = "127.0.0.1"
        var port = 8480
        var key = ""
        var devices = 10_000
        /// The pairs among the devices.
        var pairs = 500
        /// True if all come back at once, as clients do that know nothing of the server's advice.
        var isHerd = false
        /// True if the server is ended instead of the connections.
        var waitsForServer = false
    }

    struct Result {
        var statuses: [Int: Int] = [:]
        /// The answers 429 and 503 without `Retry-After`.
        var withoutTime = 0
        /// The attempts without an answer.
        var failures = 0
        /// The waits from the break until the stream was open again, in seconds.
        var live: [Double] = []
        var others: [Double] = []
        var setUpSeconds = 0.0
    }

    private struct Device {
        var secret = ""
        var token: String?
        /// The seconds over which the server wants its devices to come back.
        var retryWithin = 2.0
        var failures = 0
        var stream: (any Channel)?
    }

    private static let least = 0.25
    private static let soon = 2.0
    /// The bounds of the pauses after attempts without an answer.
    private static let pauses = 0.5...30.0
    private static let batch = 100

    private let plan: Plan
    private let loop: any EventLoop
    private let done: EventLoopPromise<Result>
    private let opened: () -> Void
    private var connections: [Connection] = []
    private var devices: [Device]
    private var result = Result()
    private var openCount = 0
    private var breakTime: Double?
    private var isOver = false
    private let begun = ContinuousClock.now

    private init(
        _ plan: Plan, _ loop: any EventLoop, _ done: EventLoopPromise<Result>, _ opened: @escaping () -> Void
    ) {
        (self.plan, self.loop, self.done, self.opened) = (plan, loop, done, opened)
        devices = [Device](repeating: Device(), count: plan.devices)
    }

    /// - Parameter opened: Called when all streams are open, before they break.
    static func run(_ plan: Plan, opened: @escaping @Sendable () -> Void) throws -> Result {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { try? group.syncShutdownGracefully() }
        let loop = group.next()
        let done = loop.makePromise(of: Result.self)
        loop.execute { Storm(plan, loop, done, opened).begin() }
        return try done.futureResult.wait()
    }

    private var now: Double {
        let passed = begun.duration(to: .now).components
        return Double(passed.seconds) + Double(passed.attoseconds) * 1e-18
    }

    /// Networks of a hundred devices each. Devices that follow one another are of different ones.
    private var networks: Int { (plan.devices + 99) / 100 }

    private func isLive(_ n: Int) -> Bool { n < 2 * plan.pairs }

    // MARK: Set-up

    private func begin() {
        connections = (0..<networks).map { n in
            let connection = Connection()
            connect(connection, n).whenFailure { [done] in done.fail($0) }
            return connection
        }
        forBatches(of: register) { [self] in
            forBatches(of: { [self] n, next in open(n, next) }) { [self] in hear() }
        }
    }

    private func connect(_ handler: any ChannelHandler & Sendable, _ n: Int) -> EventLoopFuture<any Channel> {
        let group = n % networks
        let source = try? SocketAddress(
            ipAddress: "127.\(1 + group / 250 % 250).\(group % 250).1", port: 0)
        var bootstrap = ClientBootstrap(group: loop).channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
        if plan.host.hasPrefix("127."), let source { bootstrap = bootstrap.bind(to: source) }
        return bootstrap.connect(host: plan.host, port: plan.port)
    }

    private func forBatches(
        of work: @escaping (Int, @escaping () -> Void) -> Void, from first: Int = 0,
        _ end: @escaping () -> Void
    ) {
        guard first < plan.devices else { return end() }
        let batch = first..<min(first + Storm.batch, plan.devices)
        var left = batch.count
        for n in batch {
            work(n) { [self] in
                left -= 1
                if left == 0 { forBatches(of: work, from: batch.upperBound, end) }
            }
        }
    }

    private func register(_ n: Int, _ next: @escaping () -> Void) {
        let connection = connections[n % networks]
        connection.send(Wire.post("/v1/devices", bearer: plan.key, body: "")) { [self] reply in
            guard let reply, reply.status == 201, let secret = Wire.string("device", in: reply.body) else {
                preconditionFailure("no registration: \(reply?.status ?? 0)")
            }
            devices[n].secret = secret
            setUp(n, connection, next)
        }
    }

    private func setUp(_ n: Int, _ connection: Connection, _ next: @escaping () -> Void) {
        connection.send(report(n)) { [self] reply in
            guard let reply, reply.status == 200 else {
                // The server admits so many complete reports a second.
                guard reply?.status == 429 else { preconditionFailure("no report: \(reply?.status ?? 0)") }
                loop.assumeIsolated().scheduleTask(in: .seconds(Int64(reply?.retryAfter ?? 1))) { [self] in
                    setUp(n, connection, next)
                }
                return
            }
            devices[n].token = Wire.string("token", in: reply.body)
            next()
        }
    }

    /// Lets the pairs hear each other, and breaks all streams.
    private func hear() {
        var left = plan.pairs
        func hearOne() {
            left -= 1
            if left <= 0 { cut() }
        }
        if plan.pairs == 0 { cut() }
        for pair in 0..<plan.pairs {
            let n = 2 * pair
            // A complete report needs no mailbox.
            setUp(n, connections[n % networks], hearOne)
        }
    }

    private func cut() {
        for connection in connections { connection.close() }
        result.setUpSeconds = now
        result.statuses = [:]
        opened()
        guard !plan.waitsForServer else { return }
        for device in devices { device.stream?.close(promise: nil) }
    }

    // MARK: The return

    private func broke(_ n: Int) {
        devices[n].stream = nil
        openCount -= 1
        if breakTime == nil { breakTime = now }
        let longest = isLive(n) ? min(Storm.soon, devices[n].retryWithin) : devices[n].retryWithin
        comeBack(n, in: plan.isHerd ? 0 : Double.random(in: Storm.least...max(Storm.least, longest)))
    }

    private func comeBack(_ n: Int, in seconds: Double) {
        guard !isOver else { return }
        loop.assumeIsolated().scheduleTask(in: .milliseconds(Int64(seconds * 1000))) { [self] in
            let connection = Connection()
            connect(connection, n).whenFailure { [self] _ in failed(n) }
            connection.send(report(n)) { [self] reply in
                guard let reply else { return failed(n) }
                connection.close()
                note(reply.status, reply.retryAfter)
                guard reply.status == 200 else { return refused(n, reply.retryAfter) }
                devices[n].token = Wire.string("token", in: reply.body) ?? devices[n].token
                open(n, nil)
            }
        }
    }

    /// - Parameter next: Called when the stream is open in the set-up; `nil` in the return.
    private func open(_ n: Int, _ next: (() -> Void)?) {
        let stream = StormStream(
            Wire.get("/v1/events", bearer: devices[n].secret),
            head: { [self] status, time in
                if next == nil { note(status, time) }
                guard status != 200 else { return }
                guard next == nil else { return again(n, time, next) }
                refused(n, time)
            },
            line: { [self] line in
                guard let seconds = Wire.number("retryWithinSeconds", in: line) else { return }
                devices[n].retryWithin = Double(seconds)
            },
            opened: { [self] channel in
                devices[n].stream = channel
                devices[n].failures = 0
                openCount += 1
                next?()
                if next == nil { isBack(n) }
            },
            closed: { [self] wasOpen in
                if wasOpen { broke(n) } else { failed(n) }
            })
        connect(stream, n).whenFailure { [self] _ in failed(n) }
    }

    private func again(_ n: Int, _ time: Int?, _ next: (() -> Void)?) {
        loop.assumeIsolated().scheduleTask(in: .seconds(Int64(time ?? 1))) { [self] in open(n, next) }
    }

    private func isBack(_ n: Int) {
        guard let breakTime else { return }
        if isLive(n) { result.live.append(now - breakTime) } else { result.others.append(now - breakTime) }
        guard openCount == plan.devices else { return }
        isOver = true
        done.succeed(result)
    }

    private func note(_ status: Int, _ time: Int?) {
        result.statuses[status, default: 0] += 1
        if status == 429 || status == 503, time == nil { result.withoutTime += 1 }
    }

    private func refused(_ n: Int, _ time: Int?) { comeBack(n, in: Double(time ?? 5)) }

    private func failed(_ n: Int) {
        result.failures += 1
        let longest = min(
            Storm.pauses.upperBound, Storm.pauses.lowerBound * Double(1 << min(devices[n].failures, 16)))
        devices[n].failures += 1
        comeBack(n, in: longest * Double.random(in: 0.5...1))
    }

    /// Returns a report that says everything, and what a live device hears.
    private func report(_ n: Int) -> ByteBuffer {
        let strategy = "\"strategy\":{\"media\":[\"audio\"],\"mode\":[\"broadcast\",\"scan\"]}"
        var parts = [
            "\"isComplete\":true", "\"wantsTokens\":[\"audio\"]",
            "\"publish\":[{\"id\":1,\"message\":{\"type\":\"t\",\"content\":\"aGVsbG8=\"},\(strategy)}]",
            "\"subscribe\":[{\"id\":2,\"filter\":[{\"type\":\"t\"}],\(strategy)}]",
        ]
        if isLive(n), let heard = devices[n ^ 1].token {
            parts.append(
                "\"observations\":[{\"token\":\"\(heard)\",\"medium\":\"audio\",\"ageMillis\":200}]")
        }
        return Wire.post("/v1/report", bearer: devices[n].secret, body: "{\(parts.joined(separator: ","))}")
    }
}
