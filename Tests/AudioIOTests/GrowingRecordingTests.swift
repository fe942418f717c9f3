import Foundation
import Glibc
import TestSupport
import Testing

@testable import AudioIO

@Suite struct GrowingRecordingTests {
    private let directory = TemporaryDirectory()
    private let format = AudioFormat(sampleRateHz: 48_000, channelCount: 2)

    private var path: AudioPath { AudioPath(directory.file("r.wav")) }

    /// Returns `[channel][n]`: two ramps that are exact in 16 bits.
    private func block(_ frames: Range<Int>) -> AudioBlock {
        var block = AudioBlock(channelCount: 2, capacity: frames.count)
        block.resize(to: frames.count)
        for channel in 0..<2 {
            block.withMutableChannel(channel) { samples in
                for n in frames {
                    samples[n - frames.lowerBound] = Float((n + 7 * channel) % 32_768) / 32_768
                }
            }
        }
        return block
    }

    private func frameCount() -> Int {
        do { return try WAVReader(path).format.frameCount ?? -1 } catch { return -1 }
    }

    /// A program that opens the file while it grows finds all but the last seconds. In the end the file holds
    /// every sample.
    @Test func isWholeWhileItGrows() throws {
        let recording = try GrowingRecording(path)
        try recording.begin(format: format)
        // The header is complete but there is no sound yet: the reader says so.
        #expect(throws: AudioIOError.self) { try WAVReader(path) }
        var written = 0
        let deadline = ContinuousClock.now + .seconds(30)
        while frameCount() < 4800, ContinuousClock.now < deadline {
            recording.write(block(written..<written + 4800))
            written += 4800
            usleep(50_000)
        }
        #expect((4800...written).contains(frameCount()))
        recording.finish()
        #expect(recording.failure == nil)
        let reader = try WAVReader(path)
        #expect(reader.format.frameCount == written)
        var read = AudioBlock(channelCount: 2, capacity: 4800)
        for first in stride(from: 0, to: written, by: 4800) {
            try #require(try reader.read(into: &read))
            let expected = block(first..<first + 4800)
            for channel in 0..<2 {
                #expect(read.withChannel(channel, Array.init) == expected.withChannel(channel, Array.init))
            }
        }
    }

    /// A device lost frames, in one case half an hour of them. Later sound still stands at its time.
    @Test func missingFramesAreSilence() throws {
        let recording = try GrowingRecording(path)
        try recording.begin(format: format)
        for missing in [0, 100, 0, 100_000_000] {
            var block = block(100..<400)
            block.missingFrames = missing
            recording.write(block)
        }
        recording.finish()
        #expect(recording.failure == nil)
        let reader = try WAVReader(path)
        #expect(reader.format.frameCount == 1200 + 100_000_100)
        var read = AudioBlock(channelCount: 2, capacity: 1100)
        #expect(try reader.read(into: &read))
        let sound = block(100..<400).withChannel(1) { Array($0) }
        let silence = [Float](repeating: 0, count: 100)
        #expect(read.withChannel(1) { Array($0) } == sound + silence + sound + sound + silence)
    }

    /// Chunks have an even length; 24 bits of one channel make an odd one.
    @Test func anOddLength() throws {
        let recording = try GrowingRecording(path)
        try recording.begin(format: AudioFormat(sampleRateHz: 8000, channelCount: 1), encoding: .pcm24)
        recording.write(AudioBlock(mono: [0.5, -0.5, 0.25]))
        recording.finish()
        #expect(directory.read("r.wav")?.count == GrowingHeader.byteCount + 10)
        #expect(frameCount() == 3)
    }

    /// A listener whose device does not open removes nothing and leaves nothing behind.
    @Test func nothingChangesBeforeItBegins() throws {
        _ = try GrowingRecording(path)
        #expect(directory.names == [])
        directory.write([1, 2, 3], to: "r.wav")
        do {
            let recording = try GrowingRecording(path)
            #expect(directory.read("r.wav") == [1, 2, 3])
            recording.finish()
        }
        #expect(directory.read("r.wav") == [1, 2, 3])
        let recording = try GrowingRecording(path)
        try recording.begin(format: format)
        #expect(directory.read("r.wav")?.count == GrowingHeader.byteCount)
    }

    @Test func twoIntoOneFile() throws {
        let first = try GrowingRecording(path)
        let error = rejection { try GrowingRecording(path) }
        #expect(error?.kind == .cannotCreate)
        #expect(error?.reason == "another program records into it; name another file")
        first.finish()
    }

    @Test(arguments: [
        ("/nonexistent/r.wav", AudioIOError.Kind.cannotCreate, "no such directory; create it first"),
        ("/tmp", .cannotCreate, "is a directory; name a file in it"),
        ("/proc/r.wav", .cannotCreate, "no such directory; create it first"),
        ("-", .cannotCreate, "is no name for a recording; name a file"),
    ])
    func placesThatCannotBeUsed(name: String, kind: AudioIOError.Kind, reason: String) {
        let error = rejection { try GrowingRecording(AudioPath(name)) }
        #expect(error == AudioIOError(kind, AudioPath(name), reason))
    }

    /// As on a full disk, the process may not write more than 64 KiB to a file. The recording keeps them.
    @Test func aFileThatCannotGrowKeepsWhatItHas() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 65_536, rlim_max: 65_536)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let path = AudioPath(directory.file("r.wav"))
            let recording = try GrowingRecording(path)
            try recording.begin(format: AudioFormat(sampleRateHz: 48_000, channelCount: 3))
            for _ in 0..<10 {
                recording.write(AudioBlock(channelCount: 3, capacity: 4800).filled())
            }
            recording.finish()
            #expect(recording.failure?.kind == .inputOutput)
            #expect(recording.failure?.reason.hasPrefix("the file may not become larger") == true)
            // The file has whole frames of 6 bytes.
            let frames = (65_536 - GrowingHeader.byteCount) / 6
            #expect(try WAVReader(path).format.frameCount == frames)
            #expect(recording.seconds == Double(frames) / 48_000)
        }
    }

    /// A pipe has a header without an end; its reader may go.
    @Test func aPipeWhoseReaderGoes() throws {
        signal(SIGPIPE, SIG_IGN)
        #expect(mkfifo(directory.file("r.wav"), 0o600) == 0)
        let reader = open(directory.file("r.wav"), O_RDONLY | O_NONBLOCK)
        let recording = try GrowingRecording(path)
        try recording.begin(format: format)
        var head = [UInt8](repeating: 0, count: 44)
        #expect(Glibc.read(reader, &head, 44) == 44)
        #expect(head[40...] == [255, 255, 255, 255])
        close(reader)
        recording.write(block(0..<4800))
        recording.finish()
        #expect(recording.failure?.reason == "its reader has gone")
    }

    /// There are over 4 GiB of samples, but only by the file's length.
    @Test(arguments: [4_294_967_290, 4_294_967_292, 5_000_000_000]) func overFourGibibytes(dataBytes: Int)
        throws
    {
        let header = GrowingHeader(format: format, encoding: .pcm16).bytes(dataBytes: dataBytes)
        #expect(header.count == GrowingHeader.byteCount)
        directory.write(header, to: "r.wav")
        try #require(truncate(directory.file("r.wav"), GrowingHeader.byteCount + dataBytes) == 0)
        #expect(frameCount() == dataBytes / 4)
    }
}

extension AudioBlock {
    fileprivate func filled() -> AudioBlock {
        var block = self
        block.resize(to: capacity)
        return block
    }
}
