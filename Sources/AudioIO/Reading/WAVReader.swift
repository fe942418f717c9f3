import CSndFile
import Glibc

/// A reader of any sound file that libsndfile knows (WAV, FLAC, Ogg, AIFF, AU …, any bit depth and channel
/// count) or of raw PCM. It reads chunk by chunk in constant memory, from a file or a pipe. Counterpart:
/// ``WAVWriter``.
public final class WAVReader: AudioSource {
    public let format: AudioFormat
    public private(set) var replacedSampleCount = 0
    /// The path that was opened; errors name it.
    public let path: AudioPath
    /// The encoding in which a copy loses nothing; for lossy files, 16 bits.
    public let encoding: SampleEncoding

    private let stream: ByteStream
    private var opened: Opened
    private var framesRead = 0
    /// The number of frames that the headers so far announce; `nil` if one does not.
    private var announcedFrames: Int?
    private var ownRemarks: [String] = []
    private var isAtEnd = false
    private var shorts: [Int16] = []
    private var floats: [Float] = []

    /// Opens `path`; with `raw`, its samples have no header and are stored as `raw` describes.
    ///
    /// - Parameter rateHz: the number of frames in a second, if the header is wrong; `nil` to believe the
    ///   header.
    ///
    /// Throws: `.noSuchInput`; `.noPermission`; `.badData` if the input is no sound, or holds none.
    public convenience init(
        _ path: AudioPath, raw: RawPCM? = nil, rateHz: Int? = nil
    ) throws(AudioIOError) {
        try self.init(FileDescriptor.input(path), path: path, raw: raw, rateHz: rateHz)
    }

    /// Reads from a descriptor that the caller keeps open, such as one in memory; errors name `path`.
    package convenience init(
        descriptor: Int32, path: AudioPath, raw: RawPCM? = nil
    ) throws(AudioIOError) {
        try self.init(
            FileDescriptor(descriptor, path: path, isOwned: false), path: path, raw: raw, rateHz: nil)
    }

    private init(
        _ file: FileDescriptor, path: AudioPath, raw: RawPCM?, rateHz: Int?
    ) throws(AudioIOError) {
        self.path = path
        stream = ByteStream(file)
        opened = try WAVReader.open(stream, path: path, raw: raw)
        announcedFrames = opened.announcedFrames
        encoding = WAVReader.encoding(subtype: opened.subtype)
        var format = opened.format
        if let rateHz, rateHz != format.sampleRateHz {
            ownRemarks.append("its header says \(format.sampleRateHz) Hz; read as \(rateHz) Hz")
            format.sampleRateHz = rateHz
        }
        self.format = format
        if let spans = opened.spans, stream.length != nil, spans.isEmpty { throw holdsNone }
    }

    deinit { sf_close(opened.handle) }

    /// True if it can be opened once more with the same contents: a file by name, neither a pipe nor a
    /// device.
    public var canBeReadAgain: Bool {
        if case .file = path { stream.length != nil } else { false }
    }

    /// Lines for people about a wrong header and missing sound, without the path, as far as they are known
    /// now. Some remarks on a pipe are known only at its end.
    public var remarks: [String] { ownRemarks + (opened.spans?.remarks ?? []) }

    private var holdsNone: AudioIOError {
        AudioIOError(.badData, path, "a header alone, without any sound; record it again")
    }

    public func read(into block: inout AudioBlock) throws(AudioIOError) -> Bool {
        precondition(block.channelCount == format.channelCount, "the block has the reader's channels")
        var frameCount = readFrames(block.capacity)
        while frameCount <= 0, try openNext() { frameCount = readFrames(block.capacity) }
        if frameCount <= 0 { try reportEnd() }
        block.resize(to: max(0, frameCount))
        framesRead += block.frameCount
        if isSixteenBit { fillFromShorts(&block) } else { fillFromFloats(&block) }
        return block.frameCount > 0
    }

    private var isSixteenBit: Bool { opened.subtype == Int(SF_FORMAT_PCM_16) }

    /// Reads the next frames as they are stored; returns how many.
    private func readFrames(_ count: Int) -> Int {
        let wanted = count * format.channelCount
        guard isSixteenBit else {
            if floats.count < wanted { floats = [Float](repeating: 0, count: wanted) }
            return Int(sf_readf_float(opened.handle, &floats, sf_count_t(count)))
        }
        if shorts.count < wanted { shorts = [Int16](repeating: 0, count: wanted) }
        return Int(sf_readf_short(opened.handle, &shorts, sf_count_t(count)))
    }

    /// Goes on with the next stream in the same file. Returns false if there is none, and, after a remark, if
    /// it cannot be read.
    private func openNext() throws(AudioIOError) -> Bool {
        guard stream.errorNumber == 0, opened.whole?.moveToNext() == true else { return false }
        let rest = stream.left.map { ": \($0) bytes are not read" } ?? " and is not read"
        stream.hold()
        let next: Opened
        do throws(AudioIOError) {
            next = try WAVReader.openWhole(stream, path: path)
        } catch {
            guard stream.errorNumber == 0 else { throw error }
            return leaveOut("another recording follows after the sound\(rest): it \(error.reason)")
        }
        guard
            (next.format.sampleRateHz, next.format.channelCount)
                == (opened.format.sampleRateHz, opened.format.channelCount)
        else {
            sf_close(next.handle)
            return leaveOut("another recording in another format follows after the sound\(rest)")
        }
        sf_close(opened.handle)
        opened = next
        announcedFrames = announcedFrames.flatMap { sum in next.announcedFrames.map { sum + $0 } }
        return true
    }

    /// Adds a remark on the bytes that are not read, once.
    private func leaveOut(_ remark: String) -> Bool {
        ownRemarks.append(remark)
        opened.whole = nil
        return false
    }

    /// Handles the end. The frames before an error are returned first; the error comes with the next call.
    private func reportEnd() throws(AudioIOError) {
        if stream.errorNumber != 0 { throw WAVReader.readFailure(path, stream.errorNumber) }
        guard sf_error(opened.handle) == 0 else {
            throw AudioIOError(
                .badData, path,
                "damaged after frame \(framesRead): \(String(cString: sf_strerror(opened.handle))); record or copy it again"
            )
        }
        guard framesRead > 0 else { throw holdsNone }
        guard !isAtEnd else { return }
        isAtEnd = true
        remarkRest()
        if let announced = announcedFrames, announced != framesRead { remarkLength(announced) }
    }

    private func remarkLength(_ announced: Int) {
        let there = WAVReader.seconds(framesRead, rateHz: format.sampleRateHz)
        let words = announced > framesRead ? "cut off: its" : "its"
        ownRemarks.append(
            "\(words) header announces \(WAVReader.seconds(announced, rateHz: format.sampleRateHz)) of sound, "
                + "\(there) are there and were read")
    }

    /// Returns a duration as text: "12.3 s".
    static func seconds(_ frames: Int, rateHz: Int) -> String {
        let tenths = frames / rateHz * 10 + frames % rateHz * 10 / rateHz
        return "\(tenths / 10).\(tenths % 10) s"
    }

    /// Adds a remark on the bytes that a decoder left unread when it came to its own end.
    private func remarkRest() {
        guard let rest = opened.whole?.drain(), rest > WAVReader.mostUnmentioned else { return }
        ownRemarks.append("\(rest) bytes or more after the end of the sound are not read")
    }

    /// The number of bytes up to which there is no remark: tags at the end of compressed recordings are
    /// shorter.
    private static let mostUnmentioned = 4096

    private func fillFromShorts(_ block: inout AudioBlock) {
        let channelCount = format.channelCount
        shorts.withUnsafeBufferPointer { shorts in
            for channel in 0..<channelCount {
                let first = shorts.baseAddress! + channel
                block.withMutableChannel(channel) { samples in
                    WAVReader.withStride(channelCount) {
                        WAVReader.copyShorts(first, stride: $0, into: samples)
                    }
                }
            }
        }
    }

    /// Calls `copy` with a stride, as a constant where that vectorises it: one or two channels.
    @inline(__always)
    private static func withStride(_ stride: Int, _ copy: (Int) -> Void) {
        switch stride {
        case 1: copy(1)
        case 2: copy(2)
        default: copy(stride)
        }
    }

    /// Copies every `stride`th value of `x`, 1 being full scale.
    @inline(__always)
    private static func copyShorts(
        _ x: UnsafePointer<Int16>, stride: Int, into samples: UnsafeMutableBufferPointer<Float>
    ) {
        for n in 0..<samples.count { samples[n] = Float(x[n &* stride]) * 0x1p-15 }
    }

    private func fillFromFloats(_ block: inout AudioBlock) {
        let channelCount = format.channelCount
        floats.withUnsafeBufferPointer { floats in
            for channel in 0..<channelCount {
                let first = floats.baseAddress! + channel
                block.withMutableChannel(channel) { samples in
                    WAVReader.withStride(channelCount) {
                        replacedSampleCount += WAVReader.copyFinite(first, stride: $0, into: samples)
                    }
                }
            }
        }
    }

    /// Copies every `stride`th value of `x`; values that are not finite become 0. Returns how many there
    /// were.
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
