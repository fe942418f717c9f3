/// How one sample of a programme is stored, little-endian. Mixing works on the stored bytes, so that what is not mixed stays
/// bit for bit.
package enum StoredFormat: Sendable, Hashable, CaseIterable {
    /// Integers: 8 bits unsigned, the others signed, 24 bits in three bytes.
    case u8, s16, s24, s32
    /// Full scale is ±1.
    case float32, float64
    /// ITU-T G.711.
    case muLaw, aLaw

    /// Bytes of a sample in one channel.
    package var bytesPerSample: Int {
        switch self {
        case .u8, .muLaw, .aLaw: 1
        case .s16: 2
        case .s24: 3
        case .s32, .float32: 4
        case .float64: 8
        }
    }

    /// Writes the mean of all channels to `mono`, full scale ±1, and returns the greatest magnitude of any sample.
    ///
    /// Shape: `frames` holds `mono.count` interleaved frames of `channelCount` samples. What is no number counts as 0.
    package func measure(
        _ frames: UnsafeRawPointer, channelCount: Int, into mono: UnsafeMutableBufferPointer<Float>
    ) -> Float {
        switch self {
        case .u8: measure(Unsigned8.self, frames, channelCount, mono)
        case .s16: measure(Signed16.self, frames, channelCount, mono)
        case .s24: measure(Signed24.self, frames, channelCount, mono)
        case .s32: measure(Signed32.self, frames, channelCount, mono)
        case .float32: measure(Float32Sample.self, frames, channelCount, mono)
        case .float64: measure(Float64Sample.self, frames, channelCount, mono)
        case .muLaw: measure(MuLawSample.self, frames, channelCount, mono)
        case .aLaw: measure(ALawSample.self, frames, channelCount, mono)
        }
    }

    /// Adds one sample of `track` to each frame, on the channels that take it. Where that would go beyond full scale the track
    /// gives way. Returns how many samples had to.
    ///
    /// - Parameters:
    ///   - takes: for each channel whether the track is added to it.
    ///   - validBits: an integer's highest bits that count; those below stay as they are.
    package func add(
        _ track: UnsafeBufferPointer<Float>, to frames: UnsafeMutableRawPointer, takes: [Bool], validBits: Int
    ) -> Int {
        switch self {
        case .u8: add(Unsigned8.self, track, frames, takes, validBits)
        case .s16: add(Signed16.self, track, frames, takes, validBits)
        case .s24: add(Signed24.self, track, frames, takes, validBits)
        case .s32: add(Signed32.self, track, frames, takes, validBits)
        case .float32: add(Float32Sample.self, track, frames, takes, validBits)
        case .float64: add(Float64Sample.self, track, frames, takes, validBits)
        case .muLaw: add(MuLawSample.self, track, frames, takes, validBits)
        case .aLaw: add(ALawSample.self, track, frames, takes, validBits)
        }
    }

    /// Integers of all samples, full scale being that of 32 bits. Precondition: they are no floats.
    func integers(_ bytes: [UInt8]) -> [Int32] {
        switch self {
        case .u8: integers(Unsigned8.self, bytes)
        case .s16: integers(Signed16.self, bytes)
        case .s24: integers(Signed24.self, bytes)
        case .s32: integers(Signed32.self, bytes)
        case .muLaw: integers(MuLawSample.self, bytes)
        case .aLaw: integers(ALawSample.self, bytes)
        case .float32, .float64: preconditionFailure("floats are no integers")
        }
    }

    private func integers<Sample: IntegerSample>(_: Sample.Type, _ bytes: [UInt8]) -> [Int32] {
        bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / Sample.byteCount).map {
                Int32(Sample.load(bytes.baseAddress! + $0 * Sample.byteCount) << (32 - Sample.bits))
            }
        }
    }

    @inline(__always)
    private func measure<Sample: ProgrammeSample>(
        _: Sample.Type, _ frames: UnsafeRawPointer, _ channelCount: Int,
        _ mono: UnsafeMutableBufferPointer<Float>
    ) -> Float {
        let share = 1 / Float(channelCount)
        var (place, peak) = (frames, Float(0))
        for n in mono.indices {
            var sum: Float = 0
            for _ in 0..<channelCount {
                let value = Sample.unit(place)
                sum += value
                peak = max(peak, abs(value))
                place += Sample.byteCount
            }
            mono[n] = sum * share
        }
        return peak
    }

    @inline(__always)
    private func add<Sample: ProgrammeSample>(
        _: Sample.Type, _ track: UnsafeBufferPointer<Float>, _ frames: UnsafeMutableRawPointer,
        _ takes: [Bool], _ validBits: Int
    ) -> Int {
        var (place, limited) = (frames, 0)
        for step in track {
            for isTaken in takes {
                if isTaken, step != 0, Sample.add(step, validBits, to: place) { limited += 1 }
                place += Sample.byteCount
            }
        }
        return limited
    }
}
