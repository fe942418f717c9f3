import CALSA
import Glibc

/// An open ALSA device, set up. Two threads must not use it at once.
///
/// Source: alsa-lib, "PCM (digital audio) interface".
struct PCM: @unchecked Sendable {
    enum Direction: Sendable, Hashable, CaseIterable {
        case capture, playback

        var alsa: snd_pcm_stream_t { self == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK }
    }

    let handle: OpaquePointer
    let direction: Direction
    let sampleRateHz: Int
    let channelCount: Int
    let encoding: PCMEncoding
    /// The frames between two turns, and the frames that the device holds.
    let periodFrames: Int
    let bufferFrames: Int

    var bytesPerFrame: Int { encoding.bytesPerSample * channelCount }

    /// Opens a device and sets it up. Throws: the errors of ``PCMError``.
    init(_ name: String, _ direction: Direction, _ request: PCMRequest) throws(AudioIOError) {
        let (opened, code, words) = ALSAWords.open(name, direction)
        guard code >= 0, let handle = opened else { throw PCMError.opening(name, direction, code, words) }
        do {
            // The device was opened without blocking; from now on its calls block.
            snd_pcm_nonblock(handle, 0)
            let setup = try PCMSetup(handle, name, direction, request)
            (self.handle, self.direction) = (handle, direction)
            (sampleRateHz, channelCount, encoding) = (
                setup.sampleRateHz, setup.channelCount, setup.encoding
            )
            (periodFrames, bufferFrames) = (setup.periodFrames, setup.bufferFrames)
        } catch {
            snd_pcm_close(handle)
            throw error
        }
    }

    func close() { snd_pcm_close(handle) }

    /// Begins to capture; playback begins by itself.
    func start() -> Int32 { snd_pcm_start(handle) }

    /// Waits for a period to arrive, or for room for one. Returns a positive number if there is one, 0 after
    /// the time, or a negative error number.
    func wait(milliseconds: Int32) -> Int32 { snd_pcm_wait(handle, milliseconds) }

    /// Reads up to a period; returns the number of frames, or a negative error number.
    func read(into bytes: UnsafeMutableRawPointer) -> Int {
        snd_pcm_readi(handle, bytes, snd_pcm_uframes_t(periodFrames))
    }

    /// Writes frames; returns the number that the device took, or a negative error number.
    func write(_ bytes: UnsafeRawPointer, frames: Int) -> Int {
        snd_pcm_writei(handle, bytes, snd_pcm_uframes_t(frames))
    }

    /// The number of frames that wait to be played.
    var queuedFrames: Int { max(0, bufferFrames - max(0, snd_pcm_avail_update(handle))) }

    /// Plays the frames that the device holds, and stops.
    func drain() { snd_pcm_drain(handle) }

    /// Makes a stopped device go on: after lost frames (`EPIPE`), or after the machine slept (`ESTRPIPE`).
    /// Returns false if it cannot.
    func recover(from code: Int32) -> Bool {
        guard code == -EPIPE || code == -ESTRPIPE else { return false }
        if code == -ESTRPIPE {
            var resumed = snd_pcm_resume(handle)
            var tries = 0
            while resumed == -EAGAIN, tries < 50 {
                usleep(20_000)
                resumed = snd_pcm_resume(handle)
                tries += 1
            }
            if resumed == 0 { return true }
        }
        guard snd_pcm_prepare(handle) >= 0 else { return false }
        return direction == .playback || start() >= 0
    }
}
