import CALSA
import Glibc

/// The sources of PCM names: the hints of drivers and plugins, and the definitions in configuration files.
enum PCMNames {
    /// Returns the hinted names, each with its description on one line.
    static func hinted() -> [String: String] {
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [:] }
        defer { snd_device_name_free_hint(hints) }
        var words: [String: String] = [:]
        var next = hints
        while let hint = next.pointee {
            if let name = text(hint, "NAME") {
                let lines = (text(hint, "DESC") ?? "").split(separator: "\n")
                words[name] = lines.joined(separator: ", ")
            }
            next += 1
        }
        return words
    }

    private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
        guard let text = snd_device_name_get_hint(hint, key) else { return nil }
        defer { Glibc.free(text) }
        return String(cString: text)
    }

    /// Returns the PCMs of the configuration that need no arguments.
    static func configured() -> [String] {
        guard snd_config_update() >= 0, let top = nearby_alsa_configuration() else { return [] }
        var pcms: OpaquePointer?
        guard snd_config_search(top, "pcm", &pcms) >= 0 else { return [] }
        var names: [String] = []
        var place = snd_config_iterator_first(pcms)
        let end = snd_config_iterator_end(pcms)
        while place != end {
            let node = snd_config_iterator_entry(place)
            place = snd_config_iterator_next(place)
            var id: UnsafePointer<CChar>?
            var arguments: OpaquePointer?
            guard snd_config_get_id(node, &id) >= 0, let id,
                snd_config_get_type(node) == SND_CONFIG_TYPE_COMPOUND,
                snd_config_search(node, "@args", &arguments) < 0
            else { continue }
            names.append(String(cString: id))
        }
        return names
    }
}
