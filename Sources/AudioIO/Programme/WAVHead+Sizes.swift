extension WAVHead {
    /// Bytes of samples that really follow, in a file that ends `rest` bytes after its head.
    ///
    /// A size that its recorder did not know, that wrapped at 4 GiB, or that the chunks after the samples contradict is not
    /// believed: the samples go on to the end of the file.
    ///
    /// - Parameter isChunk: whether chunks, or nothing, follow until the end so many bytes after the head.
    func dataBytes(rest: Int, isChunk: (Int) -> Bool) -> Int {
        let said = announcedDataBytes
        guard said >= 0, said <= rest else { return rest }
        let turns = (rest - said) >> 32
        if turns > 0, !isSixtyFour {
            let unwrapped = said + turns << 32
            if isChunk(unwrapped + unwrapped % 2) { return unwrapped }
        }
        if isChunk(said + said % 2) || isChunk(said) { return said }
        // Something that is no chunk stands after the end that the header names: it is kept, and is no sound.
        let end = bytes.count + said
        let isEndKnown = !isOpenEnded && (end...end + 1).contains(announcedFileBytes) && turns == 0
        return isEndKnown ? said : rest
    }

    /// Makes the head of so many bytes of samples, and so many after them. Where 32 bits cannot say that, it becomes RF64's.
    ///
    /// - Parameter tailBytes: padding and chunks after the samples.
    func sized(dataBytes: Int, tailBytes: Int, bytesPerFrame: Int) -> WAVHead {
        var head = self
        let isLarge = bytes.count - 8 + dataBytes + tailBytes > Int(UInt32.max) - 64
        if isLarge, !isSixtyFour { head.makeSixtyFour() }
        let fileBytes = head.bytes.count - 8 + dataBytes + tailBytes
        let frames = dataBytes / bytesPerFrame
        if head.isSixtyFour, let sizes = head.sizes64Start {
            head.put(UInt64(fileBytes), 8, at: sizes)
            head.put(UInt64(dataBytes), 8, at: sizes + 8)
            head.put(UInt64(frames), 8, at: sizes + 16)
        }
        head.put(head.isSixtyFour ? .max : UInt64(fileBytes), 4, at: 4)
        head.put(head.isSixtyFour ? .max : UInt64(dataBytes), 4, at: head.bytes.count - 4)
        if let fact = head.factStart { head.put(UInt64(min(frames, Int(UInt32.max))), 4, at: fact) }
        return head
    }

    /// Makes the head of samples that go on to the end, wherever that is.
    func openEnded() -> WAVHead {
        var head = self
        head.put(.max, 4, at: 4)
        head.put(.max, 4, at: bytes.count - 4)
        if let sizes = sizes64Start { head.put(0, 8, at: sizes + 8) }
        return head
    }

    /// Makes room for RF64's sizes, so that the head keeps its length when they are needed. It is a chunk of junk until then.
    func withRoomForSizes() -> WAVHead {
        guard !isSixtyFour, !hasRoomForSizes else { return self }
        return inserting(WAVHead.sizesChunk("JUNK"))
    }

    /// EBU Tech 3306 reserves the place by a junk chunk of that size at the beginning.
    private var hasRoomForSizes: Bool {
        bytes.count >= 48 && Array(bytes[12..<16]) == Array("JUNK".utf8) && word(16) == 28
    }

    private mutating func makeSixtyFour() {
        if !hasRoomForSizes { self = inserting(WAVHead.sizesChunk("JUNK")) }
        bytes.replaceSubrange(12..<48, with: WAVHead.sizesChunk("ds64"))
        bytes.replaceSubrange(0..<4, with: Array("RF64".utf8))
        sizes64Start = 20
    }

    private static func sizesChunk(_ name: String) -> [UInt8] {
        Array(name.utf8) + [28, 0, 0, 0] + [UInt8](repeating: 0, count: 28)
    }

    private func inserting(_ chunk: [UInt8]) -> WAVHead {
        var head = self
        head.bytes.insert(contentsOf: chunk, at: 12)
        head.formatStart = formatStart.map { $0 + chunk.count }
        head.factStart = factStart.map { $0 + chunk.count }
        return head
    }

    private mutating func put(_ value: UInt64, _ count: Int, at start: Int) {
        bytes.replaceSubrange(
            start..<start + count, with: ByteOrder.little.bytes(Int(truncatingIfNeeded: value), count))
    }
}
