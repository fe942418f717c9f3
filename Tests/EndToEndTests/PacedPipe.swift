import Foundation
import Glibc

/// A pipe from which a device is read. Samples are written at the time when they sound.
final class PacedPipe {
    private static let rateHz = 48_000.0
    /// The number of frames that are written at once. `listen` reads as many at once, because the plugin
    /// takes whatever a read returns as everything that it asked for.
    private static let partFrames = 2400
    /// F_SETPIPE_SZ of <fcntl.h>, which Swift does not import.
    private static let setPipeSize: Int32 = 1024 + 7
    /// The size of the pipe: five seconds, as much as the kernel gives to everybody. A write to a full pipe
    /// would be split, and each part that is read counts as a whole period. A reader that does not run for a
    /// third of a second would then lose sound.
    private static let roomBytes: Int32 = 1 << 20

    private let descriptor: Int32
    /// The time at which the next sample is to sound, by the wall clock.
    private(set) var now: Double

    /// Makes the pipe, and sound begins now. Returns `nil` if that fails.
    init?(_ path: String) {
        guard mkfifo(path, 0o600) == 0 else { return nil }
        // It is open for reading too, so that it neither waits for a reader nor fails without one.
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0, fcntl(descriptor, PacedPipe.setPipeSize, PacedPipe.roomBytes) >= 0 else {
            return nil
        }
        now = Date.now.timeIntervalSince1970
    }

    deinit { close(descriptor) }

    /// Returns when a reader has begun to read; sound begins then, after a period of silence. Returns false
    /// if there is no reader.
    func waitForReader(seconds: Double) -> Bool {
        write([Float](repeating: 0, count: PacedPipe.partFrames))
        let deadline = now + seconds
        var waiting: Int32 = 0
        repeat {
            usleep(1000)
            guard ioctl(descriptor, UInt(FIONREAD), &waiting) == 0 else { return false }
            now = Date.now.timeIntervalSince1970
        } while waiting > 0 && now < deadline
        return waiting == 0
    }

    /// Writes samples, and returns when they have sounded.
    func write(_ samples: [Float]) {
        for first in stride(from: 0, to: samples.count, by: PacedPipe.partFrames) {
            let part = samples[first..<min(first + PacedPipe.partFrames, samples.count)]
            halt(seconds: Double(part.count) / PacedPipe.rateHz)
            let words = part.map { Int32($0 * 0x1p30) }
            _ = words.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
        }
    }

    /// Lets time pass without sound.
    func halt(seconds: Double) {
        now += seconds
        let left = now - Date.now.timeIntervalSince1970
        if left > 0 { usleep(UInt32(left * 1e6)) }
    }
}
