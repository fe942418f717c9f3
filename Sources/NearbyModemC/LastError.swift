import CNearbyModem

/// The reason why an object's last call failed: text that C may read until the next one.
final class LastError {
    private static let capacity = 256
    private let text: UnsafeMutablePointer<CChar>

    init() {
        text = .allocate(capacity: LastError.capacity)
        text.initialize(repeating: 0, count: LastError.capacity)
    }

    deinit { text.deallocate() }

    var pointer: UnsafePointer<CChar> { UnsafePointer(text) }

    /// Runs `body`, returns its result and keeps its error's text; the text is "" if it does not fail.
    func result(_ body: () throws(Refusal) -> Void) -> nbm_result {
        do {
            try body()
            text[0] = 0
            return NBM_OK
        } catch {
            write(error.words)
            return error.result
        }
    }

    private func write(_ words: String) {
        // The last byte stays zero. `prefix` would bring slices of strings into the page, 1 kB of it.
        text.update(repeating: 0, count: LastError.capacity)
        for (place, byte) in zip(0..<LastError.capacity - 1, words.utf8) {
            text[place] = CChar(bitPattern: byte)
        }
    }
}
