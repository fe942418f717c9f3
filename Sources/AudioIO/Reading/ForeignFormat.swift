/// A format that libsndfile does not know but ffmpeg does, recognised by its first bytes.
enum ForeignFormat {
    /// Returns the format's name, such as "MPEG-4 (m4a, mp4, mov, 3gp)"; `nil` for all other bytes.
    static func name(_ bytes: [UInt8]) -> String? {
        if let name = magics.first(where: { bytes.dropFirst($0.place).starts(with: $0.bytes) })?.name {
            return name
        }
        // The syncword has 12 bits, followed by layer 0.
        if bytes.count >= 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 { return "AAC (ADTS)" }
        // A transport stream is a sequence of packets of 188 bytes.
        if bytes.count > 376, [0, 188, 376].allSatisfy({ bytes[$0] == 0x47 }) { return "MPEG-TS" }
        return nil
    }

    private static let magics: [(place: Int, bytes: [UInt8], name: String)] = [
        (4, Array("ftyp".utf8), "MPEG-4 (m4a, mp4, mov, 3gp)"),
        (4, Array("moov".utf8), "QuickTime (mov)"),
        (4, Array("mdat".utf8), "QuickTime (mov)"),
        (4, Array("wide".utf8), "QuickTime (mov)"),
        (0, [0x1A, 0x45, 0xDF, 0xA3], "Matroska (webm, mkv, mka)"),
        (0, Array("ADIF".utf8), "AAC (ADIF)"),
        (0, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], "Windows Media (wma, asf)"),
        (0, Array("#!AMR".utf8), "AMR"),
        (8, Array("AVI ".utf8), "AVI"),
        (0, Array("wvpk".utf8), "WavPack"),
        (0, Array("MAC ".utf8), "Monkey's Audio (ape)"),
        (0, Array("TTA1".utf8), "TTA"),
        (0, Array("tBaK".utf8), "TAK"),
        (0, Array("MPCK".utf8), "Musepack"),
        (0, Array("MP+".utf8), "Musepack"),
        (0, Array("DSD ".utf8), "DSD (dsf)"),
        (0, Array("FRM8".utf8), "DSD (dff)"),
        (0, Array(".RMF".utf8), "RealMedia"),
        (0, Array("FLV".utf8), "Flash Video"),
        (0, [0x0B, 0x77], "AC-3"),
        (0, [0x7F, 0xFE, 0x80, 0x01], "DTS"),
        (0, [0x00, 0x00, 0x01, 0xBA], "MPEG-PS"),
    ]
}
