import AcousticModem
import AudioIO
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
        /// The number of senders whose tokens were heard.
        var tokensHeard = 0
        var wrongTokens = 0
        /// The mean of the receiver's measurements; `nil` unless all tokens were heard.
        var measuredEbN0: Double?
        var receiverSeconds = 0.0
    }

    fileprivate let conditions: TrialConditions
    fileprivate var random: SplitMix64

    /// The share of a frame within which senders begin, so that every two overlap.
    private static let overlap = 0.9
    /// The Eb/N0 of a frame that is decoded for certain.
    private static let strongDecibels = 20.0
    /// The frames that several microphones hear at a time.
    fileprivate static let mostFramesPerBlock = 4800

    init(_ conditions: TrialConditions, seed: UInt64) {
        self.conditions = conditions
        random = SplitMix64(seed: seed)
    }

    mutating func run(ebN0Decibels: Double) throws -> Outcome {
        let tokens = (0..<conditions.senderCount).map { _ in
            (0..<conditions.tokenByteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
        var placements = [[Channel.Placement]](repeating: [], count: conditions.microphoneCount)
        for index in tokens.indices {
            let heard = try makePlacements(ofSender: index, token: tokens[index], ebN0Decibels)
            for microphone in placements.indices { placements[microphone] += heard[microphone] }
        }
        let recordings = makeRecordings(of: placements, ebN0Decibels: ebN0Decibels)
        return listen(to: recordings, for: tokens)
    }

    /// Returns a sender's frames as each microphone hears them. A room is the same for all frames, unless the
    /// sender walks: then it changes from frame to frame.
    private mutating func makePlacements(
        ofSender index: Int, token: [UInt8], _ ebN0Decibels: Double
    ) throws -> [[Channel.Placement]] {
        let transmitter = Transmitter(profile: conditions.profile, lane: (conditions.lane + index) % 4)
        let waveform = try transmitter.waveform(of: token)
        let path = conditions.path.makePath(
            of: conditions.profile, drawnFrom: &random, measured: conditions.measured, isRestless: true)
        let rateHz = Double(conditions.sampleRateHz)
        let period = conditions.frameSeconds + conditions.gapSeconds
        let start =
            conditions.senderCount > 1
            ? random.nextUnit() * (conditions.windowSeconds ?? Trial.overlap * conditions.frameSeconds) : 0
        let share = Double(index) / Double(max(1, conditions.senderCount - 1))
        func arrivals(_ seed: UInt64) -> [Arrival] {
            (0..<conditions.microphoneCount).map {
                path.arrival(
                    of: waveform, fromHz: transmitter.sampleRateHz, toHz: rateHz, seed: seed, microphone: $0)!
            }
        }
        var placements = [[Channel.Placement]](repeating: [], count: conditions.microphoneCount)
        var heard = arrivals(random.next())
        let strongFrames = conditions.renewsToken ? 2 : 0
        for copy in 0..<strongFrames + conditions.repeats {
            if copy > 0, case .walkedThrough = path.room { heard = arrivals(random.next()) }
            let compression = TimeWarp(
                speedMetersPerSecond: path.speedMetersPerSecond, clockSkewPPM: path.clockSkewPPM
            ).compression
            for (microphone, arrival) in heard.enumerated() {
                let delay =
                    Double(microphone) * conditions.spacingMeters / TimeWarp.speedOfSoundMetersPerSecond
                placements[microphone].append(
                    Channel.Placement(
                        arrival, startSeconds: start + delay + Double(copy) * period / compression,
                        gainDecibels: copy < strongFrames
                            ? Trial.strongDecibels - ebN0Decibels : -share * conditions.spreadDecibels))
            }
        }
        return placements
    }

    /// Returns the recording of each microphone, all of one length.
    private mutating func makeRecordings(
        of placements: [[Channel.Placement]], ebN0Decibels: Double
    ) -> [[Float]] {
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
        var recordings = placements.map { channel.record($0, seed: random.next()).recording }
        let peak = recordings.joined().reduce(Float(0)) { max($0, $1.magnitude) }
        let frameCount = recordings.lazy.map { $0.count }.min() ?? 0
        for index in recordings.indices {
            recordings[index].removeLast(recordings[index].count - frameCount)
            if peak > 0 { for i in 0..<frameCount { recordings[index][i] *= 0.5 / peak } }
        }
        return recordings
    }

    private mutating func listen(to recordings: [[Float]], for tokens: [[UInt8]]) -> Outcome {
        var outcome = Outcome()
        let before = CPUClock.threadSeconds()
        let reports = recordings.count == 1 ? heard(on: recordings[0]) : heard(on: recordings)
        outcome.receiverSeconds = CPUClock.threadSeconds() - before
        let right = reports.filter {
            tokens.contains($0.token) && $0.isRenewal == conditions.renewsToken
        }
        outcome.tokensHeard = tokens.count { token in right.contains { $0.token == token } }
        outcome.isHeard = outcome.tokensHeard == tokens.count
        outcome.isLoudestHeard = right.contains { $0.token == tokens[0] }
        outcome.wrongTokens = reports.count { !tokens.contains($0.token) }
        if outcome.isHeard {
            outcome.measuredEbN0 = right.reduce(0) { $0 + Double($1.ebN0Decibels) } / Double(right.count)
        }
        return outcome
    }

    private mutating func heard(on recording: [Float]) -> [DecodeReport] {
        var receiver = ChannelReceiver(
            profiles: [conditions.profile], sampleRateHz: conditions.sampleRateHz,
            options: conditions.receiverOptions, observer: nil)
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

extension Trial {
    /// Returns what several microphones hear together.
    private mutating func heard(on recordings: [[Float]]) -> [DecodeReport] {
        let format = AudioFormat(sampleRateHz: conditions.sampleRateHz, channelCount: recordings.count)
        var receiver = MultichannelReceiver(
            profiles: [conditions.profile], format: format, options: conditions.receiverOptions,
            waitsForBest: true)
        var reports: [DecodeReport] = []
        var first = 0
        while first < recordings[0].count {
            let wanted = conditions.chunks.nextCount(drawnFrom: &random)
            let count = min(wanted, recordings[0].count - first, Trial.mostFramesPerBlock)
            var block = AudioBlock(channelCount: recordings.count, capacity: count)
            block.resize(to: count)
            for (channel, recording) in recordings.enumerated() {
                block.withMutableChannel(channel) { samples in
                    for i in 0..<count { samples[i] = recording[first + i] }
                }
            }
            reports += receiver.process(block).map { $0.report }
            first += count
        }
        return reports + receiver.finish().map { $0.report }
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
