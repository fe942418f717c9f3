import CWatchdog
import Glibc

/// A process that has the radio open as well. It ends the radio's transmissions if this program ends without
/// doing so, for example because it is killed.
struct Watchdog: ~Copyable {
    private let control: Int32

    /// Throws: ``BLEError`` if the system cannot start the process.
    init(_ radio: Descriptor) throws(BLEError) {
        var control: Int32 = -1
        let code = nearby_watchdog_start(radio.raw, &control)
        guard code == 0 else {
            throw BLEError.system(code, "no process that would end what is sent, should this one be killed")
        }
        self.control = control
    }

    /// Makes the process send the messages that it holds, if any. When this returns, at most a second later,
    /// the radio is free.
    deinit {
        shutdown(control, Int32(SHUT_WR))
        var end = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
        poll(&end, 1, 1000)
        close(control)
    }

    /// Sets the messages that the process will send, one at a time, each of at most 255 bytes; an empty list
    /// sends nothing.
    func remember(_ messages: [[UInt8]]) throws(BLEError) {
        var words = messages.reduce(into: []) { $0 += [UInt8($1.count)] + $1 }
        words.append(0)
        guard send(control, words, words.count, Int32(MSG_NOSIGNAL)) == words.count else {
            throw BLEError.system(errno, "the process that would end what is sent is gone")
        }
    }
}
