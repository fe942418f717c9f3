import ArgumentParser
import Nearby

/// The options for the device's current abilities and its user's permission.
struct ConditionOptions: ParsableArguments {
    @Flag(help: "The app is in the background.")
    var inBackground = false

    @Option(help: "What the user has said.")
    var permission: Permission = .granted

    @Flag(help: "There is no microphone.")
    var noMicrophone = false

    @Flag(help: "There is no loudspeaker.")
    var noLoudspeaker = false

    @Flag(help: "Audio has a near profile too, for what is meant for earshot alone.")
    var nearProfile = false

    @Flag(help: "There is no Bluetooth adapter.")
    var noBle = false

    @Flag(help: "Bluetooth is switched off.")
    var bluetoothOff = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Devices heard of late, with whom turns are taken, 0 to 1000.", valueName: "n"))
    var neighbours = 0

    func validate() throws {
        guard (0...1000).contains(neighbours) else { throw ValidationError("--neighbours is 0 to 1000") }
        guard !(noBle && bluetoothOff) else {
            throw ValidationError("say either --no-ble or --bluetooth-off")
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
