import CSndFile
import Glibc

/// A programme that libsndfile decodes: FLAC, AIFF, Ogg and the like. It delivers integers in 16 or 32 bits
/// without loss.
final class DecodedProgramme: ProgrammeSource {
    let path: AudioPath
    let layout: ProgrammeLayout
    let tags: [ProgrammeTag]
    /// The bits of a sample in a copy that loses nothing; 16 for a lossy format.
    let bits: Int

    private let opened: WAVReader.Opened
    private var handle: OpaquePointer { opened.handle }
    private let ownRemarks: [String]
    /// True for a lossy format, whose samples are rounded to 16 bits.
    private let isLossy: Bool

    var remarks: [String] { ownRemarks + (opened.spans?.remarks ?? []).map { "\(path): \($0)" } }

    /// Throws: `.badData` if the input is no sound.
    init(_ input: ByteInput) throws(AudioIOError) {
        path = input.path
        let file = try input.seekable()
        let stream = ByteStream(file)
        let isFLAC = stream.peek(4).elementsEqual("fLaC".utf8)
        opened = try WAVReader.open(stream, path: path, raw: nil)
        let channelCount = opened.format.channelCount
        isLossy = DecodedProgramme.lossy.contains(opened.subtype)
        let (stored, bits) = DecodedProgramme.stored(opened.subtype)
        self.bits = bits
        tags = ProgrammeTag.all(of: opened.handle)
        layout = ProgrammeLayout(
            sampleRateHz: opened.format.sampleRateHz, channelCount: channelCount, stored: stored,
            validBits: bits, channelMask: nil,
            lowFrequencyChannel: DecodedProgramme.lowFrequencyChannel(opened.handle, channelCount))
        var remarks = isLossy ? ["\(path): is a lossy format; the copy has 16 bits"] : []
        if isFLAC {
            remarks += LostParts.remarks(path, LostParts.names(inFLAC: file.bytes(at:count:)))
        } else {
            remarks.append("\(path): its samples and tags are copied, and no other part of it")
        }
        ownRemarks = remarks
    }

    deinit { sf_close(handle) }

    private static let lossy = [
        SF_FORMAT_VORBIS, SF_FORMAT_OPUS, SF_FORMAT_MPEG_LAYER_I, SF_FORMAT_MPEG_LAYER_II,
        SF_FORMAT_MPEG_LAYER_III,
    ].map { Int($0) }

    private static func stored(_ subtype: Int) -> (StoredFormat, bits: Int) {
        switch subtype {
        case Int(SF_FORMAT_PCM_S8), Int(SF_FORMAT_PCM_U8): (.s16, 8)
        case Int(SF_FORMAT_PCM_24), Int(SF_FORMAT_ALAC_24): (.s32, 24)
        case Int(SF_FORMAT_ALAC_20): (.s32, 20)
        case Int(SF_FORMAT_PCM_32), Int(SF_FORMAT_ALAC_32): (.s32, 32)
        case Int(SF_FORMAT_FLOAT): (.float32, 32)
        case Int(SF_FORMAT_DOUBLE): (.float64, 64)
        default: (.s16, 16)
        }
    }

    private static func lowFrequencyChannel(_ handle: OpaquePointer, _ channelCount: Int) -> Int? {
        var map = [Int32](repeating: 0, count: max(1, channelCount))
        let bytes = Int32(map.count * MemoryLayout<Int32>.size)
        guard sf_command(handle, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, bytes) != 0 else { return nil }
        return map.firstIndex(of: Int32(SF_CHANNEL_MAP_LFE))
    }

    func read(_ frameCount: Int, appendingTo bytes: inout [UInt8]) throws(AudioIOError) -> Int {
        let (start, frameBytes) = (bytes.count, layout.bytesPerFrame)
        bytes += [UInt8](repeating: 0, count: frameCount * frameBytes)
        let count = bytes.withUnsafeMutableBytes { decode($0.baseAddress! + start, frameCount) }
        bytes.removeLast((frameCount - count) * frameBytes)
        if count == 0, sf_error(handle) != 0 {
            throw AudioIOError(
                .badData, path, "damaged: \(String(cString: sf_strerror(handle))); record or copy it again")
        }
        return count
    }

    private func decode(_ place: UnsafeMutableRawPointer, _ frameCount: Int) -> Int {
        let (count, sampleCount) = (sf_count_t(frameCount), frameCount * layout.channelCount)
        switch layout.stored {
        case .float32:
            return Int(sf_readf_float(handle, place.bindMemory(to: Float.self, capacity: sampleCount), count))
        case .float64:
            return Int(
                sf_readf_double(handle, place.bindMemory(to: Double.self, capacity: sampleCount), count))
        case .s32:
            return Int(sf_readf_int(handle, place.bindMemory(to: Int32.self, capacity: sampleCount), count))
        default:
            let shorts = place.bindMemory(to: Int16.self, capacity: sampleCount)
            guard isLossy else { return Int(sf_readf_short(handle, shorts, count)) }
            var floats = [Float](repeating: 0, count: sampleCount)
            let got = Int(sf_readf_float(handle, &floats, count))
            for n in 0..<got * layout.channelCount {
                let value = floats[n].isNaN ? 0 : (floats[n] * 0x1p15).rounded()
                shorts[n] = Int16(max(-0x1p15, min(0x1p15 - 1, value)))
            }
            return got
        }
    }
}
