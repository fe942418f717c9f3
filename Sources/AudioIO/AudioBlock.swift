/// A block of frames, one channel after the other, in storage that is reused.
///
/// Shape: `[channelCount][frameCount]`, at most `capacity` frames. Full scale is ±1.
public struct AudioBlock: Sendable {
    /// The number of channels, 1 or more; it never changes.
    public let channelCount: Int
    /// The number of frames for which there is room.
    public let capacity: Int
    /// The number of filled frames.
    public internal(set) var frameCount = 0
    /// The number of frames that sounded before these and were lost: by a device's xrun, a suspended server,
    /// or a slow reader. 0 for a file.
    public var missingFrames = 0
    private var samples: [Float]

    /// Precondition: at least one channel, at least one frame of room.
    public init(channelCount: Int, capacity: Int) {
        precondition(channelCount > 0 && capacity > 0, "a block has a channel and room for a frame")
        self.channelCount = channelCount
        self.capacity = capacity
        samples = [Float](repeating: 0, count: channelCount * capacity)
    }

    /// A full block of one channel.
    public init(mono: [Float]) {
        self.init(channelCount: 1, capacity: max(1, mono.count))
        frameCount = mono.count
        samples.replaceSubrange(0..<mono.count, with: mono)
    }

    /// Makes the first `count` frames the contents; they keep the values that were last written there.
    public mutating func resize(to count: Int) {
        precondition((0...capacity).contains(count), "a block of \(capacity) frames cannot hold \(count)")
        frameCount = count
    }

    /// Calls `body` with the filled samples of channel `index`, 0-based. The pointer is valid inside `body`
    /// only.
    public func withChannel<Result>(
        _ index: Int, _ body: (UnsafeBufferPointer<Float>) throws -> Result
    ) rethrows -> Result {
        precondition((0..<channelCount).contains(index), "channel \(index) of \(channelCount)")
        return try samples.withUnsafeBufferPointer {
            try body(UnsafeBufferPointer(rebasing: $0[index * capacity..<index * capacity + frameCount]))
        }
    }

    /// Like ``withChannel(_:_:)``, for writing.
    public mutating func withMutableChannel<Result>(
        _ index: Int, _ body: (UnsafeMutableBufferPointer<Float>) throws -> Result
    ) rethrows -> Result {
        precondition((0..<channelCount).contains(index), "channel \(index) of \(channelCount)")
        let range = index * capacity..<index * capacity + frameCount
        return try samples.withUnsafeMutableBufferPointer {
            try body(UnsafeMutableBufferPointer(rebasing: $0[range]))
        }
    }

    /// Stores interleaved frames from frame `first` on. Precondition: the block is resized to hold them.
    mutating func place(_ interleaved: UnsafePointer<Float>, frames: Int, at first: Int) {
        let channels = channelCount
        for channel in 0..<channels {
            withMutableChannel(channel) { samples in
                for n in 0..<frames { samples[first + n] = interleaved[n * channels + channel] }
            }
        }
    }

    /// Writes the frames of `range` in interleaved form.
    func interleave(_ range: Range<Int>, into interleaved: UnsafeMutablePointer<Float>) {
        guard channelCount > 1 else {
            withChannel(0) {
                interleaved.update(from: $0.baseAddress! + range.lowerBound, count: range.count)
            }
            return
        }
        for channel in 0..<channelCount {
            withChannel(channel) { samples in
                for n in range { interleaved[(n - range.lowerBound) * channelCount + channel] = samples[n] }
            }
        }
    }

    /// Copies the first channel to all others.
    public mutating func copyFirstChannel() {
        guard channelCount > 1 else { return }
        samples.withUnsafeMutableBufferPointer { samples in
            for channel in 1..<channelCount {
                (samples.baseAddress! + channel * capacity).update(
                    from: samples.baseAddress!, count: frameCount)
            }
        }
    }

    /// Appends the mean of all channels.
    public func appendMean(to mono: inout [Float]) {
        let first = mono.count
        let share = 1 / Float(channelCount)
        mono += [Float](repeating: 0, count: frameCount)
        for channel in 0..<channelCount {
            withChannel(channel) { for n in $0.indices { mono[first + n] += share * $0[n] } }
        }
    }
}
