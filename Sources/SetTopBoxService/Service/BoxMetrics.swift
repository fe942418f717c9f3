import Nearby
import SetTopBox

/// The metrics of a box in Prometheus' text format.
package struct BoxMetrics: Sendable {
    package var status: BoxStatus
    package var counts: BoxCounts
    package var programs: ProgramQueue.Counts
    package var readers: Int
    package var droppedReaders: Int
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
        gauge("broadcasting", "Frames go out.", status.isBroadcasting)
        gauge("listening", "The microphone is open.", status.isListening)
        gauge("quiet", "Silent because of the hour.", status.isQuiet)
        gauge("registry_known", "The registry knows what the box says and takes.", status.isKnown)
        add(
            "trouble", "gauge", "Whether this part is in trouble.",
            [
                (#"{part="loudspeaker"}"#, status.loudspeaker == nil ? 0 : 1),
                (#"{part="microphone"}"#, status.microphone == nil ? 0 : 1),
                (#"{part="registry"}"#, status.registryError == nil ? 0 : 1),
            ])
        add("neighbours", "gauge", "Devices heard of late.", [("", status.neighbours)])
        counter("frames_sent", "Frames that went out whole.", counts.framesSent)
        counter("frames_heard", "Frames of others that were heard.", counts.framesHeard)
        counter("rotations", "Tokens that took the place of another one.", counts.rotations)
        counter("registry_failures", "Reports that the registry did not take.", counts.registryFailures)
        counter("messages", "Messages that arrived, changes included.", counts.messages)
        counter("message_repeats", "Messages that were found again, and not told again.", counts.repeats)
        add(
            "programs_total", "counter", "Runs of deliver.on-message, and messages dropped before it.",
            [
                (#"{end="succeeded"}"#, programs.succeeded), (#"{end="failed"}"#, programs.failed),
                (#"{end="dropped"}"#, programs.dropped),
            ])
        add("socket_readers", "gauge", "Readers connected to deliver.socket.", [("", readers)])
        counter("socket_readers_dropped", "Readers that were too slow.", droppedReaders)
        add(
            "reloads_total", "counter", "Configurations read again.",
            [(#"{end="succeeded"}"#, reloads.succeeded), (#"{end="failed"}"#, reloads.failed)])
        return lines.joined(separator: "\n") + "\n"
    }
}
