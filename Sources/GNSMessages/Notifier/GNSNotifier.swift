import Dispatch
import Foundation

/// Tells the user on the desktop that something was found: where the documents use iOS's local notifications.
///
///     try await GNSNotifier(applicationName: "Names").notify("Message received")
///
/// Goes through the session's message bus to whoever serves `org.freedesktop.Notifications` (Desktop Notifications Specification
/// 1.2).
public struct GNSNotifier: Sendable {
    /// Whom the notification says it is from.
    public var applicationName: String
    /// As D-Bus writes it: `unix:path=…`; nil: the session's.
    public var busAddress: String?
    /// How long the service may take to answer, to the millisecond.
    public var timeout = Duration.seconds(5)

    /// Nothing is connected yet: each notification takes a connection of its own.
    public init(applicationName: String = ProcessInfo.processInfo.processName, busAddress: String? = nil) {
        (self.applicationName, self.busAddress) = (applicationName, busAddress)
    }

    /// Shows it, and returns the number by which the service knows it. Off the caller's thread.
    ///
    /// Throws: when there is no bus, or no service, or it does not answer in time.
    @discardableResult
    public func notify(_ summary: String, body: String = "") async throws -> UInt32 {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try send(summary, body: body) })
            }
        }
    }

    /// Waits for the answer.
    private func send(_ summary: String, body: String) throws -> UInt32 {
        let address = try busAddress ?? GNSNotifier.sessionBus(ProcessInfo.processInfo.environment)
        let connection = try DBusConnection(address: address)
        let call = DBusCall(
            to: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
            interface: "org.freedesktop.Notifications", method: "Notify")
        // Name, the notification it takes the place of, icon, summary, body, actions, hints, the service's own time.
        call.append(applicationName)
        call.append(UInt32(0))
        call.append("")
        call.append(summary)
        call.append(body)
        call.appendEmptyArray(of: "s")
        call.appendEmptyArray(of: "{sv}")
        call.append(Int32(-1))
        return try connection.number(from: call, timeout: timeout)
    }

    /// Where a session has its bus: systemd's place is the one to be expected where nothing is said.
    package static func sessionBus(_ environment: [String: String]) throws(GNSNotifierError) -> String {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return address }
        if let directory = environment["XDG_RUNTIME_DIR"],
            FileManager.default.fileExists(atPath: "\(directory)/bus")
        {
            return "unix:path=\(directory)/bus"
        }
        throw .noSession
    }
}

/// Why a notification was not shown.
public enum GNSNotifierError: Error, Hashable, Sendable {
    /// Neither `DBUS_SESSION_BUS_ADDRESS` nor `XDG_RUNTIME_DIR` leads to a bus.
    case noSession
    /// No bus at that address lets this process in: why, in its own words.
    case noBus(String)
    /// Nobody on the bus shows notifications.
    case noService(String)
    /// The service answered with an error, or with nonsense: why, in its own words.
    case refused(String)
    /// The service did not answer in time.
    case noAnswer
}

extension GNSNotifierError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noSession:
            "there is no desktop session to notify: set DBUS_SESSION_BUS_ADDRESS, or run it within one"
        case .noBus(let why): "the session's message bus does not answer: \(why)"
        case .noService(let why): "nobody on the message bus shows notifications: \(why)"
        case .refused(let why): "the notification was refused: \(why)"
        case .noAnswer: "the notification was not answered in time: whether it is shown is not known"
        }
    }
}
