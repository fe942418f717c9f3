import ArgumentParser
import Nearby

/// The options for the device's current abilities and its user's permission.
struct ConditionOptions: ParsableArguments {
    @Flag(help: "The app runs in the background.")
    var inBackground = false

    @Option(help: "The user's answer to the app's request for permission.")
    var permission: Permission = .granted

    @Flag(help: "The device has no microphone.")
    var noMicrophone = false

    @Flag(help: "The device has no loudspeaker.")
    var noLoudspeaker = false

    @Flag(help: "Audio has a second profile, for frames that need only reach earshot.")
    var nearProfile = false

    @Flag(help: "The device has no Bluetooth adapter.")
    var noBle = false

    @Flag(help: "Bluetooth is switched off.")
    var bluetoothOff = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Number of devices heard recently that share the medium, 0 to 1000.", valueName: "n"))
    var neighbours = 0

    func validate() throws {
        guard (0...1000).contains(neighbours) else { throw ValidationError("--neighbours must be 0 to 1000") }
        guard !(noBle && bluetoothOff) else {
            throw ValidationError("give either --no-ble or --bluetooth-off")
        }
    }

    var selection: StrategySelection {
        let bluetooth: MediumCondition.Obstacle? = noBle ? .missing : bluetoothOff ? .poweredOff : nil
        return StrategySelection(
            permission: permission, isInBackground: inBackground,
            conditions: [
                .audio: MediumCondition(
                    broadcast: noLoudspeaker ? .missing : nil, scan: noMicrophone ? .missing : nil,
                    profiles: nearProfile ? [.standard, .near] : [.standard]),
                .ble: MediumCondition(broadcast: bluetooth, scan: bluetooth),
            ], crowd: [.audio: neighbours, .ble: neighbours])
    }
}

extension Permission: ExpressibleByArgument {
    public static var allValueStrings: [String] { [granted, denied, undecided].map(\.rawValue) }
}
