/// The parts of a recording that are sound, whatever number of bytes its header states.
///
///     | header | sound | chunk | chunk | header | data: sound | …
///              └ first span            └ a second recording ─┘
///
/// After the announced bytes come chunks, another recording, a tag or nothing. Anything else is more sound,
/// because the recorder died, or because a size above 4 GiB has wrapped. The spans of a file are found when
/// it is opened, those of a pipe as they come.
final class SoundSpans: ViewedBytes {
    /// A stretch of sound in the stream. Without an end it goes on to the end of the stream.
    struct Span: Hashable {
        var start: Int
        var end: Int?
    }

    let header: SoundHeader
    /// Lines for people about the header's errors, without the path.
    private(set) var remarks: [String] = []
    /// The number of bytes of sound in whole frames; `nil` for a pipe.
    private(set) var soundBytes: Int?

    private let stream: ByteStream
    private var spans: [Span] = []
    private var current = 0
    private var given = 0
    private var hasReportedEnd = false
    /// True if a pipe has no more sound, whatever bytes it still has.
    private var isOver = false

    /// - Parameter stream: a stream that stands at the first sample.
    init(_ stream: ByteStream, _ header: SoundHeader) {
        (self.stream, self.header) = (stream, header)
        let start = stream.position
        spans = [firstSpan]
        guard let length = stream.length else { return }
        while let end = spans[spans.count - 1].end, stream.move(to: end), let next = nextSpan() {
            append(next)
        }
        soundBytes = spans.reduce(0) { $0 + whole(max(0, ($1.end ?? length) - $1.start)) }
        tellFile(length - start)
        _ = stream.move(to: start)
    }

    /// True if the stream holds no sound at all. For a pipe this is known only at its end.
    var isEmpty: Bool { soundBytes.map { $0 == 0 } ?? (given == 0) }

    // MARK: Reading

    var length: Int { soundBytes ?? SoundView.endless }
    var position: Int { given }
    /// Returns true only for the present position: libsndfile reads samples without a header in order.
    func move(to place: Int) -> Bool { place == given }

    func read(into bytes: UnsafeMutableRawPointer, count: Int) -> Int {
        var done = 0
        while done < count {
            let span = spans[current]
            let room = span.end.map { span.start + whole($0 - span.start) - stream.position } ?? .max
            if room > 0 {
                let some = stream.read(into: bytes + done, count: min(room, count - done))
                done += some
                if some > 0 { continue }
                if span.end != nil, stream.length == nil { tellEarlyEnd() }
                break
            }
            guard advance() else { break }
        }
        given += done
        return done
    }

    /// Goes to the next span. Returns false at the end of the sound.
    private func advance() -> Bool {
        if current + 1 < spans.count {
            current += 1
            return stream.move(to: spans[current].start)
        }
        guard stream.length == nil, !isOver else { return false }
        guard let next = nextSpan() else {
            isOver = true
            return false
        }
        append(next)
        current = spans.count - 1
        return true
    }

    // MARK: Finding

    private func whole(_ bytes: Int) -> Int { bytes - bytes % header.bytesPerFrame }

    /// The first span. A size of 0 is written before the sound, and stays if a recorder dies or writes to a
    /// pipe.
    private var firstSpan: Span {
        let start = stream.position
        guard let announced = header.announcedBytes, announced > 0 else {
            return Span(start: start, end: isFollowedByNothingElse ? start : nil)
        }
        if let left = stream.left, announced > left { return Span(start: start, end: nil) }
        return Span(start: start, end: start + announced)
    }

    /// True if there is no sound: only chunks follow the header.
    private var isFollowedByNothingElse: Bool {
        guard header.announcedBytes == 0, let chunks = header.chunks else { return false }
        return Trailer(stream, chunks, offset: 0).kind == .chunks
    }

    /// Returns more sound after the end of the last span. The search begins at the last whole frame, because
    /// if the sound goes on, the frame does too.
    private func nextSpan() -> Span? {
        guard let last = spans.last, let end = last.end else { return nil }
        let offset = max(0, end - stream.position)
        switch Trailer(stream, header.chunks, offset: offset).kind {
        case .end: return nil
        case .sound:
            if spans.count == 1 { tellMore(announced: end - last.start) }
            let announced = end - last.start
            return Span(
                start: last.start + whole(announced), end: wrappedEnd(last.start, announced: announced))
        case .tag: return nil
        case .chunks, .recording:
            stream.skip(offset)
            return nextRecording()
        }
    }

    /// Skips chunks and the header of the next recording, and returns its sound.
    private func nextRecording() -> Span? {
        guard let style = header.chunks else { return nil }
        while true {
            let trailer = Trailer(stream, style, offset: 0)
            stream.skip(trailer.padding)
            switch trailer.kind {
            case .chunks:
                let bytes = stream.take(style.headBytes)
                guard let head = style.head(bytes[...]), let size = head.size else { return nil }
                let start = stream.position
                if head.name == "data" {
                    let left = stream.left ?? .max
                    return Span(start: start, end: size == 0 || size >= left ? nil : start + size)
                }
                stream.skip(size + style.padding(after: size))
            case .recording:
                return joinedRecording()
            case .sound, .tag, .end: return nil
            }
        }
    }

    /// Returns the sound of a recording that was appended to this one unchanged.
    private func joinedRecording() -> Span? {
        do throws(AudioIOError) {
            guard let next = try SoundHeader.read(stream, .standardStream), next.isLike(header) else {
                let bytes = stream.left.map { ": \($0) bytes are not read" } ?? " and is not read"
                remark("another recording in another format follows after the sound\(bytes)")
                return nil
            }
            let left = stream.left ?? .max
            let bytes = next.announcedBytes.flatMap { (1..<left).contains($0) ? $0 : nil }
            return Span(start: stream.position, end: bytes.map { stream.position + $0 })
        } catch {
            remark("another recording follows after the sound and is not read: it \(error.reason)")
            return nil
        }
    }

    /// Returns the end of the sound of a file whose size was counted in 32 bits and has wrapped: the place
    /// after which only chunks or nothing follow.
    private func wrappedEnd(_ start: Int, announced: Int) -> Int? {
        guard let length = stream.length, let chunks = header.chunks else { return nil }
        let turns = (length - start - announced) >> 32
        guard turns > 0 else { return nil }
        let end = start + announced + turns << 32
        let here = stream.position
        guard stream.move(to: end) else { return nil }
        let kind = Trailer(stream, chunks, offset: 0).kind
        return stream.move(to: here) && (kind == .end || kind == .chunks) ? end : nil
    }

    private func append(_ span: Span) {
        // The same sound goes on.
        if let last = spans.last, let end = last.end, (last.start...end).contains(span.start) {
            spans[spans.count - 1].end = span.end
        } else {
            spans.append(span)
        }
    }
}

// MARK: Remarks

extension SoundSpans {
    /// Compares a file's header with its contents.
    private func tellFile(_ left: Int) {
        guard spans[0].end == nil, remarks.isEmpty else { return }
        let there = seconds(left)
        guard let announced = header.announcedBytes else {
            return remark("its header leaves the length open: read to the end of the file, \(there)")
        }
        if SoundSpans.isPlaceholder(announced) {
            remark(
                "its header has no length, as of a stream or a recorder cut off: read to the end, \(there)"
            )
        } else if announced > left {
            remark(
                "cut off: its header announces \(seconds(announced)) of sound, \(there) are there and were read"
            )
        }
    }

    private func tellEarlyEnd() {
        guard let announced = header.announcedBytes, !SoundSpans.isPlaceholder(announced),
            spans.count == 1, !hasReportedEnd
        else { return }
        hasReportedEnd = true
        remark(
            "ended after \(seconds(stream.position - spans[0].start)) of the \(seconds(announced)) announced")
    }

    private func tellMore(announced: Int) {
        guard !SoundSpans.isPlaceholder(announced) else { return }
        let more =
            stream.left.map { "; \(seconds($0)) more are there and are read too" }
            ?? "; sound goes on and is read too"
        remark("its header announces \(seconds(announced)) of sound\(more)")
    }

    private func remark(_ line: String) { remarks.append(line) }

    /// Returns true for sizes that streams write because they do not know theirs: 0, some near 2 GiB and some
    /// near 4 GiB.
    static func isPlaceholder(_ bytes: Int) -> Bool {
        bytes == 0 || (0x7FFF_0000...0x8000_0000).contains(bytes)
            || (0xFFFF_0000...0xFFFF_FFFF).contains(bytes)
    }

    private func seconds(_ bytes: Int) -> String {
        WAVReader.seconds(bytes / header.bytesPerFrame, rateHz: header.sampleRateHz)
    }
}

extension SoundHeader {
    /// Returns true if the samples of one recording can follow those of the other.
    func isLike(_ other: SoundHeader) -> Bool {
        sampleRateHz == other.sampleRateHz && channelCount == other.channelCount && subtype == other.subtype
            && order == other.order && bytesPerSample == other.bytesPerSample
    }
}
