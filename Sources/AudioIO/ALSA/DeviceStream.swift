/// An open device with its audio thread, and the ring between that thread and a reader or writer. Both
/// directions share it.
final class DeviceStream {
    let path: AudioPath
    let format: AudioFormat
    let encoding: PCMEncoding
    let periodFrames: Int
    let bufferFrames: Int
    let ring: FrameRing
    let state: StreamState
    private let thread: AudioThread

    /// Starts to move periods. The thread owns `pcm`, which must already capture if it is to capture.
    ///
    /// - Parameter ringFrames: the least number of frames that the ring holds.
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
        // A driver that hangs keeps the memory that it may still use.
        guard stop() else { return }
        ring.free()
        state.free()
    }

    /// Ends the thread, which closes the device. Returns false if the driver hangs.
    func stop() -> Bool {
        state[.stop] = 1
        return thread.join(withinSeconds: 2)
    }
}
