import AudioIO
import Glibc
import Testing

extension Sound {
    /// Returns the sound that a reader gets from bytes through a pipe, and its remarks for people afterwards.
    static func readThroughPipe(
        _ bytes: [UInt8], raw: RawPCM? = nil
    ) throws -> (sound: Sound, remarks: [String]) {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let feeder = Feeder(bytes: bytes, descriptor: ends[1])
        feeder.start()
        defer {
            close(ends[0])
            feeder.join()
        }
        let reader = try WAVReader(descriptor: ends[0], path: .standardStream, raw: raw)
        return (try Sound.read(from: reader), reader.remarks)
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
