import CALSA
import Glibc

/// What ALSA's error numbers mean to the person at the shell.
enum PCMError {
    static func opening(_ name: String, _ direction: PCM.Direction, _ code: Int32) -> AudioIOError {
        let path = AudioPath.device(name)
        let capture = direction == .capture
        switch -code {
        case EBUSY:
            return AudioIOError(
                .unavailable, path,
                "is in use by another program; stop that, or use a PCM that mixes, such as default")
        case EACCES, EPERM:
            return AudioIOError(
                .noPermission, path, "no permission to use it; \(PCMError.whoMay()) (log in again afterwards)"
            )
        case ENOENT, ENODEV, ENXIO:
            return AudioIOError(.unavailable, path, unknown(name, capture: capture))
        case ECONNREFUSED, ENOTCONN, EHOSTDOWN, ETIMEDOUT:
            return AudioIOError(.unavailable, path, "its sound server does not answer; is it running?")
        case EINVAL:
            return AudioIOError(
                .unavailable, path,
                "cannot \(capture ? "capture" : "play"); `nearby-modem devices` tells which can")
        default:
            return AudioIOError(
                .unavailable, path,
                "cannot be opened: \(text(code)); `nearby-modem devices` lists what there is")
        }
    }

    static func refused(_ name: String, _ what: String, _ code: Int32) -> AudioIOError {
        AudioIOError(.unavailable, .device(name), "refuses \(what): \(text(code))")
    }

    static func unsuited(_ name: String, _ what: String) -> AudioIOError {
        AudioIOError(
            .unavailable, .device(name),
            "has none of \(what) without converting; try plughw: or default instead")
    }

    /// The sound broke off and did not come back by itself.
    static func lost(_ name: String, _ code: Int32) -> AudioIOError {
        AudioIOError(.inputOutput, .device(name), "lost: \(text(code))")
    }

    static func text(_ code: Int32) -> String { String(cString: snd_strerror(code)) }

    private static func unknown(_ name: String, capture: Bool) -> String {
        let names = SoundDevice.names()
        guard !names.isEmpty else { return "no such device, and this machine has no sound card" }
        let near = NearName.nearest(to: name, of: names, most: 3)
        guard !near.isEmpty else { return "no such device; `nearby-modem devices` lists what there is" }
        return "no such device; did you mean \(near.joined(separator: ", "))?"
    }

    /// Who owns the sound cards: "add yourself to the group audio".
    private static func whoMay() -> String {
        var status = stat()
        var group = "audio"
        if stat("/dev/snd/timer", &status) == 0, let entry = getgrgid(status.st_gid) {
            group = String(cString: entry.pointee.gr_name)
        }
        return "add yourself to the group \(group)"
    }
}
