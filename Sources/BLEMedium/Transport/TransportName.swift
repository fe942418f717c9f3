/// The name of a radio, as a user writes it.
public enum TransportName: Sendable, Hashable {
    /// The first usable interface of the kernel: `TransportChoice`.
    case auto
    /// The kernel's management of adapter N, shared with its other users.
    case management(Int)
    /// Adapter N for this program alone.
    case userChannel(Int)
    /// A monitor that receives what others on adapter N receive.
    case monitor(Int)
    /// A controller behind TCP, H4 on the wire: an emulator or a bridge. An IPv6 address has no brackets.
    case tcp(host: String, port: UInt16)
    /// A controller behind a Unix socket, H4 on the wire; the path is absolute.
    case unix(path: String)
    /// A controller behind a UART, H4 on the wire. `isFlowControlled` is true if its RTS and CTS are
    /// connected and used.
    case serial(path: String, baud: Int, isFlowControlled: Bool)
    /// A simulated channel within this process; radios with the same name receive each other.
    case loopback(String)

    static let forms =
        "auto, mgmt:N, hci-user:N, monitor:N, tcp-client:HOST:PORT, unix-client:/PATH, serial:/dev/ttyX,BAUD[,rtscts] or loopback:"

    /// Throws: ``BLEError/Kind/usage``.
    public init(_ text: String) throws(BLEError) {
        guard let name = TransportName(parsing: text) else {
            throw BLEError(.usage, "expected a radio, \(TransportName.forms), not '\(text)'")
        }
        self = name
    }

    private init?(parsing text: String) {
        if text == "auto" {
            self = .auto
            return
        }
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let rest = String(text[text.index(after: colon)...])
        let index = Int(rest).flatMap { (0...0xFFFE).contains($0) ? $0 : nil }
        switch (text[..<colon], index) {
        case ("mgmt", let index?): self = .management(index)
        case ("hci-user", let index?), ("hci-socket", let index?): self = .userChannel(index)
        case ("monitor", let index?): self = .monitor(index)
        case ("tcp-client", _):
            guard let last = rest.lastIndex(of: ":"), last != rest.startIndex,
                let port = UInt16(rest[rest.index(after: last)...]), port > 0
            else { return nil }
            // [::1]:9000
            let host = rest[..<last].trimming(["[", "]"])
            guard !host.isEmpty else { return nil }
            self = .tcp(host: host, port: port)
        case ("unix-client", _):
            // The limit is the size of sun_path, with its zero byte.
            guard rest.hasPrefix("/"), rest.utf8.count < 108 else { return nil }
            self = .unix(path: rest)
        case ("serial", _):
            let parts = rest.split(separator: ",", omittingEmptySubsequences: false)
            guard (2...3).contains(parts.count), parts[0].hasPrefix("/"),
                let baud = Int(parts[1]), SerialLine.speeds[baud] != nil,
                parts.count == 2 || parts[2] == "rtscts"
            else { return nil }
            self = .serial(path: String(parts[0]), baud: baud, isFlowControlled: parts.count == 3)
        case ("loopback", _): self = .loopback(rest)
        default: return nil
        }
    }
}

extension TransportName: CustomStringConvertible {
    public var description: String {
        switch self {
        case .auto: "auto"
        case .management(let index): "mgmt:\(index)"
        case .userChannel(let index): "hci-user:\(index)"
        case .monitor(let index): "monitor:\(index)"
        case .tcp(let host, let port):
            host.contains(":") ? "tcp-client:[\(host)]:\(port)" : "tcp-client:\(host):\(port)"
        case .unix(let path): "unix-client:\(path)"
        case .serial(let path, let baud, let isFlowControlled):
            "serial:\(path),\(baud)\(isFlowControlled ? ",rtscts" : "")"
        case .loopback(let name): "loopback:\(name)"
        }
    }
}

extension Substring {
    fileprivate func trimming(_ marks: Set<Character>) -> String {
        var text = self
        while let first = text.first, marks.contains(first) { text.removeFirst() }
        while let last = text.last, marks.contains(last) { text.removeLast() }
        return String(text)
    }
}
