/// An open device with its audio thread, and the ring between that and a reader or writer: what both directions share.
final class DeviceStream {
    let path: AudioPath
    let format: AudioFormat
    let encoding: PCMEncoding
    let periodFrames: Int
    let bufferFrames: Int
    let ring: FrameRing
    let state: StreamState
    private let thread: AudioThread

    /// Moves periods from now on. `pcm`, which captures already if it is to, belongs to the thread.
    ///
    /// - Parameter ringFrames: what the ring holds at least.
    init<Turn: DeviceTurn>(
        _ pcm: PCM, _ name: String, _ request: PCMRequest, ringFrames: Int, turn: Turn.Type
    ) throws(AudioIOError) {
        path = .device(name)
        format = AudioFormat(sampleRateHz: pcm.sampleRateHz, channelCount: pcm.channelCount)
        (encoding, periodFrames, bufferFrames) = (pcm.encoding, pcm.periodFrames, pcm.bufferFrames)
        let ring = FrameRing(channelCount: pcm.channelCount, atLeast: ringFrames)
        let state = StreamState()
        (self.ring, self.state) = (ring, state)
        let worker = DeviceWorker(name: name, request: request, state: state)
        do {
            thread = try AudioThread(path) {
                let memory = PeriodMemory(first: pcm)
                var turn = Turn(pcm, memory: memory, ring: ring, state: state)
                worker.run(pcm) { turn.run($0) }
                memory.free()
            }
        } catch {
            ring.free()
            state.free()
            pcm.close()
            throw error
        }
    }

    deinit {
        // A driver that hangs keeps what it may still use.
        guard stop() else { return }
        ring.free()
        state.free()
    }

    /// Ends the thread, which closes the device. False when the driver hangs.
    func stop() -> Bool {
        state[.stop] = 1
        return thread.join(withinSeconds: 2)
    }
}
