import AcousticModem
import ArgumentParser
import AudioIO
import CommandOutput
import LiveModem

/// The work of `transmit`, from the first frame to the last, or to Ctrl-C.
///
///     TokenLines ─▶ Broadcast ─ a period at a time ─▶ ALSAPlayback
///     ListenBefore ──┘ hold
struct Transmission {
    private let playback: ALSAPlayback
    private let path: AudioPath
    private var broadcast: Broadcast
    private let lines: TokenLines?
    private let sense: ListenBefore?
    private var health: StreamHealth
    /// The reason why the list of tokens could not be read to its end.
    private var failure: CommandFailure?

    init(
        playback: ALSAPlayback, path: AudioPath, broadcast: Broadcast, lines: TokenLines?,
        sense: ListenBefore?
    ) {
        (self.playback, self.path, self.broadcast) = (playback, path, broadcast)
        (self.lines, self.sense) = (lines, sense)
        health = playback.health
    }

    /// Sends all frames. Throws: 65 if there was no token to send, 1 if none was sent whole; 66 or 74 if the
    /// tokens could not be read, and 74 or 69 for the device.
    mutating func run(seconds: Double?) throws {
        var block = AudioBlock(
            channelCount: playback.format.channelCount, capacity: playback.periodFrames)
        block.resize(to: block.capacity)
        let end = seconds.map { WallClock.monotonic + $0 }
        while !broadcast.isOver {
            if Interruption.hasCome || end.map({ WallClock.monotonic >= $0 }) ?? false { broadcast.stop() }
            try takeToken()
            if let sense, broadcast.isBetweenFrames, try sense.isBusy() {
                broadcast.hold(seconds: sense.pause())
            }
            block.withMutableChannel(0) { broadcast.fill($0) }
            block.copyFirstChannel()
            try playback.write(block)
            tellHealth()
        }
        try playback.finish()
        let frames = broadcast.sentCount
        StandardError.write(
            "\(path): sent \(frames) \(frames == 1 ? "frame" : "frames")\(playback.health.counters)")
        if let failure { throw failure }
        if !Interruption.hasCome, let failure = lines?.emptiness { throw failure }
        if frames == 0 { throw ExitCode(ExitStatus.nothingHeard.rawValue) }
    }

    /// Takes the next line's token once the last one is on the air. After the last line, its token is sent to
    /// its end.
    private mutating func takeToken() throws {
        guard let lines, broadcast.isReadyForToken else { return }
        switch lines.next() {
        case .token(let token): try broadcast.send(token)
        case .none: break
        case .rejected(let words): StandardError.write(words)
        case .failed(let failure): self.failure = failure
        case .end: broadcast.finish()
        }
    }

    /// Reports once that the device is gone, and once that it is back.
    private mutating func tellHealth() {
        let now = playback.health
        if let line = now.line(since: health) { StandardError.write("\(path): \(line)") }
        health = now
    }
}
