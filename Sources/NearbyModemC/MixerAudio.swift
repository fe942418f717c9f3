// Names are C's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AcousticModem
import CNearbyModem
import Glibc

// These are the calls for an audio thread: they allocate no memory, take no lock, and make no system call.

/// Runs `body` with valid frames. Returns its result, or the reason why the frames are not valid.
@inline(__always)
private func withFrames(
    _ mixer: OpaquePointer?, _ frames: UnsafeMutableRawPointer?, _ frameCount: Int,
    _ body: (TokenMixer, UnsafeMutableRawPointer) -> Void
) -> nbm_result {
    guard let mixer else { return NBM_ERROR_NULL }
    return MixerObject.at(mixer)._withUnsafeGuaranteedRef { object in
        if frameCount == 0 { return NBM_OK }
        guard let frames else { return NBM_ERROR_NULL }
        guard SoundOptions.isPossible(frameCount, frameBytes: object.frameBytes) else {
            return NBM_ERROR_RANGE
        }
        body(object.mixer, frames)
        return NBM_OK
    }
}

@c @implementation public func nbm_mixer_mix(
    _ mixer: OpaquePointer?, _ frames: UnsafeMutableRawPointer?, _ frameCount: Int
) -> nbm_result {
    withFrames(mixer, frames, frameCount) { $0.mix($1, count: frameCount) }
}

@c @implementation public func nbm_mixer_fill(
    _ mixer: OpaquePointer?, _ frames: UnsafeMutableRawPointer?, _ frameCount: Int
) -> nbm_result {
    withFrames(mixer, frames, frameCount) { $0.fill($1, count: frameCount) }
}

@c @implementation public func nbm_mixer_get_status(
    _ mixer: OpaquePointer?, _ status: UnsafeMutablePointer<nbm_mixer_status>?
) -> nbm_result {
    guard let mixer, let status else { return NBM_ERROR_NULL }
    let now = MixerObject.at(mixer)._withUnsafeGuaranteedRef { $0.mixer.status }
    var written = nbm_mixer_status()
    written.frames_sent = UInt64(now.sentCount)
    written.is_sounding = now.isSounding ? 1 : 0
    written.level_dbfs = max(-200, 20 * log10(max(now.peakAmplitude, 1e-10)))
    written.programme_dbfs = max(-200, 10 * log10(max(now.treblePower, 1e-20)))
    return result { () throws(Refusal) in try Structure.write(written, to: status, "status") }
}
