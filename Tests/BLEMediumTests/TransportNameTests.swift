import BLEMedium
import Testing

struct TransportNameTests {
    @Test(arguments: [
        ("auto", TransportName.auto), ("mgmt:0", .management(0)), ("hci-user:3", .userChannel(3)),
        ("hci-socket:3", .userChannel(3)), ("monitor:1", .monitor(1)),
        ("tcp-client:localhost:9000", .tcp(host: "localhost", port: 9000)),
        ("tcp-client:[::1]:9000", .tcp(host: "::1", port: 9000)),
        ("unix-client:/tmp/a b", .unix(path: "/tmp/a b")),
        ("serial:/dev/ttyS1,115200", .serial(path: "/dev/ttyS1", baud: 115_200, isFlowControlled: false)),
        (
            "serial:/dev/ttyS1,921600,rtscts",
            .serial(path: "/dev/ttyS1", baud: 921_600, isFlowControlled: true)
        ),
        ("loopback:", .loopback("")), ("loopback:room", .loopback("room")),
    ])
    func isRead(_ text: String, _ name: TransportName) throws {
        #expect(try TransportName(text) == name)
        #expect(try TransportName(name.description) == name)
    }

    @Test(arguments: [
        "", "mgmt", "mgmt:", "mgmt:x", "mgmt:-1", "hci-user:99999", "tcp-client:9000", "tcp-client::9000",
        "tcp-client:h:0", "tcp-client:h:65536", "unix-client:relative", "serial:/dev/ttyS1",
        "serial:/dev/ttyS1,123", "serial:ttyS1,9600", "serial:/dev/ttyS1,9600,xon", "Auto", "usb:0",
    ])
    func isRefused(_ text: String) {
        #expect(throws: BLEError.self) { try TransportName(text) }
    }

    @Test func aRefusalSaysWhatThereIs() {
        let error = #expect(throws: BLEError.self) { try TransportName("usb:0") }
        #expect(error?.kind == .usage)
        #expect(error?.description.hasPrefix("expected a radio, auto, mgmt:N, hci-user:N") == true)
    }

    /// The automatic choice is right, and the error names what is missing.
    @Test func theKernelsWaysAreChosenAmong() throws {
        var facts = TransportChoice.Facts(
            adapter: 0, isPowered: true, hasBluetooth: true, mayAdminister: true, hasService: true)
        #expect(try TransportChoice(facts).name() == .management(0))
        (facts.isPowered, facts.hasService) = (false, false)
        #expect(try TransportChoice(facts).name() == .userChannel(0))
        facts.hasService = true
        expect(facts, .poweredOff, "hci0 is powered off")
        facts.mayAdminister = false
        expect(facts, .noPermission, "hci0 needs CAP_NET_ADMIN")
        facts.adapter = nil
        expect(facts, .unavailable, "there is no Bluetooth adapter")
        facts.hasBluetooth = false
        expect(facts, .unavailable, "this kernel has no Bluetooth")
    }

    private func expect(_ facts: TransportChoice.Facts, _ kind: BLEError.Kind, _ words: String) {
        let error = #expect(throws: BLEError.self) { try TransportChoice(facts).name() }
        #expect(
            error?.kind == kind && error?.description.hasPrefix(words) == true, "\(String(describing: error))"
        )
    }
}
