/// A WAV, RF64 or BW64 file as it is stored: its head, its samples, and the chunks after them.
final class WAVProgramme: ProgrammeSource {
    let path: AudioPath
    let layout: ProgrammeLayout
    let head: WAVHead
    private(set) var remarks: [String] = []
    var tags: [ProgrammeTag] { head.tags }

    /// The number of bytes of samples; `nil` if they go on until a pipe ends.
    private(set) var dataBytes: Int?
    /// True if the sizes in the head are right.
    private(set) var isHeadRight: Bool
    private let input: ByteInput
    private var dataRead = 0
    /// The beginning of a frame that was cut off.
    private var fragment: [UInt8] = []

    /// Reads the head. Returns `nil`, and puts all bytes back, if the input is no WAV or its samples have to
    /// be decoded.
    ///
    /// Throws: `.inputOutput`.
    init?(_ input: ByteInput) throws(AudioIOError) {
        guard let head = try WAVProgramme.readHead(input) else { return nil }
        guard let layout = head.layout else {
            input.putBack(head.bytes)
            return nil
        }
        (self.input, path, self.head, self.layout) = (input, input.path, head, layout)
        if let byteCount = input.byteCount {
            let rest = byteCount - head.bytes.count
            let bytes = head.dataBytes(rest: rest) { WAVProgramme.isChunk(input, head.bytes.count + $0) }
            dataBytes = bytes
            isHeadRight = bytes == head.announcedDataBytes
        } else {
            dataBytes = head.isOpenEnded ? nil : head.announcedDataBytes
            isHeadRight = !head.isOpenEnded
        }
        if !isHeadRight, let dataBytes { remark(dataBytes) }
    }

    /// Reads everything up to the first sample. Returns `nil`, and puts all bytes back, if there are no
    /// samples.
    private static func readHead(_ input: ByteInput) throws(AudioIOError) -> WAVHead? {
        guard var head = WAVHead(try input.peek(12)) else { return nil }
        var bytes: [UInt8] = []
        _ = try input.read(12, appendingTo: &bytes)
        while true {
            var chunk: [UInt8] = []
            guard try input.read(8, appendingTo: &chunk) == 8 else {
                input.putBack(bytes + chunk)
                return nil
            }
            bytes += chunk
            if chunk[..<4].elementsEqual("data".utf8) {
                head.append(chunk)
                return head
            }
            let size = ByteOrder.little.number(chunk[4..<8])
            let isPossible = bytes.count + size + size % 2 <= WAVHead.greatestByteCount
            guard isPossible, try input.read(size + size % 2, appendingTo: &chunk) == size + size % 2 else {
                input.putBack(bytes + chunk[8...])
                return nil
            }
            bytes += chunk[8...]
            head.append(chunk)
        }
    }

    /// Returns true if chunks fill the file from there to its end, or if it ends there.
    private static func isChunk(_ input: ByteInput, _ start: Int) -> Bool {
        guard let end = input.byteCount else { return false }
        var place = start
        while place < end {
            guard let header = input.bytes(at: place, count: 8), isName(header[..<4]) else { return false }
            let size = ByteOrder.little.number(header[4..<8])
            // The padding of the last chunk may be missing.
            guard place + 8 + size <= end else { return false }
            place += 8 + size + size % 2
        }
        return place == end || place == end + 1
    }

    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 4 && bytes.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Adds a remark on the wrong size. A stream that does not know its length gets none.
    private func remark(_ dataBytes: Int) {
        guard !head.isOpenEnded || input.byteCount != nil else { return }
        remarks.append(
            "\(path): its header says \(head.announcedDataBytes) bytes of sound, and there are \(dataBytes); "
                + "all of them are copied")
    }

    func read(_ frameCount: Int, appendingTo bytes: inout [UInt8]) throws(AudioIOError) -> Int {
        let frameBytes = layout.bytesPerFrame
        let start = bytes.count
        var wanted = frameCount * frameBytes
        while wanted > 0 {
            let most = dataBytes.map { min(wanted, $0 - dataRead) } ?? wanted
            let count = most > 0 ? try input.read(most, appendingTo: &bytes) : 0
            dataRead += count
            wanted -= count
            if count == most, most > 0 { continue }
            guard try goesOn(isEnd: count < most) else { break }
        }
        let part = (bytes.count - start) % frameBytes
        fragment += bytes.suffix(part)
        bytes.removeLast(part)
        return (bytes.count - start) / frameBytes
    }

    /// Decides, at the end of the samples, whether a pipe has more of them, whatever its header says.
    private func goesOn(isEnd: Bool) throws(AudioIOError) -> Bool {
        if isEnd || input.byteCount != nil || dataBytes == nil {
            if dataBytes != dataRead, dataBytes != nil { isHeadRight = false }
            dataBytes = dataRead
            if !isHeadRight, remarks.isEmpty { remark(dataRead) }
            return false
        }
        let next = try input.peek(8 + dataRead % 2)
        let isChunk = WAVProgramme.isName(next.dropFirst(dataRead % 2).prefix(4))
        let fileEnd = head.bytes.count + dataRead
        if next.count < 8 || isChunk || (fileEnd...fileEnd + 1).contains(head.announcedFileBytes) {
            return false
        }
        (dataBytes, isHeadRight) = (nil, false)
        return true
    }

    /// Appends some of the bytes that follow the samples; none after the end.
    func readTail(appendingTo bytes: inout [UInt8]) throws(AudioIOError) {
        if !fragment.isEmpty {
            bytes += fragment
            fragment = []
            return
        }
        _ = try input.read(1 << 16, appendingTo: &bytes)
    }

    /// Reads the parts that follow the samples. Returns the names of all chunks other than samples and their
    /// format.
    func readOtherNames() throws(AudioIOError) -> [String] {
        var names = head.names.filter { !WAVProgramme.ownNames.contains($0) }
        _ = try skip((dataBytes ?? 0) % 2)
        while true {
            let header = try input.peek(8)
            guard header.count == 8, WAVProgramme.isName(header[..<4]) else { return names }
            names.append(String(decoding: header[..<4], as: UTF8.self))
            let size = ByteOrder.little.number(header[4..<8])
            guard try skip(8 + size + size % 2) else { return names }
        }
    }

    /// Skips bytes; returns false if the file ends before.
    private func skip(_ count: Int) throws(AudioIOError) -> Bool {
        var (block, rest) = ([UInt8](), count)
        while rest > 0 {
            block.removeAll(keepingCapacity: true)
            let got = try input.read(min(rest, 1 << 16), appendingTo: &block)
            guard got > 0 else { return false }
            rest -= got
        }
        return true
    }

    /// The chunks that describe the storage of the samples, or that are empty.
    private static let ownNames: Set<String> = [
        "fmt ", "data", "fact", "ds64", "JUNK", "junk", "PAD ", "FLLR",
    ]

    /// The number of bytes after the samples of a file; `nil` for a pipe.
    var tailBytes: Int? {
        guard let byteCount = input.byteCount, let dataBytes else { return nil }
        return byteCount - head.bytes.count - dataBytes
    }
}
