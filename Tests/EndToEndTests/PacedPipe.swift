import Foundation
import Glibc

/// A pipe that a device is read from: samples go in when they sound.
final class PacedPipe {
    private static let rateHz = 48_000.0
    /// Written at once: what `listen` reads at once, as the plugin takes whatever a read gives for all that it asked for.
    private static let partFrames = 2400
    /// F_SETPIPE_SZ of <fcntl.h>, which Swift does not import.
    private static let setPipeSize: Int32 = 1024 + 7
    /// Room for five seconds, as much as the kernel gives to everybody. A write that finds the pipe full is written in pieces, and a
    /// piece that is read counts as a whole period: a reader that is kept from its processor for a third of a second would lose sound.
    private static let roomBytes: Int32 = 1 << 20

    private let descriptor: Int32
    /// When the sample that is written next is to sound, by the wall clock.
    private(set) var now: Double

    /// Makes the pipe; sound begins now. Nil when that fails.
    init?(_ path: String) {
        guard mkfifo(path, 0o600) == 0 else { return nil }
        // To read as well, so that it neither waits for a reader nor fails without one.
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0, fcntl(descriptor, PacedPipe.setPipeSize, PacedPipe.roomBytes) >= 0 else {
            return nil
        }
        now = Date.now.timeIntervalSince1970
    }

    deinit { close(descriptor) }

    /// Returns when somebody has begun to read; sound begins then, after a period of silence. False when nobody does.
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

    /// Returns when they have sounded.
    func write(_ samples: [Float]) {
        for first in stride(from: 0, to: samples.count, by: PacedPipe.partFrames) {
            let part = samples[first..<min(first + PacedPipe.partFrames, samples.count)]
            halt(seconds: Double(part.count) / PacedPipe.rateHz)
            let words = part.map { Int32($0 * 0x1p30) }
            _ = words.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
        }
    }

    /// Time goes on without sound.
    func halt(seconds: Double) {
        now += seconds
        let left = now - Date.now.timeIntervalSince1970
        if left > 0 { usleep(UInt32(left * 1e6)) }
    }
}
