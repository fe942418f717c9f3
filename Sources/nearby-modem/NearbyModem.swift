import ArgumentParser

@main
struct NearbyModem: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby-modem", abstract: "Tokens to near-ultrasonic sound and back.")
}
