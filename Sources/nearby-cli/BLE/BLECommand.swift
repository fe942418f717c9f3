import ArgumentParser

struct BLECommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ble",
        abstract: "Receive, send and troubleshoot Bluetooth Low Energy advertisements.",
        subcommands: [Scan.self, Advertise.self, Doctor.self])
}
