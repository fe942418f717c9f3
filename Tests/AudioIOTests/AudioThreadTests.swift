import CAllocationCount
import Glibc
import Testing

@testable import AudioIO

/// Tests that the audio thread does nothing that may wait for others: it allocates no memory and takes no
/// locks.
@Suite struct AudioThreadTests {
    private struct Counts: Equatable {
        var allocations = nearby_allocation_count()
        var locks = nearby_lock_count()

        static func - (a: Counts, b: Counts) -> Counts {
            var difference = a
            difference.allocations -= b.allocations
            difference.locks -= b.locks
            return difference
        }
    }

    /// If the system has no thread, the error is thrown, and no thread that never existed is detached.
    @Test func aThreadThatCannotBe() throws {
        let error = try #require(throws: AudioIOError.self) {
            try AudioThread(.device("default"), stackBytes: 1 << 46) {}
        }
        #expect(error.kind == .unavailable && error.reason.contains("no thread"))
    }

    private static let none: Counts = {
        let now = Counts()
        return now - now
    }()

    /// Counts the allocations and locks of turns on ALSA's `null`, which has no server behind it. A switch
    /// turns off alsa-lib's own lock around each call, which nobody else wants and `hw` does without. The
    /// count is therefore that of our code.
    private func count(
        _ direction: PCM.Direction, turns: Int, _ make: (PCM, FrameRing, StreamState) -> (PCM) -> Int32
    ) throws -> Counts {
        setenv("LIBASOUND_THREAD_SAFE", "0", 1)
        let pcm = try PCM("null", direction, direction == .capture ? .capture : .playback)
        defer { pcm.close() }
        let ring = FrameRing(channelCount: pcm.channelCount, atLeast: 4 * pcm.periodFrames)
        let state = StreamState()
        defer {
            ring.free()
            state.free()
        }
        if direction == .capture { #expect(pcm.start() == 0) }
        let turn = make(pcm, ring, state)
        for _ in 0..<8 { #expect(turn(pcm) == 0) }
        let before = Counts()
        var failures = 0
        for _ in 0..<turns { failures += turn(pcm) == 0 ? 0 : 1 }
        let counts = Counts() - before
        #expect(failures == 0)
        return counts
    }

    @Test func capturing() throws {
        let counts = try count(.capture, turns: 1000) { pcm, ring, state in
            var turn = CaptureTurn(pcm, memory: PeriodMemory(first: pcm), ring: ring, state: state)
            let read = PeriodMemory(first: pcm).samples
            return { pcm in
                _ = ring.read(into: read, frames: pcm.periodFrames)
                return turn.run(pcm)
            }
        }
        #expect(counts == Self.none)
    }

    @Test func playing() throws {
        let counts = try count(.playback, turns: 1000) { pcm, ring, state in
            let turn = PlaybackTurn(pcm, memory: PeriodMemory(first: pcm), ring: ring, state: state)
            let sound = PeriodMemory(first: pcm).samples
            var number = 0
            return { pcm in
                number += 1
                // Every hundredth time the writer is late: the turn waits for it, and then plays silence.
                if number % 100 != 0 { _ = ring.write(sound, frames: pcm.periodFrames) }
                return turn.run(pcm)
            }
        }
        #expect(counts == Self.none)
    }

    /// The counters work.
    @Test func counting() {
        let before = Counts()
        StreamState().free()
        var mutex = pthread_mutex_t()
        pthread_mutex_lock(&mutex)
        pthread_mutex_unlock(&mutex)
        let counts = Counts() - before
        #expect(counts.allocations > 0 && counts.locks > 0)
    }
}
