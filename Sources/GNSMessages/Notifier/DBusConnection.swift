import CDBus

/// A private connection to a message bus.
final class DBusConnection {
    private let connection: OpaquePointer

    /// Throws `.noBus`.
    init(address: String) throws(GNSNotifierError) {
        dbus_threads_init_default()
        let error = DBusFailure()
        guard let opened = dbus_connection_open_private(address, &error.value) else {
            throw .noBus(error.message)
        }
        // The end of the bus is not the end of this process.
        dbus_connection_set_exit_on_disconnect(opened, 0)
        guard dbus_bus_register(opened, &error.value) != 0 else {
            dbus_connection_close(opened)
            dbus_connection_unref(opened)
            throw .noBus(error.message)
        }
        connection = opened
    }

    deinit {
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
    }

    /// Makes the call and waits for its answer, one number.
    ///
    /// Throws `.noService`, `.noAnswer` or `.refused`.
    func number(from call: DBusCall, timeout: Duration) throws(GNSNotifierError) -> UInt32 {
        let error = DBusFailure()
        // 0 would be a call that cannot be answered, and the library takes `Int32.max` as "for ever".
        let milliseconds = Int32(max(1, min(Double(Int32.max - 1), (timeout / .milliseconds(1)).rounded())))
        guard
            let reply = dbus_connection_send_with_reply_and_block(
                connection, call.message, milliseconds, &error.value)
        else {
            throw error.isMissingService
                ? .noService(error.message) : error.isTimeout ? .noAnswer : .refused(error.message)
        }
        defer { dbus_message_unref(reply) }
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(reply, &iterator) != 0,
            dbus_message_iter_get_arg_type(&iterator) == DBusCall.code("u")
        else { throw .refused("the answer is no number") }
        var number: UInt32 = 0
        dbus_message_iter_get_basic(&iterator, &number)
        return number
    }
}

/// An error as the D-Bus library reports it.
private final class DBusFailure {
    var value = DBusError()

    init() { dbus_error_init(&value) }
    deinit { dbus_error_free(&value) }

    var message: String { value.message.map { String(cString: $0) } ?? "no reason given" }

    var isMissingService: Bool {
        isOne(of: ["ServiceUnknown", "NameHasNoOwner", "Spawn.ServiceNotFound", "Spawn.ExecFailed"])
    }

    var isTimeout: Bool { isOne(of: ["NoReply", "Timeout", "TimedOut"]) }

    private func isOne(of names: [String]) -> Bool {
        names.contains { dbus_error_has_name(&value, "org.freedesktop.DBus.Error.\($0)") != 0 }
    }
}
