import CALSA
import Glibc

/// The messages for ALSA's error numbers, for the person at the shell.
enum PCMError {
    /// - Parameter words: ALSA's own words beside its error number.
    static func opening(
        _ name: String, _ direction: PCM.Direction, _ code: Int32, _ words: ALSAWords? = nil
    ) -> AudioIOError {
        let path = AudioPath.device(name)
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
            if words?.areOfMissingCard ?? false { return AudioIOError(.unavailable, path, missingCard()) }
            guard words?.areOfUnknownName(name) ?? true else { break }
            return AudioIOError(.unavailable, path, unknown(name))
        case ECONNREFUSED, ENOTCONN, EHOSTDOWN, ETIMEDOUT:
            return AudioIOError(.unavailable, path, "its sound server does not answer; is it running?")
        case EINVAL where words?.sentence == nil:
            let verb = direction == .capture ? "capture" : "play"
            return AudioIOError(.unavailable, path, "cannot \(verb); `nearby-modem devices` tells which can")
        default: break
        }
        let reason = words?.sentence ?? text(code)
        return AudioIOError(
            .unavailable, path,
            "cannot be opened: \(reason); mend ALSA's configuration, or choose from `nearby-modem devices`")
    }

    static func refused(_ name: String, _ what: String, _ code: Int32) -> AudioIOError {
        AudioIOError(
            .unavailable, .device(name),
            "refuses \(what): \(text(code)); `nearby-modem devices` tells what it has; try plughw: or default instead"
        )
    }

    /// - Parameter offered: the values that the device has; empty if it does not report them.
    static func unsuited(_ name: String, _ what: String, offered: String = "") -> AudioIOError {
        let instead = offered.isEmpty ? "" : ", only \(offered)"
        return AudioIOError(
            .unavailable, .device(name),
            "has none of \(what) without converting\(instead); try plughw: or default instead")
    }

    /// Returns the error for sound that broke off and did not come back by itself.
    static func lost(_ name: String, _ code: Int32) -> AudioIOError {
        AudioIOError(.inputOutput, .device(name), "lost: \(text(code))")
    }

    static func text(_ code: Int32) -> String { String(cString: snd_strerror(code)) }

    /// Returns the reason that no PCM has this name.
    private static func unknown(_ name: String) -> String {
        let names = SoundDevice.names().filter { $0 != name }
        guard !names.isEmpty else { return "no such device, and \(noCard)" }
        let near = NearName.nearest(to: name, of: names, most: 3)
        guard !near.isEmpty else {
            let isAlone = hasCard ? "" : ", and \(noCard)"
            return "no such device\(isAlone); `nearby-modem devices` lists what there is"
        }
        return "no such device; did you mean \(near.joined(separator: ", "))?"
    }

    /// Returns the reason that the PCM exists but its card is missing.
    private static func missingCard() -> String {
        let reason =
            hasCard ? "its sound card is missing" : "it needs a sound card, and this machine has none"
        return "no such device: \(reason); `nearby-modem devices` lists what there is"
    }

    private static let noCard = "this machine has no sound card"

    private static var hasCard: Bool {
        var card: Int32 = -1
        return snd_card_next(&card) >= 0 && card >= 0
    }

    /// Returns advice that names the group that owns the sound cards: "add yourself to the group audio".
    private static func whoMay() -> String {
        var status = stat()
        var group = "audio"
        if stat("/dev/snd/timer", &status) == 0, let entry = getgrgid(status.st_gid) {
            group = String(cString: entry.pointee.gr_name)
        }
        return "add yourself to the group \(group)"
    }
}
