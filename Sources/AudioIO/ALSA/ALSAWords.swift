import CALSA

/// The lines that alsa-lib would print about a call that failed: the cause first, then the call that failed by it.
struct ALSAWords {
    private(set) var lines: [String] = []

    private init(_ heard: nearby_alsa_words) {
        for text in [ALSAWords.text(heard.first), ALSAWords.text(heard.last)] where !text.isEmpty {
            if lines.last != text { lines.append(text) }
        }
    }

    /// From now on alsa-lib prints nothing. Called here alone: the handler and its place must be of one object file.
    static func beQuiet() { nearby_alsa_be_quiet() }

    /// As `snd_pcm_open`, not waiting for another program to let go of the device.
    static func open(
        _ name: String, _ direction: PCM.Direction
    ) -> (handle: OpaquePointer?, code: Int32, words: ALSAWords) {
        var (handle, heard) = (OpaquePointer?.none, nearby_alsa_words())
        let code = nearby_alsa_open(&handle, name, direction.alsa, Int32(SND_PCM_NONBLOCK), &heard)
        return (handle, code, ALSAWords(heard))
    }

    /// Why the configuration cannot be read; nil when it can.
    static func ofConfiguration() -> ALSAWords? {
        var heard = nearby_alsa_words()
        let isRead = nearby_alsa_read_configuration(&heard) >= 0
        let words = ALSAWords(heard)
        return isRead && words.lines.isEmpty ? nil : words
    }

    /// Whether it knows no PCM of that name, and nothing else is wrong.
    func areOfUnknownName(_ name: String) -> Bool {
        lines.isEmpty || lines == ["Unknown PCM \(name)"]
    }

    /// Whether a sound card is missing that the PCM needs.
    var areOfMissingCard: Bool {
        lines.contains { $0.hasPrefix("cannot find card") || $0.hasPrefix("Cannot get card index") }
    }

    /// "ALSA says: …"; nil without a word.
    var sentence: String? { lines.isEmpty ? nil : "ALSA says: \(lines.joined(separator: "; "))" }

    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { bytes in
            let line = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            return line.split(whereSeparator: \.isNewline).joined(separator: " ")
        }
    }
}
