import AcousticModem
import ChannelSim
import Glibc
import LiveModem
import Signal

/// A trial: transmissions at unknown times, speeds and skews, heard once. The same seed gives the same trial.
struct Trial {
    struct Outcome: Sendable {
        /// True if every sender's token was heard.
        var isHeard = false
        /// True if the token of the first sender, the loudest one, was heard.
        var isLoudestHeard = false
        var wrongTokens = 0
        /// The mean of the receiver's measurements; `nil` unless all tokens were heard.
        var measuredEbN0: Double?
        var receiverSeconds = 0.0
    }

    private let conditions: TrialConditions
    private var random: SplitMix64

    /// The share of a frame within which senders begin, so that every two overlap.
    private static let overlap = 0.9

    init(_ conditions: TrialConditions, seed: UInt64) {
        self.conditions = conditions
        random = SplitMix64(seed: seed)
    }

    mutating func run(ebN0Decibels: Double) throws -> Outcome {
        let tokens = (0..<conditions.senderCount).map { _ in
            (0..<conditions.tokenByteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
        let placements = try tokens.indices.flatMap { try makePlacements(ofSender: $0, token: tokens[$0]) }
        let recording = makeRecording(of: placements, ebN0Decibels: ebN0Decibels)
        return listen(to: recording, for: tokens)
    }

    /// Returns a sender's frames. A room is the same for all of them, unless the sender walks: then it
    /// changes from frame to frame.
    private mutating func makePlacements(ofSender index: Int, token: [UInt8]) throws -> [Channel.Placement] {
        let transmitter = Transmitter(profile: conditions.profile, lane: (conditions.lane + index) % 4)
        let waveform = try transmitter.waveform(of: token)
        let path = conditions.path.makePath(
            of: conditions.profile, drawnFrom: &random, measured: conditions.measured, isRestless: true)
        let rateHz = Double(conditions.sampleRateHz)
        let period = conditions.frameSeconds + conditions.gapSeconds
        let start =
            conditions.senderCount > 1
            ? random.nextUnit() * Trial.overlap * conditions.frameSeconds : 0
        let share = Double(index) / Double(max(1, conditions.senderCount - 1))
        var seed = random.next()
        var arrival = path.arrival(of: waveform, fromHz: transmitter.sampleRateHz, toHz: rateHz, seed: seed)!
        return (0..<conditions.repeats).map { copy in
            if copy > 0, case .walkedThrough = path.room {
                seed = random.next()
                arrival = path.arrival(
                    of: waveform, fromHz: transmitter.sampleRateHz, toHz: rateHz, seed: seed)!
            }
            let compression = TimeWarp(
                speedMetersPerSecond: path.speedMetersPerSecond, clockSkewPPM: path.clockSkewPPM
            ).compression
            return Channel.Placement(
                arrival, startSeconds: start + Double(copy) * period / compression,
                gainDecibels: -share * conditions.spreadDecibels)
        }
    }

    private mutating func makeRecording(of placements: [Channel.Placement], ebN0Decibels: Double) -> [Float] {
        var channel = Channel()
        channel.sampleRateHz = Double(conditions.sampleRateHz)
        channel.bitCount = 8 * conditions.tokenByteCount
        channel.surroundings = conditions.path.makeSurroundings(
            about: conditions.profile, drawnFrom: &random, programme: conditions.programme)
        channel.surroundings.noise = .ebN0Decibels(ebN0Decibels)
        channel.capture = conditions.path.makeCapture()
        channel.leadSeconds = 0.1 + random.nextUnit() * (TrialConditions.slackSeconds - 0.2)
        channel.trailSeconds = TrialConditions.slackSeconds - channel.leadSeconds
        channel.leadSeconds += conditions.leadSeconds
        var (recording, _) = channel.record(placements, seed: random.next())
        let peak = recording.reduce(Float(0)) { max($0, $1.magnitude) }
        if peak > 0 { for i in recording.indices { recording[i] *= 0.5 / peak } }
        return recording
    }

    private mutating func listen(to recording: [Float], for tokens: [[UInt8]]) -> Outcome {
        var outcome = Outcome()
        let before = CPUClock.threadSeconds()
        let reports = heard(on: recording)
        outcome.receiverSeconds = CPUClock.threadSeconds() - before
        let right = reports.filter { tokens.contains($0.token) }
        outcome.isHeard = tokens.allSatisfy { token in right.contains { $0.token == token } }
        outcome.isLoudestHeard = right.contains { $0.token == tokens[0] }
        outcome.wrongTokens = reports.count - right.count
        if outcome.isHeard {
            outcome.measuredEbN0 = right.reduce(0) { $0 + Double($1.ebN0Decibels) } / Double(right.count)
        }
        return outcome
    }

    private mutating func heard(on recording: [Float]) -> [DecodeReport] {
        var receiver = ChannelReceiver(
            profiles: [conditions.profile], sampleRateHz: conditions.sampleRateHz, observer: nil)
        var reports: [DecodeReport] = []
        recording.withUnsafeBufferPointer { samples in
            var first = 0
            while first < samples.count {
                let count = min(conditions.chunks.nextCount(drawnFrom: &random), samples.count - first)
                reports += receiver.process(UnsafeBufferPointer(rebasing: samples[first..<first + count]))
                first += count
            }
        }
        return reports + receiver.finish()
    }
}

/// The clock of processor time, which other programs on the machine do not affect.
enum CPUClock {
    static func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
