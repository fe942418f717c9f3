import ArgumentParser
import CommandOutput
import NearbyServer

extension Admin {
    /// The project of the devices.
    struct DeviceOptions: ParsableArguments {
        @Option(help: ArgumentHelp("The project's name.", valueName: "name"))
        var project = "default"

        @OptionGroup var socket: SocketOptions
    }

    /// One device of the project.
    struct OneDeviceOptions: ParsableArguments {
        @Argument(help: "First digits of the hash of its secret, at least 8.")
        var hash: String

        @OptionGroup var options: DeviceOptions

        var query: [(String, String?)] { [("project", options.project), ("hash", hash)] }
    }

    struct Devices: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Search the devices of a project, one per line.",
            discussion: """
                A device's label is what its owner gave when it registered. Without --label and --hash all devices \
                match. They come in the order of the hashes of their secrets, page by page; a line on standard error \
                says how to continue. The exit code is 1 if none is found.
                """)

        @OptionGroup var options: DeviceOptions

        @Option(help: ArgumentHelp("Beginning of the label.", valueName: "text"))
        var label: String?

        @Option(
            help: ArgumentHelp(
                "First digits of the hash, at least 8, as in log lines.", valueName: "digits"))
        var hash: String?

        @Option(help: ArgumentHelp("Hash of the last device of the page before.", valueName: "hash"))
        var after: String?

        @Option(help: ArgumentHelp("Devices of a page, up to 1000.", valueName: "number"))
        var limit = 100

        @Flag(help: "Print one JSON object per line.")
        var json = false

        func run() async throws {
            let page: AdministrationPage = try await options.socket.get(
                AdministrationPath.devices,
                [
                    ("project", options.project), ("label", label), ("hash", hash), ("after", after),
                    ("limit", "\(limit)"),
                ])
            let lines =
                json ? page.devices.map(Admin.line) : TextTable(page.devices.map(Admin.cells)).lines
            for line in lines { try StandardOutput.write(line) }
            if let next = page.next { StandardError.write("there are more: --after \(next)") }
            guard !lines.isEmpty else { throw CommandFailure(.nothingHeard, "no device matches") }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "device", abstract: "Show one device.")

        @OptionGroup var one: OneDeviceOptions

        @Flag(help: "Print one JSON object.")
        var json = false

        func run() async throws {
            let device: AdministrationDevice = try await one.options.socket.get(
                AdministrationPath.device, one.query)
            guard !json else { return try StandardOutput.write(Admin.line(device)) }
            var rows = [["hash", device.hash]]
            if let label = device.label { rows.append(["label", label]) }
            rows += [
                ["API key", "\(device.key)"], ["stream", device.isStreaming ? "open" : "none"],
                ["last report", Admin.age(device)], ["near others", device.isNearAny ? "yes" : "no"],
                ["publications", "\(device.publications)"], ["subscriptions", "\(device.subscriptions)"],
            ]
            rows += device.tokens.map { ["token by \($0.medium)", "\($0.remainingMillis / 1000) s left"] }
            for line in TextTable(rows).lines { try StandardOutput.write(line) }
        }
    }

    struct Expel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove one device: those near it lose it, and its secret is worthless.",
            discussion: """
                A device with a valid API key may register again; 'nearby keys revoke' keeps out all devices of a key.
                """)

        @OptionGroup var one: OneDeviceOptions

        @Flag(help: "Print the device as it was, as one JSON object.")
        var json = false

        func run() async throws {
            let device: AdministrationDevice = try await one.options.socket.post(
                AdministrationPath.expel, one.query)
            try StandardOutput.write(json ? Admin.line(device) : "expelled \(device.hash)")
        }
    }

    private static func age(_ device: AdministrationDevice) -> String {
        device.sinceReportMillis.map { "\($0 / 1000) s ago" } ?? "none since the server has it"
    }

    private static func cells(_ device: AdministrationDevice) -> [String] {
        [
            device.hash, device.label ?? "-", device.isStreaming ? "stream" : "no stream", age(device),
        ]
    }
}
