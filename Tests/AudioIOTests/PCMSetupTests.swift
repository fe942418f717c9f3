import Testing

@testable import AudioIO

@Suite struct PCMSetupTests {
    /// A laptop's pair, a headset, bars of six and eight; a desk; a sound server; a loopback; a plugin that
    /// takes four and more.
    @Test(
        arguments: [
            (2, 2, false, 2), (1, 1, false, 1), (1, 2, false, 2), (6, 6, false, 6), (2, 8, true, 8),
            (18, 18, false, 18),
            (1, 32, true, 2), (1, 10_000, true, 2), (1, 32, false, 1), (4, 32, true, 4),
        ] as [(UInt32, UInt32, Bool, UInt32)])
    func channelsOfADevice(least: UInt32, most: UInt32, mixes: Bool, opened: UInt32) {
        #expect(PCMSetup.allChannels(of: least...most, mixes: mixes) == opened)
    }
}
