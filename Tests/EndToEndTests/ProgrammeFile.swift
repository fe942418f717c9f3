import Glibc
import Testing

/// A WAV file of any kind for mixing, made byte by byte.
struct ProgrammeFile: CustomTestStringConvertible, Sendable {
    var name: String
    /// The sample format: 1 integers, 3 floats, 6 A-law, 7 µ-law.
    var tag = 1
    var bits = 16
    var channelCount = 1
    var sampleRateHz = 48_000
    var seconds = 2.5
    /// The loudspeaker mask of the extensible form; `nil` for the plain form.
    var mask: UInt32?
    var validBits: Int?
    /// The chunks before and after the samples.
    var before: [UInt8] = []
    var after: [UInt8] = []
    var isSixtyFour = false
    /// The channel that gets no token, counted from 0.
    var lowFrequencyChannel: Int?
    /// The peak of a 440 Hz tone; full scale is 1.
    var amplitude = 0.1

    var testDescription: String { name }
    var frameCount: Int { Int(seconds * Double(sampleRateHz)) }
    var bytesPerFrame: Int { channelCount * bits / 8 }

    static func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        Array(name.utf8) + little(contents.count, 4) + contents + (contents.count % 2 == 1 ? [0] : [])
    }

    static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private var format: [UInt8] {
        let little = ProgrammeFile.little
        var bytes = little(mask == nil ? tag : 0xFFFE, 2) + little(channelCount, 2) + little(sampleRateHz, 4)
        bytes += little(sampleRateHz * bytesPerFrame, 4) + little(bytesPerFrame, 2) + little(bits, 2)
        guard let mask else { return bytes }
        bytes += little(22, 2) + little(validBits ?? bits, 2) + little(Int(mask), 4) + little(tag, 2)
        return bytes + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }

    /// Everything before the samples.
    var head: [UInt8] {
        let little = ProgrammeFile.little
        let chunks = ProgrammeFile.chunk("fmt ", format) + before
        let dataBytes = frameCount * bytesPerFrame
        let rest = 4 + chunks.count + 8 + dataBytes + dataBytes % 2 + after.count
        guard isSixtyFour else {
            return Array("RIFF".utf8) + little(rest, 4) + Array("WAVE".utf8) + chunks + Array("data".utf8)
                + little(dataBytes, 4)
        }
        let sizes = little(rest + 36, 8) + little(dataBytes, 8) + little(frameCount, 8) + little(0, 4)
        return Array("RF64".utf8) + little(-1, 4) + Array("WAVE".utf8) + ProgrammeFile.chunk("ds64", sizes)
            + chunks + Array("data".utf8) + little(-1, 4)
    }

    /// The whole file. Its lowest bits are noise, so that a copy by way of fewer bits shows.
    var bytes: [UInt8] {
        var random = SystemRandomNumberGenerator()
        // One second is made once and repeated.
        var second: [UInt8] = []
        for n in 0..<sampleRateHz {
            let value = amplitude * sin(2 * .pi * 440 * Double(n) / Double(sampleRateHz))
            for _ in 0..<channelCount { second += sample(value, random.next()) }
        }
        var samples = second
        while samples.count < frameCount * bytesPerFrame { samples += second }
        samples.removeLast(samples.count - frameCount * bytesPerFrame)
        return head + samples + (samples.count % 2 == 1 ? [0] : []) + after
    }

    private func sample(_ value: Double, _ noise: UInt64) -> [UInt8] {
        switch tag {
        case 3 where bits == 32: ProgrammeFile.little(Int(Float(value).bitPattern), 4)
        case 3: ProgrammeFile.little(Int(bitPattern: UInt(value.bitPattern)), 8)
        // These are codes about zero.
        case 6: [0x55 | UInt8(noise & 0x82)]
        case 7: [0x7C | UInt8(noise & 0x83)]
        case _ where bits == 8: [UInt8(128 + Int((value * 127).rounded()))]
        default: integer(value, noise)
        }
    }

    private func integer(_ value: Double, _ noise: UInt64) -> [UInt8] {
        let whole = Int(value * 0x1p31) ^ Int(noise & 0xFFFF)
        let kept = validBits ?? bits
        return ProgrammeFile.little((whole >> (32 - kept)) << (bits - kept), bits / 8)
    }
}

extension ProgrammeFile {
    /// Every kind of sample, with and without loudspeakers, with other chunks before and after.
    static let all: [ProgrammeFile] = {
        let description = chunk("bext", (0..<604).map { UInt8(truncatingIfNeeded: $0 * 7) })
        let list = chunk("LIST", Array("INFO".utf8) + chunk("INAM", Array("a title\0".utf8)))
        let cue = chunk("cue ", [UInt8](1...28))
        let odd = chunk("zzzz", [1, 2, 3])
        return [
            ProgrammeFile(name: "8 bits", bits: 8, before: odd),
            ProgrammeFile(
                name: "16 bits, 44100 Hz, bext and INFO", channelCount: 2, sampleRateHz: 44_100,
                before: description + list),
            ProgrammeFile(
                name: "24 bits, 5.1", bits: 24, channelCount: 6, mask: 0x3F, before: description, after: cue,
                lowFrequencyChannel: 3),
            ProgrammeFile(
                name: "24 bits, six channels without names", bits: 24, channelCount: 6, after: list,
                lowFrequencyChannel: 3),
            ProgrammeFile(name: "24 bits, quadraphonic", bits: 24, channelCount: 4, mask: 0x33),
            ProgrammeFile(name: "20 bits of 24", bits: 24, mask: 4, validBits: 20),
            ProgrammeFile(name: "32 bits", bits: 32, channelCount: 2, after: odd + cue),
            ProgrammeFile(
                name: "24 bits of 32, 7.1", bits: 32, channelCount: 8, mask: 0x63F, validBits: 24,
                lowFrequencyChannel: 3),
            ProgrammeFile(
                name: "2.1, 96000 Hz", channelCount: 3, sampleRateHz: 96_000, mask: 0xB,
                lowFrequencyChannel: 2),
            ProgrammeFile(
                name: "float", tag: 3, bits: 32, channelCount: 2, before: chunk("fact", [1, 2, 3, 4])),
            ProgrammeFile(name: "double", tag: 3, bits: 64, channelCount: 3, mask: 0x7, after: list),
            ProgrammeFile(name: "A-law", tag: 6, bits: 8, channelCount: 2, before: odd),
            ProgrammeFile(name: "µ-law", tag: 7, bits: 8, after: odd),
            ProgrammeFile(name: "RF64", channelCount: 2, before: description, after: cue, isSixtyFour: true),
        ]
    }()
}
