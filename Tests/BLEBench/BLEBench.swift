import BLEMedium
import Glibc
import Nearby

/// A benchmark of a radio's medium, over controllers elsewhere. Tools/bench/ble starts it and its
/// controllers.
///
///     ble-bench token SENDER RECEIVER COUNT      time from a new token here to its sighting there
///     ble-bench pair RADIO SIDE COUNT SECONDS    sends tokens and says which of the other's it heard
///     ble-bench leave RADIO exit|kill            sends, and ends in the middle of it, so
///     ble-bench bridge PORT, power N on, instances N, watch RADIO SECONDS,
///     rotate RADIO COUNT FILE, replace RADIO COUNT FILE   for Tools/kernel-radio
///     ble-bench flood RADIO SECONDS              a controller reports as fast as it can: what is missed
@main
struct BLEBench {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, arguments.count) {
        case ("token"?, 4):
            try await TokenBench(
                sender: arguments[2], receiver: arguments[3], count: Int(arguments[4]) ?? 100
            ).run()
        case ("flood"?, 3):
            try await FloodBench(radio: arguments[2], seconds: Double(arguments[3]) ?? 60).run()
        case ("bridge"?, 2): try KernelTools.bridge(arguments[2])
        case ("power"?, 3): try KernelTools.power(UInt16(arguments[2]) ?? 0, arguments[3] == "on")
        case ("instances"?, 2): try KernelTools.instances(UInt16(arguments[2]) ?? 0)
        case ("watch"?, 3): try await KernelTools.watch(arguments[2], seconds: Double(arguments[3]) ?? 10)
        case ("rotate"?, 4), ("replace"?, 4):
            try await RotationBench(
                radio: arguments[2], count: Int(arguments[3]) ?? 100, file: arguments[4],
                isReplacing: arguments[1] == "replace"
            ).run()
        case ("leave"?, 3): try await KernelTools.leave(arguments[2], by: arguments[3])
        case ("pair"?, 5):
            try await KernelTools.pair(
                arguments[2], side: UInt64(arguments[3]) ?? 1, count: UInt64(arguments[4]) ?? 10,
                seconds: Double(arguments[5]) ?? 10)
        default:
            let usage =
                "usage: ble-bench token SENDER RECEIVER COUNT | flood RADIO SECONDS | bridge PORT | power N on | instances N | "
                + "watch RADIO SECONDS | rotate RADIO COUNT FILE | replace RADIO COUNT FILE | pair RADIO SIDE COUNT SECONDS | leave RADIO exit|kill\n"
            write(2, usage, usage.utf8.count)
            exit(64)
        }
    }
}

/// A measurement that prints milliseconds, sorted.
struct TokenBench {
    var sender: String
    var receiver: String
    var count: Int

    func run() async throws {
        let settings = BLEMediumSettings(tellsEvery: .zero)
        let (box, phone) = (
            try BLEMedium(TransportName(sender), settings: settings),
            try BLEMedium(TransportName(receiver), settings: settings)
        )
        var events = phone.events().makeAsyncIterator()
        await phone.carryOut(MediumAssignment(isScanning: true))
        var milliseconds: [Double] = []
        for number in 0..<UInt64(count + 1) {
            let token = Sighting.Payload.token(Token(bits: number))
            let start = ContinuousClock.now
            await box.carryOut(MediumAssignment(broadcast: .init([token], cadence: .continuous)))
            while let event = await events.next() {
                if case .sighted(let sighting) = event, sighting.payload == token { break }
            }
            // The first token also opens the radios.
            if number > 0 { milliseconds.append(start.duration(to: .now) / .milliseconds(1)) }
            // Otherwise the next token would always come in the same phase of the scan.
            try await Task.sleep(for: .milliseconds(.random(in: 150...300)))
        }
        await box.carryOut(.idle)
        await phone.carryOut(.idle)
        milliseconds.sort()
        func part(_ share: Double) -> Double { milliseconds[min(count - 1, Int(share * Double(count)))] }
        print("count \(count) p50 \(part(0.5)) p95 \(part(0.95)) p99 \(part(0.99)) max \(part(1))")
    }
}

/// A measurement that prints the sightings of the steady peer, whose token is all 0x55, and the memory every
/// five seconds.
struct FloodBench {
    var radio: String
    var seconds: Double

    func run() async throws {
        let medium = try BLEMedium(TransportName(radio), settings: BLEMediumSettings(tellsEvery: .zero))
        let reader = Task {
            var (peer, others) = (0, 0)
            for await case .sighted(let sighting) in medium.events() {
                if sighting.payload == .token(Token(bits: 0x5555_5555_5555_5555)) {
                    peer += 1
                } else {
                    others += 1
                }
            }
            return (peer, others)
        }
        await medium.carryOut(MediumAssignment(isScanning: true))
        let start = ContinuousClock.now
        while start.duration(to: .now) < .seconds(seconds) {
            try await Task.sleep(for: .seconds(5))
            print("at \(start.duration(to: .now) / .seconds(1)) s resident \(residentKB()) kB")
        }
        await medium.carryOut(.idle)
        print("processor \(Double(clock()) / 1e6) s")
        reader.cancel()
        let (peer, others) = await reader.value
        print("peer \(peer) others \(others)")
    }

    private func residentKB() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * 4
    }
}
