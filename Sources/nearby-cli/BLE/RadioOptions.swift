import ArgumentParser
import BLEMedium
import CommandOutput

/// The option that names the radio.
struct RadioNameOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The radio: auto, mgmt:N, hci-user:N, monitor:N, tcp-client:HOST:PORT, unix-client:/PATH, serial:/dev/ttyX,BAUD[,rtscts] or loopback:NAME.",
            valueName: "name"))
    var radio = "auto"

    func validate() throws { _ = try RadioNameOption.name(radio) }

    /// Resolves the radio's name, and `auto` to a radio of this machine. Throws: ``BLEError`` if there is
    /// none.
    func resolved() throws -> TransportName { try RadioNameOption.resolved(radio) }

    /// Parses a radio's name. Throws: 64 if it is invalid.
    static func name(_ text: String) throws -> TransportName {
        do throws(BLEError) {
            return try TransportName(text)
        } catch {
            throw ValidationError("--radio: \(error)")
        }
    }

    /// Resolves a radio's name, and `auto` to a radio of this machine. Throws: ``BLEError`` if the name is
    /// invalid or there is no radio.
    static func resolved(_ text: String) throws(BLEError) -> TransportName {
        let name = try TransportName(text)
        return name == .auto ? try KernelInspection.gathered().choice.name() : name
    }
}

/// The options for the radio, the duration and the capture file.
struct RadioOptions: ParsableArguments {
    @OptionGroup var radio: RadioNameOption

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp("Stop after this time. (default: at Ctrl-C)", valueName: "seconds"))
    var seconds: Double?

    @Option(
        help: ArgumentHelp(
            "Save all HCI packets to this file, for btmon -r and Wireshark; with mgmt:N this needs CAP_NET_RAW.",
            valueName: "file"))
    var captureFile: String?

    func validate() throws {
        guard seconds.map({ $0 > 0 && $0 < 1e9 }) ?? true else {
            throw ValidationError("--for must be more than 0 seconds")
        }
    }
}
