import AudioIO
import CSndFile
import Glibc
import TestSupport
import Testing

@Suite struct PipeTests {
    let directory = TemporaryDirectory()

    /// Reads a file through a pipe that another thread feeds.
    func readThroughPipe(_ name: String, raw: RawPCM? = nil) throws -> Sound {
        let bytes = try #require(directory.read(name))
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let feeder = Feeder(bytes: bytes, descriptor: ends[1])
        feeder.start()
        defer {
            close(ends[0])
            feeder.join()
        }
        return try Sound.read(from: WAVReader(descriptor: ends[0], path: .standardStream, raw: raw))
    }

    @Test(arguments: [0x10002, 0x10003, 0x10006, 0x30002, 0x20002]) func wavAuAndAIFF(format: Int) throws {
        let sound = Sound.ramps(channelCount: 2, frameCount: 60000)
        _ = sound.makeFile("x", in: directory, format: format)
        #expect(try readThroughPipe("x") == sound)
    }

    @Test func rawSamples() throws {
        directory.write([0, 0x40, 0, 0xC0], to: "x")
        let raw = RawPCM(encoding: .s16, sampleRateHz: 48000)
        #expect(try readThroughPipe("x", raw: raw).channels == [[0.5, -0.5]])
    }

    /// What recorders write to a pipe: a length they do not know.
    @Test(arguments: [0xFFFF_FFFF, 0x7FFF_FFDB] as [UInt32]) func announcedUntilTheEnd(dataBytes: UInt32)
        throws
    {
        let sound = Sound.ramps(channelCount: 1, frameCount: 3000)
        _ = sound.makeFile("x", in: directory, format: 0x10002)
        var bytes = try #require(directory.read("x"))
        for byte in 0..<4 { bytes[40 + byte] = UInt8(truncatingIfNeeded: dataBytes >> (8 * UInt32(byte))) }
        directory.write(bytes, to: "x")
        #expect(try readThroughPipe("x") == sound)
    }

    /// libsndfile opens some of these on a pipe and gives nothing or loses the end: refused instead.
    @Test(arguments: [0x17_0002, 0x18_0002, 0x22_0002]) func flacCAFAndRF64NeedAFile(format: Int) throws {
        _ = Sound.ramps(channelCount: 1, frameCount: 3000).makeFile("x", in: directory, format: format)
        let error = rejection { try readThroughPipe("x") }
        #expect(error?.kind == .badData)
        #expect(error?.reason.contains("cannot be read from a pipe") == true)
    }

    @Test(arguments: ["", "hello"]) func notSound(contents: String) throws {
        directory.write(Array(contents.utf8), to: "x")
        #expect(rejection { try readThroughPipe("x") }?.kind == .badData)
    }
}

/// A thread that writes bytes into a pipe and closes it.
private final class Feeder: @unchecked Sendable {
    private let bytes: [UInt8]
    private let descriptor: Int32
    private var thread = pthread_t()

    init(bytes: [UInt8], descriptor: Int32) {
        self.bytes = bytes
        self.descriptor = descriptor
    }

    func start() {
        signal(SIGPIPE, SIG_IGN)  // the reader may give up first
        let me = Unmanaged.passRetained(self).toOpaque()
        pthread_create(
            &thread, nil,
            { argument in
                let feeder = Unmanaged<Feeder>.fromOpaque(argument!).takeRetainedValue()
                var done = 0
                while done < feeder.bytes.count {
                    let count = feeder.bytes.withUnsafeBytes {
                        write(feeder.descriptor, $0.baseAddress! + done, feeder.bytes.count - done)
                    }
                    if count <= 0 { break }
                    done += count
                }
                close(feeder.descriptor)
                return nil
            }, me)
    }

    func join() { pthread_join(thread, nil) }
}
