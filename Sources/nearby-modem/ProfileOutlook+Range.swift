import ChannelSim
import Glibc
import SoundingOutlook

extension ProfileOutlook {
    /// The distance up to which the verdict is "works"; `nil` if distance or margin is unknown.
    var rangeMeters: Double? {
        guard let distanceMeters, let marginDecibels else { return nil }
        return ProfileOutlook.rangeMeters(
            from: distanceMeters, lossDecibels: marginDecibels - ProfileOutlook.reserveDecibels)
    }

    /// Returns the range. The loss 20 lg(r/d) + α (r − d) consists of spherical spreading and of the air's
    /// absorption at the band's middle.
    static func rangeMeters(from distance: Double, lossDecibels: Double) -> Double {
        let air = AirAbsorption().decibelsPerMeter(frequencyHz: 19_250)
        var (near, far) = (distance / 1e6, distance + 1e6)
        for _ in 0..<80 {
            let middle = (near * far).squareRoot()
            let loss = 20 * log10(middle / distance) + air * (middle - distance)
            if loss < lossDecibels { near = middle } else { far = middle }
        }
        return near
    }
}
