import CALSA

/// The lines that alsa-lib would print about a failed call: the cause first, then the call that failed
/// because of it.
struct ALSAWords {
    private(set) var lines: [String] = []

    private init(_ heard: nearby_alsa_words) {
        for text in [ALSAWords.text(heard.first), ALSAWords.text(heard.last)] where !text.isEmpty {
            if lines.last != text { lines.append(text) }
        }
    }

    /// Stops all printing by alsa-lib. It is called only here: the handler and its place must be in the same
    /// object file.
    static func beQuiet() { nearby_alsa_be_quiet() }

    /// Opens a PCM like `snd_pcm_open`, without waiting for another program to release the device.
    static func open(
        _ name: String, _ direction: PCM.Direction
    ) -> (handle: OpaquePointer?, code: Int32, words: ALSAWords) {
        var (handle, heard) = (OpaquePointer?.none, nearby_alsa_words())
        let code = nearby_alsa_open(&handle, name, direction.alsa, Int32(SND_PCM_NONBLOCK), &heard)
        return (handle, code, ALSAWords(heard))
    }

    /// Returns the reason why the configuration cannot be read; `nil` if it can.
    static func ofConfiguration() -> ALSAWords? {
        var heard = nearby_alsa_words()
        let isRead = nearby_alsa_read_configuration(&heard) >= 0
        let words = ALSAWords(heard)
        return isRead && words.lines.isEmpty ? nil : words
    }

    /// Returns true if ALSA knows no PCM of that name, and nothing else is wrong.
    func areOfUnknownName(_ name: String) -> Bool {
        lines.isEmpty || lines == ["Unknown PCM \(name)"]
    }

    /// True if the PCM needs a sound card that is missing.
    var areOfMissingCard: Bool {
        lines.contains { $0.hasPrefix("cannot find card") || $0.hasPrefix("Cannot get card index") }
    }

    /// The text "ALSA says: …"; `nil` if there are no lines.
    var sentence: String? { lines.isEmpty ? nil : "ALSA says: \(lines.joined(separator: "; "))" }

    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { bytes in
            let line = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            return line.split(whereSeparator: \.isNewline).joined(separator: " ")
        }
    }
}
