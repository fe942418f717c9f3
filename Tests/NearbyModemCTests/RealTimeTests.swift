import CAllocationCount
import CNearbyModem
import NearbyModemC
import Testing

/// Tests that the header's realtime-safe functions allocate no memory and take no mutex when C calls them.
/// `TokenMixerTests` tests the inside.
@Suite struct RealTimeTests {
    /// Uses the types once. Swift's runtime, which the C library does not have, sets a type up at its first
    /// use, under a mutex.
    private func useTypes() {
        var mixer: OpaquePointer?
        #expect(nbm_mixer_create(nil, &mixer) == NBM_OK)
        defer { nbm_mixer_destroy(mixer) }
        #expect(nbm_mixer_set_token(mixer, [1], 1, 0) == NBM_OK)
        var frames = [Int16](repeating: 1000, count: 2 * 480)
        var status = nbm_mixer_status()
        status.size = MemoryLayout<nbm_mixer_status>.size
        for _ in 0..<300 { #expect(nbm_mixer_mix(mixer, &frames, 480) == NBM_OK) }
        #expect(nbm_mixer_fill(mixer, &frames, 480) == NBM_OK)
        #expect(nbm_mixer_get_status(mixer, &status) == NBM_OK)
    }

    @Test func mixingFromCAsksForNothing() {
        useTypes()
        var mixer: OpaquePointer?
        #expect(nbm_mixer_create(nil, &mixer) == NBM_OK)
        defer { nbm_mixer_destroy(mixer) }
        let token: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        #expect(nbm_mixer_set_token(mixer, token, token.count, 0) == NBM_OK)
        var frames = [Int16](repeating: 1000, count: 2 * 480)
        var status = nbm_mixer_status()
        status.size = MemoryLayout<nbm_mixer_status>.size
        var failures = 0
        let before = (nearby_allocation_count(), nearby_lock_count())
        frames.withUnsafeMutableBufferPointer { frames in
            for turn in 0..<400 {
                // The programme has no treble each time; the token of the previous mix would be some.
                frames.update(repeating: 1000)
                let mixed =
                    turn < 300
                    ? nbm_mixer_mix(mixer, frames.baseAddress, 480)
                    : nbm_mixer_fill(mixer, frames.baseAddress, 480)
                if mixed != NBM_OK { failures += 1 }
                if nbm_mixer_get_status(mixer, &status) != NBM_OK { failures += 1 }
            }
        }
        let spent = (nearby_allocation_count() - before.0, nearby_lock_count() - before.1)
        #expect(spent.0 == 0 && spent.1 == 0)
        #expect(failures == 0)
        #expect(status.frames_sent == 2)
        #expect(abs(status.level_dbfs + 38) < 0.01)
    }
}
