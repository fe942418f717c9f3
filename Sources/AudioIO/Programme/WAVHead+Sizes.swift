extension WAVHead {
    /// Returns the number of bytes of samples that really follow, in a file that ends `rest` bytes after its
    /// head.
    ///
    /// The announced size is not believed if its recorder did not know it, if it wrapped at 4 GiB, or if the
    /// chunks after the samples contradict it. The samples then go on to the end of the file.
    ///
    /// - Parameter isChunk: returns true if chunks, or nothing, fill the file from so many bytes after the
    ///   head to its end.
    func dataBytes(rest: Int, isChunk: (Int) -> Bool) -> Int {
        let said = announcedDataBytes
        guard said >= 0, said <= rest else { return rest }
        let turns = (rest - said) >> 32
        if turns > 0, !isSixtyFour {
            let unwrapped = said + turns << 32
            if isChunk(unwrapped + unwrapped % 2) { return unwrapped }
        }
        if isChunk(said + said % 2) || isChunk(said) { return said }
        // Bytes that are no chunk stand after the end that the head names: they are kept, but are no sound.
        let end = bytes.count + said
        let isEndKnown = !isOpenEnded && (end...end + 1).contains(announcedFileBytes) && turns == 0
        return isEndKnown ? said : rest
    }

    /// Returns the head for so many bytes of samples, and so many after them. It becomes an RF64 head if 32
    /// bits do not suffice.
    ///
    /// - Parameter tailBytes: the bytes of padding and chunks after the samples.
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

    /// Returns the head for samples that go on to the end, wherever that is.
    func openEnded() -> WAVHead {
        var head = self
        head.put(.max, 4, at: 4)
        head.put(.max, 4, at: bytes.count - 4)
        if let sizes = sizes64Start { head.put(0, 8, at: sizes + 8) }
        return head
    }

    /// Returns the head with room for RF64's sizes, so that it keeps its length if they are needed. The room
    /// is a junk chunk until then.
    func withRoomForSizes() -> WAVHead {
        guard !isSixtyFour, !hasRoomForSizes else { return self }
        return inserting(WAVHead.sizesChunk("JUNK"))
    }

    /// True if a junk chunk of that size at the beginning reserves the place, as in EBU Tech 3306.
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
