import CALSA
import Glibc

/// An open ALSA device, set up. Not to be used by two threads at once.
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
    /// Frames between two turns, and frames that the device holds.
    let periodFrames: Int
    let bufferFrames: Int

    var bytesPerFrame: Int { encoding.bytesPerSample * channelCount }

    /// Opens a device and sets it up. Throws: as ``PCMError``.
    init(_ name: String, _ direction: Direction, _ request: PCMRequest) throws(AudioIOError) {
        let (opened, code, words) = ALSAWords.open(name, direction)
        guard code >= 0, let handle = opened else { throw PCMError.opening(name, direction, code, words) }
        do {
            // Opened without waiting; from now on it waits for sound.
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

    /// Waits for a period to come, or for room for one. Positive when there is; 0 when the time is over; or a negative
    /// error number.
    func wait(milliseconds: Int32) -> Int32 { snd_pcm_wait(handle, milliseconds) }

    /// Frames that came, up to a period; or a negative error number.
    func read(into bytes: UnsafeMutableRawPointer) -> Int {
        snd_pcm_readi(handle, bytes, snd_pcm_uframes_t(periodFrames))
    }

    /// Frames that were taken; or a negative error number.
    func write(_ bytes: UnsafeRawPointer, frames: Int) -> Int {
        snd_pcm_writei(handle, bytes, snd_pcm_uframes_t(frames))
    }

    /// Frames that wait to be played.
    var queuedFrames: Int { max(0, bufferFrames - max(0, snd_pcm_avail_update(handle))) }

    /// Plays what the device holds, and stops.
    func drain() { snd_pcm_drain(handle) }

    /// Makes a device that stopped go on: after frames were lost (`EPIPE`), or after the machine slept (`ESTRPIPE`). False
    /// when it cannot.
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
