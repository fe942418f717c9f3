import Testing

@testable import ChannelSim

@Suite struct ZigguratTests {
    /// The 256 layers of equal area end exactly at the peak of the density: the tail's start is right.
    @Test func layersCloseAtThePeak() {
        #expect(abs(Ziggurat.shared.closureError) < 1e-9)
    }
}
