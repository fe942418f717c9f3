/// The storage of one sample of a programme, little-endian. Mixing works on the stored bytes, so that unmixed
/// samples stay bit for bit the same.
package enum StoredFormat: Sendable, Hashable, CaseIterable {
    /// Integers: 8 bits are unsigned, the others signed; 24 bits are in three bytes.
    case u8, s16, s24, s32
    /// Floating-point numbers; full scale is ±1.
    case float32, float64
    /// The codes of ITU-T G.711.
    case muLaw, aLaw

    /// The bytes of a sample of one channel.
    package var bytesPerSample: Int {
        switch self {
        case .u8, .muLaw, .aLaw: 1
        case .s16: 2
        case .s24: 3
        case .s32, .float32: 4
        case .float64: 8
        }
    }

    /// Writes the mean of all channels to `mono`, full scale ±1, and returns the greatest magnitude of any
    /// sample.
    ///
    /// Shape: `frames` holds `mono.count` interleaved frames of `channelCount` samples. NaN counts as 0.
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

    /// Adds one sample of `track` to each frame, on the channels that take it. Where the sum would exceed
    /// full scale, the track is reduced. Returns the number of samples where that happened.
    ///
    /// - Parameters:
    ///   - takes: for each channel, true if the track is added to it.
    ///   - validBits: the number of significant bits of an integer, from the highest; those below stay as
    ///     they are.
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

    /// Returns all samples as integers at the full scale of 32 bits. Precondition: the samples are no floats.
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
