import CNearbyModem
import NearbyModemC
import Testing

@Suite struct VersionTests {
    @Test func isThatOfTheHeader() {
        #expect(nbm_version() == UInt32(100 * NBM_VERSION_MAJOR + NBM_VERSION_MINOR))
    }
}
