import Nearby
import SetTopBox

/// The metrics of a box in Prometheus' text format.
package struct BoxMetrics: Sendable {
    package var status: BoxStatus
    package var counts: BoxCounts
    package var programs: ProgramQueue.Counts
    package var readers: Int
    package var droppedReaders: Int
    package var players: Int
    package var reloads: (succeeded: Int, failed: Int)

    package var text: String {
        var lines: [String] = []
        func add(_ name: String, _ type: String, _ help: String, _ values: [(label: String, value: Int)]) {
            lines += ["# HELP nearby_stb_\(name) \(help)", "# TYPE nearby_stb_\(name) \(type)"]
            lines += values.map { "nearby_stb_\(name)\($0.label) \($0.value)" }
        }
        func gauge(_ name: String, _ help: String, _ isTrue: Bool) {
            add(name, "gauge", help, [("", isTrue ? 1 : 0)])
        }
        func counter(_ name: String, _ help: String, _ value: Int) {
            add("\(name)_total", "counter", help, [("", value)])
        }
        gauge("broadcasting", "1 while the box broadcasts frames.", status.isBroadcasting)
        gauge("listening", "1 while the microphone is open.", status.isListening)
        gauge("quiet", "1 during quiet hours.", status.isQuiet)
        gauge(
            "registry_known", "1 while the registry knows the box's publications and subscriptions.",
            status.isKnown)
        add(
            "trouble", "gauge", "1 while this part has a problem.",
            [
                (#"{part="loudspeaker"}"#, status.loudspeaker == nil ? 0 : 1),
                (#"{part="microphone"}"#, status.microphone == nil ? 0 : 1),
                (#"{part="registry"}"#, status.registryError == nil ? 0 : 1),
            ])
        add("neighbours", "gauge", "Devices heard recently.", [("", status.neighbours)])
        counter("frames_sent", "Frames sent completely.", counts.framesSent)
        counter("frames_heard", "Frames received from others.", counts.framesHeard)
        counter("rotations", "Changes of the box's token.", counts.rotations)
        counter("registry_failures", "Reports that the registry did not accept.", counts.registryFailures)
        counter("messages", "Messages received, changes included.", counts.messages)
        counter("message_repeats", "Messages that were found again, and not delivered again.", counts.repeats)
        add(
            "programs_total", "counter", "Runs of deliver.on-message, and messages dropped before a run.",
            [
                (#"{end="succeeded"}"#, programs.succeeded), (#"{end="failed"}"#, programs.failed),
                (#"{end="dropped"}"#, programs.dropped),
            ])
        add("socket_readers", "gauge", "Readers connected to deliver.socket.", [("", readers)])
        counter("socket_readers_dropped", "Readers disconnected because they were too slow.", droppedReaders)
        add("players", "gauge", "Players connected to token.socket.", [("", players)])
        add(
            "reloads_total", "counter", "Reloads of the configuration.",
            [(#"{end="succeeded"}"#, reloads.succeeded), (#"{end="failed"}"#, reloads.failed)])
        return lines.joined(separator: "\n") + "\n"
    }
}
