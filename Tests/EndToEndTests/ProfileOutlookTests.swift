import SoundingOutlook
import Testing

@testable import nearby_modem

/// Tests of the range in metres that a margin gives, and of the cost of a room.
@Suite struct ProfileOutlookTests {
    /// Computed by hand: from 1 m to 10 m there are 20 dB of spreading and nine metres of air at 0.49 dB.
    @Test(arguments: [(1.0, 24.43, 10.0), (1, 0, 1), (2, -6.51, 1), (5, 8.48, 10)])
    func rangeFollowsSpreadingAndAir(distance: Double, loss: Double, range: Double) {
        let meters = ProfileOutlook.rangeMeters(from: distance, lossDecibels: loss)
        #expect(abs(meters / range - 1) < 0.02, "\(meters)")
    }

    @Test func roomsCostWhatTheCampaignSays() {
        func cost(_ drr: Double?, _ rt60: Double?) -> Double {
            ProfileOutlook.roomDecibels(directToReverberant: drr, rt60Seconds: rt60)
        }
        #expect(cost(nil, nil) == 0 && cost(10, 0.5) == 0 && cost(20, 0.3) == 0)
        #expect(abs(cost(0, 0.3) - 3.19) < 1e-9 && abs(cost(0, 0.6) - 3.19) < 1e-9)
        #expect(abs(cost(-6, 0.3) - 5.42) < 1e-9 && abs(cost(-12, nil) - 5.42) < 1e-9)
        #expect(abs(cost(-6, 0.6) - 6.87) < 1e-9 && abs(cost(-6, 2) - 6.87) < 1e-9)
    }
}
