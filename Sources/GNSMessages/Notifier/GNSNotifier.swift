import Dispatch
import Foundation

/// A notifier that tells the desktop's user that something was found. The original documentation uses iOS's
/// local notifications for this.
///
///     try await GNSNotifier(applicationName: "Names").notify("Message received")
///
/// It sends the notification over the session's message bus to the service `org.freedesktop.Notifications`
/// (Desktop Notifications Specification 1.2).
public struct GNSNotifier: Sendable {
    /// The application that the notification names as its sender.
    public var applicationName: String
    /// The bus's address as D-Bus writes it: `unix:path=…`; `nil` means the session's.
    public var busAddress: String?
    /// The longest time that the service may take to answer, to the millisecond.
    public var timeout = Duration.seconds(5)

    /// Makes a notifier that is not connected yet: each notification opens a connection of its own.
    public init(applicationName: String = ProcessInfo.processInfo.processName, busAddress: String? = nil) {
        (self.applicationName, self.busAddress) = (applicationName, busAddress)
    }

    /// Shows a notification, and returns the number by which the service knows it. It works off the caller's
    /// thread.
    ///
    /// Throws if there is no bus or no service, if the service refuses, or if it does not answer in time.
    @discardableResult
    public func notify(_ summary: String, body: String = "") async throws -> UInt32 {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try send(summary, body: body) })
            }
        }
    }

    /// Sends the notification and waits for the answer.
    private func send(_ summary: String, body: String) throws -> UInt32 {
        let address = try busAddress ?? GNSNotifier.sessionBus(ProcessInfo.processInfo.environment)
        let connection = try DBusConnection(address: address)
        let call = DBusCall(
            to: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
            interface: "org.freedesktop.Notifications", method: "Notify")
        // The arguments are the name, the notification that this one replaces, icon, summary, body, actions,
        // hints, and the service's own duration.
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

    /// Returns the address of the session's bus. If the environment gives none, it is the socket where
    /// systemd puts it.
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

/// The reasons why a notification was not shown.
public enum GNSNotifierError: Error, Hashable, Sendable {
    /// Neither `DBUS_SESSION_BUS_ADDRESS` nor `XDG_RUNTIME_DIR` leads to a bus.
    case noSession
    /// No bus at that address lets this process in. It holds the reason in the bus's own words.
    case noBus(String)
    /// No service on the bus shows notifications. It holds the reason in the bus's own words.
    case noService(String)
    /// The service answered with an error, or with nonsense. It holds the reason.
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
