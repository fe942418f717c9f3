import CSndFile
import Glibc

/// Reads any sound file libsndfile knows (WAV, FLAC, Ogg, AIFF, AU …, any bit depth and channel count) or raw
/// PCM, chunk by chunk in constant memory, from a file or a pipe. Opposite: ``WAVWriter``.
public final class WAVReader: AudioSource {
    public let format: AudioFormat
    public private(set) var replacedSampleCount = 0
    /// What it was opened by; names it in errors.
    public let path: AudioPath
    /// What a copy must be stored as so that nothing is lost; for lossy files, 16 bits.
    public let encoding: SampleEncoding

    private let file: FileDescriptor
    private let handle: OpaquePointer
    private let isSixteenBit: Bool
    private var framesRead = 0
    private var shorts: [Int16] = []
    private var floats: [Float] = []

    /// Opens `path`; with `raw`, its samples have no header and are as `raw` says.
    ///
    /// Throws: `.noSuchInput`, `.noPermission`, `.badData` for what is not sound, or not sound that a pipe can carry.
    public convenience init(_ path: AudioPath, raw: RawPCM? = nil) throws(AudioIOError) {
        try self.init(FileDescriptor.input(path), path: path, raw: raw)
    }

    /// Reads from a descriptor the caller keeps open, such as one in memory; `path` names it in errors.
    package convenience init(
        descriptor: Int32, path: AudioPath, raw: RawPCM? = nil
    ) throws(AudioIOError) {
        try self.init(FileDescriptor(descriptor, path: path, isOwned: false), path: path, raw: raw)
    }

    private init(_ file: FileDescriptor, path: AudioPath, raw: RawPCM?) throws(AudioIOError) {
        self.file = file
        self.path = path
        var info = raw?.info ?? SF_INFO()
        let isSeekable = file.isSeekable
        // A descriptor of its own: libsndfile closes what it was lent when it fails to open, whatever one asks.
        guard let handle = sf_open_fd(fcntl(file.raw, F_DUPFD_CLOEXEC, 0), Int32(SFM_READ), &info, 1) else {
            throw WAVReader.openFailure(path, isSeekable: isSeekable)
        }
        do {
            format = try WAVReader.check(info, path: path, file: file, isSeekable: isSeekable)
        } catch {
            sf_close(handle)
            throw error
        }
        self.handle = handle
        let subtype = Int(info.format) & Int(SF_FORMAT_SUBMASK)
        isSixteenBit = subtype == Int(SF_FORMAT_PCM_16)
        encoding = WAVReader.encoding(subtype: subtype)
    }

    deinit { sf_close(handle) }

    public func read(into block: inout AudioBlock) throws(AudioIOError) -> Bool {
        precondition(block.channelCount == format.channelCount, "the block has the reader's channels")
        let wanted = block.capacity * format.channelCount
        let frameCount: Int
        if isSixteenBit {
            if shorts.count < wanted { shorts = [Int16](repeating: 0, count: wanted) }
            frameCount = Int(sf_readf_short(handle, &shorts, sf_count_t(block.capacity)))
        } else {
            if floats.count < wanted { floats = [Float](repeating: 0, count: wanted) }
            frameCount = Int(sf_readf_float(handle, &floats, sf_count_t(block.capacity)))
        }
        if frameCount < block.capacity && sf_error(handle) != 0 { try reportDamage(frameCount) }
        block.resize(to: max(0, frameCount))
        framesRead += block.frameCount
        if isSixteenBit { fillFromShorts(&block) } else { fillFromFloats(&block) }
        return block.frameCount > 0
    }

    /// The frames before the damage are handed out first; the error comes with the next call.
    private func reportDamage(_ frameCount: Int) throws(AudioIOError) {
        guard frameCount <= 0 else { return }
        throw AudioIOError(
            .badData, path,
            "damaged after frame \(framesRead): \(String(cString: sf_strerror(handle))); record or copy it again"
        )
    }

    private func fillFromShorts(_ block: inout AudioBlock) {
        let channelCount = format.channelCount
        shorts.withUnsafeBufferPointer { shorts in
            for channel in 0..<channelCount {
                block.withMutableChannel(channel) { samples in
                    if channelCount == 1 {  // no stride: vectorised
                        for n in samples.indices { samples[n] = Float(shorts[n]) * 0x1p-15 }
                    } else {
                        for n in samples.indices {
                            samples[n] = Float(shorts[n * channelCount + channel]) * 0x1p-15
                        }
                    }
                }
            }
        }
    }

    private func fillFromFloats(_ block: inout AudioBlock) {
        let channelCount = format.channelCount
        floats.withUnsafeBufferPointer { floats in
            for channel in 0..<channelCount {
                let first = floats.baseAddress! + channel
                block.withMutableChannel(channel) { samples in
                    replacedSampleCount +=
                        channelCount == 1  // no stride: vectorised
                        ? WAVReader.copyFinite(first, stride: 1, into: samples)
                        : WAVReader.copyFinite(first, stride: channelCount, into: samples)
                }
            }
        }
    }

    /// Every `stride`th of `x`; what is no number becomes 0. Returns how many were none.
    @inline(__always)
    private static func copyFinite(
        _ x: UnsafePointer<Float>, stride: Int, into samples: UnsafeMutableBufferPointer<Float>
    ) -> Int {
        let exponent = Float.infinity.bitPattern
        var replaced: UInt32 = 0
        for n in 0..<samples.count {
            let bits = x[n &* stride].bitPattern
            let isReplaced: UInt32 = bits & exponent == exponent ? 1 : 0
            samples[n] = Float(bitPattern: bits & (isReplaced &- 1))
            replaced &+= isReplaced
        }
        return Int(replaced)
    }
}
