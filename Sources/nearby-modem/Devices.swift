import ArgumentParser
import AudioIO
import CommandOutput

struct Devices: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List sound devices and what they can do.",
        discussion: """
            Lists every ALSA PCM that can capture or play, the default one first, with the rates, formats and \
            channels that it supports without conversion. The exit code is 69 if there is none.
            """)

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() throws {
        let devices = StandardError.whileSilent { SoundDevice.all() }
        guard !devices.isEmpty else {
            let reason = SoundDevice.configurationProblem().map { "; \($0)" } ?? ""
            throw CommandFailure(
                .unavailable,
                "no sound device\(reason); is a card plugged in, and is this user in the group audio?")
        }
        for device in devices {
            if json {
                try StandardOutput.write(DeviceLine(device: device).json)
            } else {
                for line in DeviceLine(device: device).text { try StandardOutput.write(line) }
            }
        }
    }
}
