/// A waveform of two tones that spell bytes as a serial port does: every parameter, shared by both ends.
///
///     mark ── mark │start│ d0  d1  d2  d3  d4  d5  d6  d7 │stop │start│ d0 …  … d7 │stop │ mark ── mark
///      leader      │space│      1 = mark, 0 = space       │mark │space│            │mark │  trailer
///
/// It follows the defaults of Debian's `minimodem`: eight data bits, the least significant first, no parity,
/// one start and one stop bit, idle at mark, two bits of leader and of trailer, the phase continuous. There
/// are no check bits.
package struct UARTProfile: Sendable, Hashable {
    package let baud: Double
    /// The tone of a one, of the stop bit, and of idling.
    package let markHz: Double
    /// The tone of a zero, and of the start bit.
    package let spaceHz: Double

    static let leaderBitCount = 2
    static let trailerBitCount = 2
    static let bitsPerByte = 10
    /// The range of bytes in one report: longer bursts are reported in parts.
    package static let byteCounts = 1...4096

    /// - Parameters: if a tone is `nil`, minimodem's for the rate is used.
    ///
    /// Throws ``UARTError`` if the numbers make no waveform that a 48 kHz receiver could read.
    package init(baud: Double = 1200, markHz: Double? = nil, spaceHz: Double? = nil) throws(UARTError) {
        guard UARTProfile.bauds.contains(baud) else { throw .baud(baud) }
        let standard = UARTProfile.standardTones(baud: baud)
        self.baud = baud
        self.markHz = markHz ?? standard.markHz
        self.spaceHz = spaceHz ?? standard.spaceHz
        try checkTones()
    }

    package static let bauds = 10.0...4800.0
    /// The allowed tones. Lower tones have no half cycle in a bit; higher ones with their side bands do not
    /// fit in 48 kHz.
    private var toneRangeHz: ClosedRange<Double> { baud / 2...22_800 - baud }

    private func checkTones() throws(UARTError) {
        for tone in [markHz, spaceHz] where !toneRangeHz.contains(tone) {
            throw .tone(tone, allowed: toneRangeHz)
        }
        // If two tones are nearer than half the baud rate, they turn less than half a circle apart in a bit.
        guard abs(markHz - spaceHz) >= baud / 2 else { throw .tonesTooNear(leastHz: baud / 2) }
    }

    /// Returns the tones that `minimodem` uses by default, found by measuring its sound: about those of V.21
    /// and Bell 103 below 400 baud, and above it Bell 202's 1200 and 2200 Hz stretched with the rate.
    static func standardTones(baud: Double) -> (markHz: Double, spaceHz: Double) {
        if baud < 100 { return (1585, 1415) }
        if baud < 400 { return (1270, 1070) }
        let markHz = 600 + baud / 2
        return (markHz, markHz + (baud * 5 / 6).rounded(.down))
    }

    /// The band of the energy: a baud rate beyond the outer tones.
    package var bandHz: ClosedRange<Double> {
        max(0, min(markHz, spaceHz) - baud)...max(markHz, spaceHz) + baud
    }

    package func durationSeconds(tokenByteCount: Int) -> Double {
        let framing = UARTProfile.leaderBitCount + UARTProfile.trailerBitCount
        return Double(framing + UARTProfile.bitsPerByte * tokenByteCount) / baud
    }
}

extension UARTProfile {
    /// Bell 202: 1200 baud, mark 1200 Hz, space 2200 Hz.
    package static let bell202 = UARTProfile(trustedBaud: 1200, markHz: 1200, spaceHz: 2200)
    /// Bell 103, the originating side: 300 baud, mark 1270 Hz, space 1070 Hz.
    package static let bell103 = UARTProfile(trustedBaud: 300, markHz: 1270, spaceHz: 1070)

    private init(trustedBaud: Double, markHz: Double, spaceHz: Double) {
        (baud, self.markHz, self.spaceHz) = (trustedBaud, markHz, spaceHz)
    }
}
