import CNearbyModem
import Glibc

/// The ten functions of alsa-lib that playing and listening need. They are looked up when they are first
/// needed: a box without libasound still loads this library, and programs with a sound loop of their own do
/// not pay for it.
///
/// The library is never unloaded: alsa-lib keeps its configuration.
struct ALSALibrary {
    typealias Device = OpaquePointer

    let open: @convention(c) (UnsafeMutablePointer<Device?>, UnsafePointer<CChar>, Int32, Int32) -> Int32
    /// The parameters are format, access, channels, rate, whether it may convert rates, and microseconds of
    /// buffer.
    let setParameters: @convention(c) (Device, Int32, Int32, UInt32, UInt32, Int32, UInt32) -> Int32
    let write: @convention(c) (Device, UnsafeRawPointer, UInt) -> Int
    let read: @convention(c) (Device, UnsafeMutableRawPointer, UInt) -> Int
    let recover: @convention(c) (Device, Int32, Int32) -> Int32
    let drain: @convention(c) (Device) -> Int32
    let drop: @convention(c) (Device) -> Int32
    let close: @convention(c) (Device) -> Int32
    let words: @convention(c) (Int32) -> UnsafePointer<CChar>

    static let playback: Int32 = 0
    static let capture: Int32 = 1
    static let interleaved: Int32 = 3

    init() throws(Refusal) {
        guard let library = dlopen("libasound.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
            throw Refusal(NBM_ERROR_NO_ALSA, "libasound.so.2 is not installed: the package libasound2 has it")
        }
        open = try ALSALibrary.function("snd_pcm_open", library)
        setParameters = try ALSALibrary.function("snd_pcm_set_params", library)
        write = try ALSALibrary.function("snd_pcm_writei", library)
        read = try ALSALibrary.function("snd_pcm_readi", library)
        recover = try ALSALibrary.function("snd_pcm_recover", library)
        drain = try ALSALibrary.function("snd_pcm_drain", library)
        drop = try ALSALibrary.function("snd_pcm_drop", library)
        close = try ALSALibrary.function("snd_pcm_close", library)
        words = try ALSALibrary.function("snd_strerror", library)
    }

    private static func function<Function>(
        _ name: String, _ library: UnsafeMutableRawPointer
    ) throws(Refusal) -> Function {
        guard let found = dlsym(library, name) else {
            throw Refusal(NBM_ERROR_NO_ALSA, "libasound.so.2 has no \(name)")
        }
        return unsafeBitCast(found, to: Function.self)
    }

    /// Returns the value of `snd_pcm_format_t`.
    static func format(_ format: nbm_format) -> Int32 {
        switch format {
        case NBM_FORMAT_S24_PACKED: 32
        case NBM_FORMAT_S24: 6
        case NBM_FORMAT_S32: 10
        case NBM_FORMAT_FLOAT: 14
        default: 2
        }
    }
}
