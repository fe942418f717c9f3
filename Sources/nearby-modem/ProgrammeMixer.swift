import AcousticModem
import AudioIO
import CommandOutput
import Glibc

/// A mixer that lays tokens over a programme, in memory that does not grow with the programme's length.
/// Samples without a token stay bit for bit the same.
///
///     ProgrammeSource ─ bytes ─┬──────────── + ─▶ ProgrammeSink
///                              └─▶ TokenMixer ┘
///                        level by the programme's treble
struct ProgrammeMixer {
    /// The levels of the tokens, and the samples that were limited.
    private struct Tally {
        var tokenCount = 0
        /// The peak amplitudes of the tokens at their beginning.
        var softest = Float.infinity
        var loudest: Float = 0
        /// The peak amplitude of the softest token at its end.
        var softestEnd = Float.infinity
        var limitedCount = 0
        var mixedCount = 0
    }

    private let source: any ProgrammeSource
    private let sink: any ProgrammeSink
    private let token: [UInt8]
    private let mixer: TokenMixer
    private let schedule: MixSchedule
    private let takes: [Bool]

    /// The number of frames copied so far.
    private var position = 0
    private var tally = Tally()
    /// The current frames; the array is kept so that its storage is reused.
    private var block: [UInt8] = []

    /// The seconds of programme that are measured before a token: ten times the mixer's memory. Earlier sound
    /// does not affect a token's level.
    private static let listenSeconds = 30
    private static let blockBytes = 1 << 18

    /// - Parameters:
    ///   - transmitter: a transmitter at the programme's rate.
    ///   - level: the level for ``AcousticModem/TokenMixer``.
    init(
        _ copy: ProgrammeCopy, token: [UInt8], transmitter: Transmitter, level: MixingLevel,
        schedule: MixSchedule
    ) {
        (source, sink, self.token, self.schedule) = (copy.source, copy.sink, token, schedule)
        takes = copy.source.layout.takesToken
        var pauses = TokenMixer.Pauses()
        pauses.leastGapSeconds = 0
        mixer = TokenMixer(transmitter, format: .float, channelCount: 1, pauses: pauses, seed: 0)
        mixer.setLevel(level)
    }

    /// Copies everything. Returns lines for people.
    ///
    /// Throws: bad data if a token has no room, in time or below full scale; then there is no output.
    mutating func run() throws -> [String] {
        var index = 0
        while let start = schedule.start(index) {
            guard try copy(to: start), try mix() else {
                if schedule.isUntilEnd, index > 0 { break }
                throw noRoom(start)
            }
            index += 1
        }
        while try copy(blockFrames, isHeard: false) {}
        try requireHeadroom()
        try sink.finish()
        return source.remarks + sink.remarks + lines
    }

    /// Copies the programme up to a frame; returns false if the programme ends before.
    private mutating func copy(to start: Int) throws -> Bool {
        let listened = start - ProgrammeMixer.listenSeconds * source.layout.sampleRateHz
        while position < start {
            let isHeard = position >= listened
            let end = isHeard ? start : min(start, listened)
            guard try copy(min(blockFrames, end - position), isHeard: isHeard) else { return false }
        }
        return true
    }

    private var blockFrames: Int { max(1, ProgrammeMixer.blockBytes / source.layout.bytesPerFrame) }

    /// Copies frames; returns false at the end of the programme.
    private mutating func copy(_ frameCount: Int, isHeard: Bool) throws -> Bool {
        block.removeAll(keepingCapacity: true)
        let count = try source.read(frameCount, appendingTo: &block)
        if isHeard { _ = track(under: block, count) }
        try sink.write(block)
        position += count
        return count > 0
    }

    /// Lays one token over the next frames. Returns false if there are too few; they are then copied.
    private mutating func mix() throws -> Bool {
        var bytes: [UInt8] = []
        let count = try source.read(schedule.tokenFrames, appendingTo: &bytes)
        guard count == schedule.tokenFrames else {
            try sink.write(bytes)
            position += count
            return false
        }
        try mixer.send([token], frames: 1)
        let track = track(under: bytes, count)
        let layout = source.layout
        let limited = track.withUnsafeBufferPointer { track in
            bytes.withUnsafeMutableBytes {
                layout.stored.add(track, to: $0.baseAddress!, takes: takes, validBits: layout.validBits)
            }
        }
        tell(limited, of: count)
        try sink.write(bytes)
        position += count
        return true
    }

    private mutating func tell(_ limited: Int, of count: Int) {
        tally.tokenCount += 1
        tally.softest = min(tally.softest, mixer.status.peakAmplitude)
        tally.loudest = max(tally.loudest, mixer.status.peakAmplitude)
        tally.softestEnd = min(tally.softestEnd, mixer.lastAmplitude)
        tally.limitedCount += limited
        tally.mixedCount += count * takes.count { $0 }
    }

    /// Returns the token's samples for the next frames; silence while none sounds.
    private func track(under bytes: [UInt8], _ count: Int) -> [Float] {
        let layout = source.layout
        var track = [Float](repeating: 0, count: count)
        bytes.withUnsafeBytes { bytes in
            track.withUnsafeMutableBufferPointer { track in
                mixer.follow(into: track) { frames, mono in
                    layout.stored.measure(
                        bytes.baseAddress! + frames.lowerBound * layout.bytesPerFrame,
                        channelCount: layout.channelCount, into: mono)
                }
            }
        }
        return track
    }

    // MARK: Words

    private func seconds(_ frames: Int) -> String {
        FixedPoint.text(Double(frames) / Double(source.layout.sampleRateHz), places: 2)
    }

    private func noRoom(_ start: Int) -> CommandFailure {
        CommandFailure(
            .badData,
            "\(source.path): is \(seconds(position)) s long, and a token of \(seconds(schedule.tokenFrames)) s "
                + "at \(seconds(start)) s has no room in it; choose an earlier --at, a shorter token or --profile dsss-quick"
        )
    }

    /// Throws: bad data if a programme at full scale throughout leaves nothing of a token.
    private func requireHeadroom() throws(CommandFailure) {
        guard tally.limitedCount * 2 >= tally.mixedCount else { return }
        throw CommandFailure(
            .badData,
            "\(source.path): is at full scale where the token should be, so that most of it would be lost; "
                + advice)
    }

    /// The advice that makes room for the loudest token: how much softer the programme must be.
    private var advice: String {
        let room = 1 - Double(tally.loudest)
        guard room > 0.1 else { return "give the token a lower --level" }
        return "turn the programme down by \(Int((-20 * log10(room)).rounded(.up))) dB"
    }

    private var lines: [String] {
        func decibels(_ amplitude: Float) -> String {
            FixedPoint.text(20 * log10(Double(max(amplitude, 1e-6))), places: 1)
        }
        let (low, high) = (decibels(tally.softest), decibels(tally.loudest))
        var words = "\(tally.tokenCount) \(tally.tokenCount == 1 ? "token" : "tokens") at "
        words += low == high ? "\(low) dBFS" : "\(low) to \(high) dBFS"
        if tally.softestEnd < tally.softest * 0.99 {
            words += ", down to \(decibels(tally.softestEnd)) dBFS under the programme's peaks"
        }
        var lines = [words]
        if tally.limitedCount > 0 {
            lines.append(
                "\(tally.limitedCount) of \(tally.mixedCount) samples reach full scale, where the token is clipped; "
                    + "\(advice) to keep it whole")
        }
        guard let channel = source.layout.lowFrequencyChannel else { return lines }
        let reason =
            source.layout.isLowFrequencyAssumed
            ? "\(source.path): states no speaker layout, so WAV's order is assumed: " : "\(source.path): "
        lines.append("\(reason)channel \(channel + 1) is for low frequencies and gets no token")
        return lines
    }
}
