import Foundation
import Nearby
import NearbyServerSupport
import NearbyTestSupport
import NearbyWire
import Testing

@testable import NearbyServer
@testable import NearbyService

/// Tests of the socket for administrators of a running server.
@Suite(.timeLimit(.minutes(1))) struct AdministrationTests {
    private let folder = TemporaryFolder()
    private var socket: String { folder.path + "/admin.socket" }
    private var audit: String { folder.path + "/audit.log" }

    private func world() async throws -> (world: HostileWorld, client: AdministrationClient) {
        let world = try await HostileWorld(settings: {
            $0.administrationSocket = socket
            $0.auditLog = audit
        })
        return (world, AdministrationClient(socket))
    }

    private func devices(
        _ client: AdministrationClient, _ query: [(String, String?)] = []
    ) async throws -> AdministrationPage {
        try await client.get(AdministrationPath.devices, [("project", "shop")] + query)
    }

    private func status(_ client: AdministrationClient) async throws -> AdministrationStatus.ServedProject {
        let status: AdministrationStatus = try await client.get(AdministrationPath.status)
        return try #require(status.projects.first { $0.name == "shop" })
    }

    private func hash(_ device: WireDevice) -> String {
        Secret(.device, Substring(device.secret))!.hash.hexadecimal
    }

    private func report(_ fill: (inout Report) throws -> Void) rethrows -> WireReport {
        var report = Report()
        report.isComplete = true
        try fill(&report)
        return WireReport(report)
    }

    /// Others lose an expelled device, its stream ends, its secret is worthless, and the store forgets it.
    @Test func anExpelledDeviceIsGone() async throws {
        let (world, client) = try await world()
        let box = try await WireDevice(world.key, at: world.url, label: "SN-4711 hall")
        let strategy = Strategy(media: [.audio])
        let granted = try await box.report(
            report {
                $0.published[OperationID(1)] = Publication(try Message("in the hall"), strategy: strategy)
                $0.wantsTokens = [.audio]
            }, at: world.url)
        let token = try #require(granted.grants?.first.flatMap { Token($0.token) })
        let found = try await world.device.report(
            report {
                $0.subscribed[OperationID(1)] = Subscription(strategy: strategy)
                $0.observations = [TokenObservation(token, on: .audio, age: .zero)]
            }, at: world.url)
        #expect(found.deliveries?.map(\.change) == ["found"])
        var events = try await world.device.events(at: world.url).makeAsyncIterator()
        let boxEvents = try await box.events(at: world.url)
        #expect(try await events.next()?.deliveries?.map(\.change) == ["found"])

        let project = try await status(client)
        #expect(project.devices == 2 && project.streams == 2 && project.deviceQuota == 200_000)
        let page = try await devices(client, [("label", "SN-47")])
        #expect(page.devices.map(\.hash) == [hash(box)] && page.next == nil)
        let shown: AdministrationDevice = try await client.get(
            AdministrationPath.device, [("project", "shop"), ("hash", String(hash(box).prefix(8)))])
        #expect(shown.label == "SN-4711 hall" && shown.isStreaming && shown.isNearAny)
        #expect(shown.publications == 1 && shown.subscriptions == 0)
        #expect(shown.tokens.map(\.medium) == ["audio"])
        #expect(try #require(shown.tokens.first).remainingMillis > 60_000)
        #expect(try #require(shown.sinceReportMillis) < 10_000)

        let expelled: AdministrationDevice = try await client.post(
            AdministrationPath.expel, [("project", "shop"), ("hash", String(hash(box).prefix(8)))])
        #expect(expelled.hash == hash(box))
        #expect(try await events.next()?.deliveries?.map(\.change) == ["lost"])
        for try await _ in boxEvents {}
        await #expect(throws: WireDevice.UnexpectedStatus(status: 401)) {
            try await box.report(report { _ in }, at: world.url)
        }
        #expect(try await status(client).devices == 1)
        let metrics = try await world.instance.metrics()
        for line in [
            "departures_total{project=\"1\",cause=\"expelled\"} 1",
            "news_total{project=\"1\",change=\"lost\"} 1",
            "news_total{project=\"1\",change=\"found\"} 1", "told_seconds_count{project=\"1\"} 1",
            "reports_by_cause_total{project=\"1\",cause=\"complete\"} 2", "streams{project=\"1\"} 1",
        ] { #expect(metrics.contains("nearby_\(line)\n"), "\(line)") }
        let store = try SQLiteStore(path: world.folder.path + "/nearby.sqlite")
        let left = try await store.devices(of: ProjectID(1))
        #expect(left.map(\.secret.hexadecimal) == [hash(world.device)])
        await world.instance.end()
    }

    /// A quota is in force with the answer, and each change is a line of the audit log, refused ones too.
    @Test func quotasHoldAtOnceAndChangesAreLogged() async throws {
        let (world, client) = try await world()
        let before: AdministrationQuota = try await client.get(
            AdministrationPath.quota, [("project", "shop")])
        #expect(before.devices == 200_000 && before.isStandard)
        let set: AdministrationQuota = try await client.post(
            AdministrationPath.quota, [("project", "shop"), ("devices", "1")])
        #expect(set.devices == 1 && !set.isStandard)
        await #expect(throws: WireDevice.UnexpectedStatus(status: 429)) {
            try await WireDevice(world.key, at: world.url)
        }
        #expect(try await status(client).deviceQuota == 1)
        let _: AdministrationQuota = try await client.post(
            AdministrationPath.quota, [("project", "shop"), ("devices", "standard")])
        _ = try await WireDevice(world.key, at: world.url)
        await #expect(throws: AdministrationClient.Problem.self) {
            let _: AdministrationDevice = try await client.post(
                AdministrationPath.expel, [("project", "shop"), ("hash", "0123456789")])
        }

        struct Line: Decodable {
            var action, project, result, time: String
            var device, devices: String?
            var uid: UInt32
        }
        let lines = try String(contentsOfFile: audit, encoding: .utf8).split(separator: "\n")
            .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(lines.map(\.action) == ["quota", "quota", "expel"])
        #expect(lines.map(\.devices) == ["1", "standard", nil])
        #expect(lines.map(\.result).prefix(2) == ["done", "done"])
        #expect(lines[2].device == "0123456789" && lines[2].result.contains("no device"))
        #expect(lines.allSatisfy { $0.uid == getuid() && $0.time.hasSuffix("Z") })
        var state = stat()
        #expect(stat(audit, &state) == 0 && state.st_mode & 0o777 == 0o600)
        await world.instance.end()
    }

    /// Without its audit log, a change is refused and nothing is changed.
    @Test func noChangeWithoutItsLine() async throws {
        let (world, client) = try await world()
        try FileManager.default.createDirectory(atPath: audit, withIntermediateDirectories: false)
        let problem = await #expect(throws: AdministrationClient.Problem.self) {
            let _: AdministrationQuota = try await client.post(
                AdministrationPath.quota, [("project", "shop"), ("devices", "1")])
        }
        #expect(problem?.description.contains("the audit log cannot be written") == true)
        #expect(try await status(client).deviceQuota == 200_000)
        await world.instance.end()
    }

    @Test func pagesHoldEachDeviceOnce() async throws {
        let (world, client) = try await world()
        var all = [hash(world.device)]
        for n in 0..<24 {
            all.append(hash(try await WireDevice(world.key, at: world.url, label: "box \(n)")))
        }
        var seen: [String] = []
        var after: String?
        var counts: [Int] = []
        repeat {
            let page = try await devices(client, [("limit", "10"), ("after", after)])
            seen += page.devices.map(\.hash)
            counts.append(page.devices.count)
            after = page.next
        } while after != nil
        #expect(counts == [10, 10, 5])
        #expect(seen == all.sorted())
        let labelled = try await devices(client, [("label", "box 2")])
        #expect(Set(labelled.devices.map(\.label)) == ["box 2", "box 20", "box 21", "box 22", "box 23"])
        await world.instance.end()
    }

    @Test(arguments: ["", String(repeating: "x", count: 65), "a\u{1b}[31m", "Küche", "a\nb"])
    func labelsThatAreNone(label: String) async throws {
        let (world, _) = try await world()
        await #expect(throws: WireDevice.UnexpectedStatus(status: 400)) {
            try await WireDevice(world.key, at: world.url, label: label)
        }
        await world.instance.end()
    }

    @Test(arguments: [
        ("/v1/devices?project=shop&limit=0", "400"), ("/v1/devices?project=shop&after=12", "400"),
        ("/v1/devices?project=shop&hash=1234567", "400"), ("/v1/devices?project=shop&colour=red", "400"),
        ("/v1/devices", "400"), ("/v1/devices?project=nobody", "404"), ("/v1/nothing", "404"),
        ("/v1/expel?project=shop&hash=12345678", "405"), ("/v1/report", "404"),
    ])
    func questionsThatAreNone(target: String, status: String) async throws {
        let (world, client) = try await world()
        let problem = await #expect(throws: AdministrationClient.Problem.self) {
            let _: AdministrationPage = try await client.get(target)
        }
        guard case .refused(let code, let line) = problem else {
            Issue.record("\(String(describing: problem))")
            return
        }
        #expect("\(code)" == status && !line.isEmpty && !line.contains("\n"))
        await world.instance.end()
    }

    // MARK: The socket

    @Test func onlyItsOwnerMayOpenTheSocket() async throws {
        let (world, _) = try await world()
        var state = stat()
        #expect(lstat(socket, &state) == 0 && state.st_mode & S_IFMT == S_IFSOCK)
        #expect(state.st_mode & 0o777 == 0o600)
        await world.instance.end()
        #expect(lstat(socket, &state) == -1 && errno == ENOENT)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    /// A socket that a killed server left behind is replaced; one that answers, and another file, are not.
    @Test func onlyAStaleSocketIsReplaced() async throws {
        let served = try Served(data: folder.path + "/data", more: ["--admin-socket", socket])
        #expect(throws: AdministrationProblem.self) {
            try LocalSocket.check(socket, option: "--admin-socket")
        }
        served.end(SIGKILL)
        #expect(access(socket, F_OK) == 0)
        let (world, client) = try await world()
        #expect(try await status(client).devices == 1)
        await world.instance.end()
        try Data("precious".utf8).write(to: URL(fileURLWithPath: socket))
        await #expect(throws: AdministrationProblem.self) { try await self.world() }
        #expect(try String(contentsOfFile: socket, encoding: .utf8) == "precious")
    }

    /// A server that ends leaves the socket of the one that has taken its place.
    @Test func anotherServersSocketStays() async throws {
        let (world, _) = try await world()
        try FileManager.default.removeItem(atPath: socket)
        let (second, client) = try await self.world()
        await world.instance.end()
        #expect(try await status(client).devices == 1)
        await second.instance.end()
    }
}
