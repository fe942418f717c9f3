import CDBus

/// A method call that is written argument by argument. Only a lack of memory can make it fail, which ends the
/// process.
final class DBusCall {
    let message: OpaquePointer
    private var iterator = DBusMessageIter()

    init(to service: String, path: String, interface: String, method: String) {
        message = dbus_message_new_method_call(service, path, interface, method)
        dbus_message_iter_init_append(message, &iterator)
    }

    deinit { dbus_message_unref(message) }

    /// Returns the code of a D-Bus type, given its letter (D-Bus Specification, "Type System").
    static func code(_ letter: Unicode.Scalar) -> Int32 { Int32(letter.value) }

    func append(_ text: String) {
        // A D-Bus string holds no NUL.
        text.replacing("\0", with: "").withCString { pointer in
            var pointer: UnsafePointer<CChar>? = pointer
            check(dbus_message_iter_append_basic(&iterator, DBusCall.code("s"), &pointer))
        }
    }

    func append(_ number: UInt32) {
        var number = number
        check(dbus_message_iter_append_basic(&iterator, DBusCall.code("u"), &number))
    }

    func append(_ number: Int32) {
        var number = number
        check(dbus_message_iter_append_basic(&iterator, DBusCall.code("i"), &number))
    }

    func appendEmptyArray(of signature: String) {
        var array = DBusMessageIter()
        check(dbus_message_iter_open_container(&iterator, DBusCall.code("a"), signature, &array))
        check(dbus_message_iter_close_container(&iterator, &array))
    }

    private func check(_ isDone: dbus_bool_t) { precondition(isDone != 0, "no memory for a message") }
}
