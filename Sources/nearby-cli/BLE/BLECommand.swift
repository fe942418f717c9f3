import ArgumentParser

struct BLECommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ble",
        abstract: "Bluetooth Low Energy: what is on air, what is put there, and why not.",
        subcommands: [Scan.self, Advertise.self, Doctor.self])
}
