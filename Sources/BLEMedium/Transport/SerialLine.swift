import Glibc

/// A UART with a controller behind it.
enum SerialLine {
    static let speeds: [Int: speed_t] = [
        9600: speed_t(B9600), 19_200: speed_t(B19200), 38_400: speed_t(B38400), 57_600: speed_t(B57600),
        115_200: speed_t(B115200), 230_400: speed_t(B230400), 460_800: speed_t(B460800),
        921_600: speed_t(B921600), 1_000_000: speed_t(B1000000), 1_500_000: speed_t(B1500000),
        2_000_000: speed_t(B2000000), 3_000_000: speed_t(B3000000), 4_000_000: speed_t(B4000000),
    ]

    /// Throws: ``BLEError``.
    static func open(_ path: String, baud: Int, isFlowControlled: Bool) throws(BLEError) -> Descriptor {
        let line = Descriptor(Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC))
        guard line.raw >= 0 else { throw BLEError.system(errno, "\(path) cannot be opened") }
        guard let speed = speeds[baud] else { throw BLEError(.usage, "no UART has \(baud) baud") }
        var settings = termios()
        guard tcgetattr(line.raw, &settings) == 0 else {
            throw BLEError.system(errno, "\(path) is no serial line")
        }
        // Of two programs that read one line, each would get half of the bytes.
        guard flock(line.raw, LOCK_EX | LOCK_NB) == 0 else {
            throw BLEError(.unavailable, "\(path) is in use by another program: stop it")
        }
        cfmakeraw(&settings)
        cfsetspeed(&settings, speed)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        let flow = tcflag_t(CRTSCTS)
        settings.c_cflag = isFlowControlled ? settings.c_cflag | flow : settings.c_cflag & ~flow
        guard tcsetattr(line.raw, TCSANOW, &settings) == 0 else {
            throw BLEError.system(errno, "\(path) cannot be set to \(baud) baud")
        }
        tcflush(line.raw, TCIOFLUSH)
        return line
    }
}
