import Nearby
import Signal

/// The waveform's lane of each payload that is broadcast. Payloads that come together share a lane, which is
/// drawn when they come: a lane that outlived its token would reveal whose the next token is.
struct LaneTable: Sendable {
    private var lanes: [Sighting.Payload: Int] = [:]

    /// Takes the payloads of a new broadcast. Payloads that continue keep their lane.
    ///
    /// - Returns: true if there were other payloads and none of them continues: the broadcaster has a new
    ///   identity.
    mutating func replace(
        with payloads: [Sighting.Payload], _ random: inout SplitMix64
    ) -> Bool {
        // A sender that is silent for a moment goes on with the same token and lane.
        guard !payloads.isEmpty else { return false }
        let old = lanes
        lanes = old.filter { payloads.contains($0.key) }
        if lanes.count < Set(payloads).count {
            let lane = Int(random.next() & 3)
            for payload in payloads where lanes[payload] == nil { lanes[payload] = lane }
        }
        return !old.isEmpty && !payloads.contains { old[$0] != nil }
    }

    /// - Precondition: the payload belongs to the broadcast that was taken last.
    subscript(payload: Sighting.Payload) -> Int { lanes[payload]! }
}
