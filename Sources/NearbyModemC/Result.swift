// Names are C's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CNearbyModem

/// The reason why a call fails, as it is reported to C.
struct Refusal: Error {
    let result: nbm_result
    #if WEB
        /// JavaScript checks what it passes, with words of its own, and reads no others.
        var words: String { "" }

        init(_ result: nbm_result, _ words: @autoclosure () -> String) { self.result = result }
    #else
        /// The text with the expected and the given value.
        let words: String

        init(_ result: nbm_result, _ words: @autoclosure () -> String) {
            (self.result, self.words) = (result, words())
        }
    #endif

    static func null(_ name: String) -> Refusal { Refusal(NBM_ERROR_NULL, "\(name) is NULL") }
}

/// Runs `body` and returns its result, for calls that have no object to keep the reason.
func result(_ body: () throws(Refusal) -> Void) -> nbm_result {
    do {
        try body()
        return NBM_OK
    } catch {
        return error.result
    }
}

@c @implementation public func nbm_version() -> UInt32 {
    UInt32(100 * NBM_VERSION_MAJOR + NBM_VERSION_MINOR)
}

@c @implementation public func nbm_error_string(_ result: nbm_result) -> UnsafePointer<CChar>? {
    let words: StaticString =
        switch result {
        case NBM_OK: "no error"
        case NBM_ERROR_NULL: "a pointer is NULL that must not be"
        case NBM_ERROR_STRUCT_SIZE: "a structure's size is not set: use its NBM_..._INIT"
        case NBM_ERROR_PROFILE: "there is no such profile: nbm_profile_at() lists them"
        case NBM_ERROR_SAMPLE_RATE: "the sample rate is out of 8000 to 384000 Hz, or too low for the profile"
        case NBM_ERROR_CHANNELS: "there are 1 to 8 channels, counted from 0"
        case NBM_ERROR_FORMAT: "no such sample format"
        case NBM_ERROR_TOKEN_LENGTH: "the profile does not carry tokens of so many bytes"
        case NBM_ERROR_RANGE: "a number is out of its range"
        case NBM_ERROR_BUFFER: "the buffer is too small"
        case NBM_ERROR_NO_ALSA: "libasound.so.2 is not installed, or lacks a function"
        case NBM_ERROR_DEVICE: "the sound device cannot be used"
        case NBM_ERROR_TOO_LONG: "text or content is longer than frames carry"
        default: "unknown error"
        }
    return staticText(words)
}

/// Returns text that is valid for ever.
func staticText(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
