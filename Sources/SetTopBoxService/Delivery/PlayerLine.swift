import AcousticModem
import AudioMedium
import FileNames
import Nearby

/// A line that tells players which frames to send from now on; it replaces the line before.
///
///     send profile=dsss lane=2 every=0 jitter=0 tokens=0123456789abcdef
///     silent
///
/// `tokens` take turns. `every` and `jitter` are as in the C library's mixer: the seconds from the beginning
/// of a frame to that of the next, and up to how many more at random. A reader ignores words that it does not
/// know.
enum PlayerLine {
    static let silent = "silent"

    /// Returns the line of a broadcast, or of none.
    static func text(for broadcast: MediumAssignment.Broadcast?, settings: AudioMediumSettings) -> String {
        guard let broadcast else { return silent }
        // A player sends all frames of a line by one profile. Whoever hears sealed frames hears tokens by
        // their profile, too.
        let hasSealed = broadcast.payloads.contains { if case .sealed = $0 { true } else { false } }
        let profile = hasSealed ? settings.sealedProfile ?? settings.profile : settings.profile
        let frames = broadcast.payloads.map(\.frame).filter { profile.tokenByteCounts.contains($0.count) }
        guard let first = frames.first else { return silent }
        let (every, jitter) = pauses(broadcast.cadence, frames, profile)
        return "send profile=\(profile.name) lane=\(lane(of: first)) every=\(every) jitter=\(jitter) "
            + "tokens=\(frames.map(hexadecimal).joined(separator: ","))"
    }

    private static func pauses(
        _ cadence: MediumAssignment.Cadence, _ frames: [[UInt8]], _ profile: WaveformProfile
    ) -> (every: Double, jitter: Double) {
        guard case .bursts(let listening) = cadence else { return (0, 0) }
        let longest = frames.map { profile.durationSeconds(tokenByteCount: $0.count) }.max() ?? 0
        let (least, most) = (listening.lowerBound / .seconds(1), listening.upperBound / .seconds(1))
        return (longest + least, most - least)
    }

    /// Returns the lane of a frame. Tokens are random, and so is the lane, which stays the same as long as
    /// the token does.
    private static func lane(of frame: [UInt8]) -> Int { Int(frame.last ?? 0) & 3 }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ShownText.hex(UInt32($0), digits: 2) }.joined()
    }
}
