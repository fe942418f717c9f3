import Foundation
import GNSMessages
import TestSupport
import Testing

/// Tests of notifications through a real bus to a foreign service: dbus-daemon and python-dbus.
@Suite(.serialized) struct NotifierTests {
    /// A session's bus, which ends with this object.
    private final class Bus {
        let daemon: Program
        let address: String

        init() async throws {
            daemon = try Program(
                "dbus-daemon",
                ["--session", "--nofork", "--print-address=1", "--address=unix:tmpdir=/tmp"])
            address = try #require(await daemon.line(), "dbus-daemon is missing: Tools/install")
        }

        func startService() async throws -> Program {
            let service = try Program(
                "/usr/bin/python3", [Repository.path("Tests/GNSMessagesTests/notification_service.py")],
                environment: ["DBUS_SESSION_BUS_ADDRESS": address])
            try #require(
                await service.line() == "ready", "python3-dbus or python3-gi is missing: Tools/install")
            return service
        }
    }

    @Test func serviceShowsWhatItIsTold() async throws {
        let bus = try await Bus()
        let service = try await bus.startService()
        let notifier = GNSNotifier(applicationName: "Names", busAddress: bus.address)
        #expect(try await notifier.notify("Message received") == 42)
        #expect(await service.line() == "Names|0||Message received||0|0|-1")
        #expect(try await notifier.notify("Grüße\0!", body: "von <b>Anna</b>") == 43)
        #expect(await service.line() == "Names|0||Grüße!|von <b>Anna</b>|0|0|-1")
        withExtendedLifetime(bus) {}
    }

    @Test func refusalSaysWhy() async throws {
        let bus = try await Bus()
        let service = try await bus.startService()
        let notifier = GNSNotifier(busAddress: bus.address)
        await #expect(throws: GNSNotifierError.refused("too many")) { try await notifier.notify("refuse") }
        withExtendedLifetime((bus, service)) {}
    }

    /// The call ends within the given time, to the millisecond.
    @Test(arguments: [50, 700])
    func aServiceThatHangsIsToldInTime(milliseconds: Int) async throws {
        let bus = try await Bus()
        let service = try await bus.startService()
        var notifier = GNSNotifier(busAddress: bus.address)
        notifier.timeout = .milliseconds(milliseconds)
        let hanging = notifier
        let start = ContinuousClock.now
        await #expect(throws: GNSNotifierError.noAnswer) { try await hanging.notify("hang") }
        #expect((.milliseconds(milliseconds)..<(.bound(.seconds(5)))).contains(ContinuousClock.now - start))
        withExtendedLifetime((bus, service)) {}
    }

    @Test func busWithoutServiceIsTold() async throws {
        let bus = try await Bus()
        let error = await #expect(throws: GNSNotifierError.self) {
            try await GNSNotifier(busAddress: bus.address).notify("Message received")
        }
        guard case .noService = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        withExtendedLifetime(bus) {}
    }

    @Test func busIsFoundAsTheSessionSaysIt() throws {
        let directory = TemporaryDirectory()
        let address = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a", "XDG_RUNTIME_DIR": directory.path]
        #expect(try GNSNotifier.sessionBus(address) == "unix:path=/a")
        let runtime = ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": directory.path]
        #expect(throws: GNSNotifierError.noSession) { try GNSNotifier.sessionBus(runtime) }
        directory.write([], to: "bus")
        #expect(try GNSNotifier.sessionBus(runtime) == "unix:path=\(directory.path)/bus")
        #expect(throws: GNSNotifierError.noSession) { try GNSNotifier.sessionBus([:]) }
    }

    @Test func noBusIsTold() async {
        let error = await #expect(throws: GNSNotifierError.self) {
            try await GNSNotifier(busAddress: "unix:path=/nonexistent").notify("Message received")
        }
        #expect(error?.description.hasPrefix("the session's message bus does not answer: ") == true)
    }

    /// The documentation's background notification, as an app on a desktop writes it.
    @Test func foundMessageBecomesANotification() async throws {
        let bus = try await Bus()
        let service = try await bus.startService()
        let notifier = GNSNotifier(applicationName: "Names", busAddress: bus.address)
        let world = World()
        let (one, other) = (world.device().manager(), world.device().manager())
        let myMessageFoundHandler: GNSMessageHandler = { _ in
            Task { try await notifier.notify("Message received") }
        }
        let subscription = other.subscription(
            messageFoundHandler: myMessageFoundHandler, messageLostHandler: nil)
        let publication = one.publication(with: GNSMessage("Anna"))
        #expect(await service.line() == "Names|0||Message received||0|0|-1")
        withExtendedLifetime((bus, one, other, subscription, publication)) {}
    }
}
