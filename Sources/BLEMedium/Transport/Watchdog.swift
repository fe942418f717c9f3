import CWatchdog
import Glibc

/// A process that has a radio open as well, and ends what it sends when this program has ended without doing so: killed, say.
struct Watchdog: ~Copyable {
    private let control: Int32

    /// Throws: ``BLEError``, when the system has no process for it.
    init(_ radio: Descriptor) throws(BLEError) {
        var control: Int32 = -1
        let code = nearby_watchdog_start(radio.raw, &control)
        guard code == 0 else {
            throw BLEError.system(code, "no process that would end what is sent, should this one be killed")
        }
        self.control = control
    }

    /// When it is let go it says what it remembers, or nothing; either way the radio is free when this returns, or a second later.
    deinit {
        shutdown(control, Int32(SHUT_WR))
        var end = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
        poll(&end, 1, 1000)
        close(control)
    }

    /// From now on: what it is to send, a message at a time, each of at most 255 bytes; none: nothing.
    func remember(_ messages: [[UInt8]]) throws(BLEError) {
        var words = messages.reduce(into: []) { $0 += [UInt8($1.count)] + $1 }
        words.append(0)
        guard send(control, words, words.count, Int32(MSG_NOSIGNAL)) == words.count else {
            throw BLEError.system(errno, "the process that would end what is sent is gone")
        }
    }
}
