import Glibc

/// The loop of the audio threads for both directions, with a device that is opened again when it was lost.
///
///     open ─▶ turn, turn, turn … ─ error ─▶ recover (xrun, sleep) ─▶ turn …
///                                   └────▶ close, wait 0.1 … 2 s, open ─▶ turn …
///
/// Only moving frames prove that a device is there. When PipeWire's server is gone, its plugin returns
/// `EPIPE`, as for an xrun, and then prepares and starts without an error. A stream that it cannot connect to
/// anything can be opened, and filled once.
struct DeviceWorker: @unchecked Sendable {
    private static let firstPauseMilliseconds = 100
    private static let longestPauseMilliseconds = 2000
    /// The number of recoveries without a turn between them after which the device counts as lost.
    private static let mostRecoveries = 3

    let name: String
    let request: PCMRequest
    let state: StreamState

    /// Runs `turn` until it must stop. `turn` moves a period at most, and returns 0 or a negative error
    /// number; it uses no memory but its own. Never inlined: `Tools/check-audio-path` reads its code.
    @inline(never)
    func run(_ first: PCM, turn: (PCM) -> Int32) {
        var current: PCM? = first
        var pause = DeviceWorker.firstPauseMilliseconds
        var (recoveries, turns) = (0, 0)
        while state[.stop] == 0 {
            guard let pcm = current else {
                sleep(milliseconds: pause)
                pause = min(2 * pause, DeviceWorker.longestPauseMilliseconds)
                current = reopened(like: first)
                turns = 0
                continue
            }
            let code = turn(pcm)
            if code >= 0 {
                if recoveries > 0 { state.count(.xruns, recoveries) }
                recoveries = 0
                turns += 1
                let filled = if case .playback = pcm.direction { pcm.bufferFrames } else { 0 }
                if state[.lossCode] != 0, turns * pcm.periodFrames > filled {
                    pause = DeviceWorker.firstPauseMilliseconds
                    tellReturn()
                }
                continue
            }
            if code == -EINTR || code == -EAGAIN { continue }
            if recoveries < DeviceWorker.mostRecoveries, pcm.recover(from: code) {
                recoveries += 1
                continue
            }
            recoveries = 0
            pcm.close()
            current = nil
            state[.lossCode] = Int(code)
            state.signal()
        }
        if let current {
            if state[.drain] != 0, state[.lossCode] == 0 { current.drain() }
            current.close()
        }
        state[.ended] = 1
        state.signal()
    }

    /// Opens the same device with the same shape; returns `nil` if that fails for now. Never inlined: its
    /// allocations are not part of the loop.
    @inline(never)
    private func reopened(like first: PCM) -> PCM? {
        var request = request
        request.sampleRatesHz = [first.sampleRateHz]
        request.channelCount = first.channelCount
        guard let pcm = try? PCM(name, first.direction, request) else { return nil }
        let isSame =
            pcm.channelCount == first.channelCount && pcm.periodFrames <= first.periodFrames
            && pcm.encoding.bytesPerSample <= first.encoding.bytesPerSample
        guard isSame, first.direction == .playback || pcm.start() >= 0 else {
            pcm.close()
            return nil
        }
        return pcm
    }

    private func tellReturn() {
        state.count(.reopenings)
        state[.lossCode] = 0
        state.signal()
    }

    private func sleep(milliseconds: Int) {
        for _ in 0..<milliseconds / 10 where state[.stop] == 0 { usleep(10_000) }
    }
}
