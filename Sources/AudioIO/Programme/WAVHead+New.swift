extension WAVHead {
    /// Creates a head for samples of that layout; its sizes are not yet known.
    init(_ layout: ProgrammeLayout, tags: [ProgrammeTag]) {
        self = WAVHead(unchecked: Array("RIFF".utf8) + [255, 255, 255, 255] + Array("WAVE".utf8))
        let format = WAVHead.formatChunk(layout)
        append(format)
        if [.float32, .float64].contains(layout.stored) {
            append(Array("fact".utf8) + ByteOrder.little.bytes(4, 4) + [255, 255, 255, 255])
        }
        let list = ProgrammeTag.listChunk(tags)
        if !list.isEmpty { append(list) }
        append(Array("data".utf8) + [255, 255, 255, 255])
    }

    private static func formatChunk(_ layout: ProgrammeLayout) -> [UInt8] {
        let isFloat = [.float32, .float64].contains(layout.stored)
        let tag = isFloat ? 3 : 1
        let bits = 8 * layout.stored.bytesPerSample
        // The extensible form is for more than two channels, or for bits that do not count.
        let isExtensible = layout.channelCount > 2 || (!isFloat && layout.validBits != bits)
        let little = ByteOrder.little.bytes
        var chunk = Array("fmt ".utf8) + little(isExtensible ? 40 : 16, 4)
        chunk += little(isExtensible ? 0xFFFE : tag, 2) + little(layout.channelCount, 2)
        chunk += little(layout.sampleRateHz, 4) + little(layout.sampleRateHz * layout.bytesPerFrame, 4)
        chunk += little(layout.bytesPerFrame, 2) + little(bits, 2)
        guard isExtensible else { return chunk }
        chunk += little(22, 2) + little(isFloat ? bits : layout.validBits, 2)
        return chunk + little(mask(layout), 4) + little(tag, 2) + formatIdentifierEnd
    }

    /// Returns the mask of the usual loudspeakers for that number of channels in WAV's order; 0, which means
    /// none, if there are no usual ones.
    private static func mask(_ layout: ProgrammeLayout) -> Int {
        let usual = [1: 0x4, 2: 0x3, 3: 0x7, 4: 0x33, 5: 0x37, 6: 0x3F, 7: 0x70F, 8: 0x63F]
        let isUsual = layout.lowFrequencyChannel == (layout.channelCount >= 6 ? 3 : nil)
        return isUsual ? usual[layout.channelCount] ?? 0 : 0
    }
}
