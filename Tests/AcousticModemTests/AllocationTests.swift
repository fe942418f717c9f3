import CAllocationCount
import ChannelSim
import Synchronization
import Testing

@testable import AcousticModem

/// Tests that listening allocates no memory, because a lock of the allocator could break the sound.
@Suite struct AllocationTests {
    /// The input is noise in periods of 10 ms, as sound cards give it. Only tracking and decoding may
    /// allocate, and a bounded number of times. Noise has a candidate a second, which the observer reports;
    /// the repeats of one in a minute are looked at later (`RepeatChain`): six frames, six arrays each.
    @Test func listeningToNoiseAllocatesNothing() {
        let tracked = TrackedCount()
        var receiver = Receiver(profiles: [.dsss], observer: tracked)
        var noise = NoiseSource(seed: 31)
        let period = 480
        var quietPeriods = 0
        var allocations = 0
        var (allocationsInAll, trackedInAll) = (0, 0)
        for second in 0..<60 {
            let samples = noise.samples(Int(Receiver.sampleRateHz), sigma: 0.1)
            samples.withUnsafeBufferPointer { samples in
                for start in stride(from: 0, to: samples.count, by: period) {
                    let trackedBefore = tracked.count
                    let before = nearby_allocation_count()
                    let reports = receiver.process(
                        UnsafeBufferPointer(rebasing: samples[start..<start + period]))
                    let spent = Int(nearby_allocation_count() - before)
                    #expect(reports.isEmpty)
                    guard second >= 20 else { continue }  // buffers have found their size
                    allocationsInAll += spent
                    trackedInAll += tracked.count - trackedBefore
                    if tracked.count == trackedBefore {
                        quietPeriods += 1
                        allocations += spent
                    }
                }
            }
        }
        #expect(quietPeriods > 3600, "of 4000: \(quietPeriods)")
        #expect(allocations <= 36, "\(allocations)")
        #expect(allocationsInAll > 0, "the count counts")
        #expect(allocationsInAll < 60 * trackedInAll, "\(allocationsInAll) for \(trackedInAll)")
    }
}

private final class TrackedCount: ReceiverObserver {
    private let tracked = Atomic(0)
    var count: Int { tracked.load(ordering: .relaxed) }

    func settled(_ candidate: CandidateTrace) {
        if candidate.evidenceNats != nil { tracked.add(1, ordering: .relaxed) }
    }
}
