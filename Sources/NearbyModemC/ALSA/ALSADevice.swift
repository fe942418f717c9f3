import CNearbyModem

/// An open sound device, with the memory of a period.
struct ALSADevice: ~Copyable {
    /// The frames of a period: 20 ms at 48 kHz.
    private let periodFrames: Int
    private let library: ALSALibrary
    private let handle: ALSALibrary.Device
    private let name: String
    private let period: UnsafeMutableRawPointer
    private var clock: CapturedTime

    /// - Parameter bufferMicroseconds: the length of the buffer; for playback it is the delay.
    init(
        _ name: String, stream: Int32, format: nbm_format, channelCount: Int, sampleRateHz: Int,
        frameBytes: Int, bufferMicroseconds: UInt32
    ) throws(Refusal) {
        let library = try ALSALibrary()
        var opened: ALSALibrary.Device?
        let status = name.withCString { library.open(&opened, $0, stream, 0) }
        guard status >= 0, let opened else {
            throw Refusal(NBM_ERROR_DEVICE, "\(name): \(String(cString: library.words(status)))")
        }
        let set = library.setParameters(
            opened, ALSALibrary.format(format), ALSALibrary.interleaved, UInt32(channelCount),
            UInt32(sampleRateHz), 0, bufferMicroseconds)
        guard set >= 0 else {
            _ = library.close(opened)
            throw Refusal(
                NBM_ERROR_DEVICE,
                "\(name) does not take \(channelCount) channels of this format at \(sampleRateHz) Hz "
                    + "(\(String(cString: library.words(set)))): try others, or 'plug:\(name)' for channels and format"
            )
        }
        periodFrames = sampleRateHz / 50
        (self.library, handle, self.name) = (library, opened, name)
        clock = CapturedTime(sampleRateHz: sampleRateHz)
        period = .allocate(byteCount: periodFrames * frameBytes, alignment: 16)
    }

    deinit {
        _ = library.close(handle)
        period.deallocate()
    }

    /// Plays a period that `fill` writes.
    func play(_ frameBytes: Int, _ fill: (UnsafeMutableRawPointer, Int) -> Void) throws(Refusal) {
        fill(period, periodFrames)
        var done = 0
        while done < periodFrames {
            let written = library.write(handle, period + done * frameBytes, UInt(periodFrames - done))
            if written < 0 { try recover(written) } else { done += written }
        }
    }

    /// Waits until the buffer's sound has been played.
    func drain() { _ = library.drain(handle) }

    /// Passes on the frames captured next, and how many frames were lost before them; passes on nothing right
    /// after a loss.
    mutating func capture(_ take: (UnsafeRawPointer, Int, _ missing: Int64) throws(Refusal) -> Void)
        throws(Refusal)
    {
        let count = library.read(handle, period, UInt(periodFrames))
        if count < 0 {
            try recover(count)
            clock.isBroken = true
        } else {
            let missing = clock.add(count)
            try take(UnsafeRawPointer(period), count, missing)
        }
    }

    /// Recovers from a gap or sleep. Throws if the device is gone.
    private func recover(_ status: Int) throws(Refusal) {
        guard library.recover(handle, Int32(truncatingIfNeeded: status), 1) < 0 else { return }
        let words = String(cString: library.words(Int32(truncatingIfNeeded: status)))
        throw Refusal(NBM_ERROR_DEVICE, "\(name): \(words)")
    }
}
