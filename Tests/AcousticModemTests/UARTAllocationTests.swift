import CAllocationCount
import ChannelSim
import Testing

@testable import AcousticModem

/// Tests that listening for `fsk2` allocates no memory either.
@Suite struct UARTAllocationTests {
    @Test(arguments: [100.0, 300, 1200]) func listeningToNoiseAllocatesNothing(baud: Double) throws {
        var receiver = Receiver(profiles: [WaveformProfile(try UARTProfile(baud: baud))])
        var noise = NoiseSource(seed: 31)
        var allocations = 0
        for second in 0..<60 {
            let samples = noise.samples(Int(Receiver.sampleRateHz), sigma: 0.1)
            let before = nearby_allocation_count()
            let reports = samples.withUnsafeBufferPointer { receiver.process($0) }
            if second >= 20 { allocations += Int(nearby_allocation_count() - before) }
            #expect(reports.isEmpty)
        }
        #expect(allocations == 0, "\(receiver.statistics.candidates) candidates")
    }
}
