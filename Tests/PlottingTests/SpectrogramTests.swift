import AudioIO
import Foundation
import Testing

@testable import Plotting

/// Returns a sine of full scale, mono.
func tone(hz: Double, seconds: Double, rateHz: Int) -> [Float] {
    (0..<Int(seconds * Double(rateHz))).map { Float(sin(2 * .pi * hz * Double($0) / Double(rateHz))) }
}

/// Returns the spectrogram of mono sound that comes in chunks.
func spectrogram(
    _ sound: [Float], rateHz: Int, chunkFrames: Int = 4096, shown: Range<Int> = 0..<Int.max
) -> SpectrogramGrid {
    let format = AudioFormat(sampleRateHz: rateHz, channelCount: 1)
    var spectrogram = Spectrogram(format: format, channels: [1], bandHz: RecordingPlot.bandHz, frames: shown)
    for first in stride(from: 0, to: sound.count, by: chunkFrames) {
        spectrogram.add(AudioBlock(mono: Array(sound[first..<min(first + chunkFrames, sound.count)])))
    }
    return spectrogram.finish()
}

@Suite struct SpectrogramTests {
    /// 19.5 kHz is 2.5 kHz under the top of 6 kHz: row 159 or 160 of 384, 0 dB of full scale.
    @Test(arguments: [44_100, 48_000, 96_000, 192_000]) func aToneIsInItsRow(rateHz: Int) throws {
        let grid = spectrogram(tone(hz: 19_500, seconds: 1, rateHz: rateHz), rateHz: rateHz)
        #expect(abs(grid.endSeconds - 1) < 1e-9)
        let levels = grid.levels(width: 100, height: 384, bandHz: RecordingPlot.bandHz)
        let column = levels.map { $0[50] }
        let loudest = try #require(column.indices.max { column[$0] < column[$1] })
        #expect((158...161).contains(loudest))
        #expect(abs(column[loudest]) < 0.5)
        #expect(column[loudest - 32] < -60 && column[loudest + 32] < -60)
    }

    /// The sound is half a second of silence and half a second of tone.
    @Test func aToneIsInItsColumns() {
        let sound = [Float](repeating: 0, count: 24_000) + tone(hz: 19_500, seconds: 0.5, rateHz: 48_000)
        let levels = spectrogram(sound, rateHz: 48_000).levels(
            width: 200, height: 60, bandHz: RecordingPlot.bandHz)
        #expect(levels[25][90] < -100 && levels[25][110] > -6)
    }

    @Test func chunksDoNotMatter() {
        let sound = tone(hz: 17_200, seconds: 0.7, rateHz: 44_100)
        let whole = spectrogram(sound, rateHz: 44_100, chunkFrames: 100_000)
        for chunkFrames in [1, 63, 64, 1000] {
            #expect(spectrogram(sound, rateHz: 44_100, chunkFrames: chunkFrames).powers == whole.powers)
        }
    }

    /// Five minutes take no more columns than ten seconds, and a click in them is not lost.
    @Test func columnsAreBounded() throws {
        var sound = [Float](repeating: 0, count: 300 * 48_000)
        sound[200 * 48_000] = 1
        let grid = spectrogram(sound, rateHz: 48_000)
        #expect((Spectrogram.mostColumns / 2...Spectrogram.mostColumns).contains(grid.powers.count))
        let row = grid.levels(width: 300, height: 4, bandHz: RecordingPlot.bandHz)[1]
        #expect(row[200] > -80)
        #expect(row.enumerated().allSatisfy { abs($0.offset - 200) < 2 || $0.element < -150 })
    }

    /// Windows at the edges of a part include the sound beyond them, so that there is no click where the part
    /// begins.
    @Test func aPartIsCutOutOfTheWhole() {
        let sound = tone(hz: 19_500, seconds: 1, rateHz: 48_000)
        let grid = spectrogram(sound, rateHz: 48_000, shown: 12_000..<36_000)
        #expect(grid.startSeconds == 0.25 && grid.endSeconds == 0.75)
        let row = grid.levels(width: 10, height: 6, bandHz: RecordingPlot.bandHz)[5]
        #expect(row.allSatisfy { $0 < -80 }, "\(row)")
    }

    @Test(arguments: [0, 1, 100, 513]) func hardlyAnySound(count: Int) {
        let grid = spectrogram([Float](repeating: 0.5, count: count), rateHz: 48_000)
        let levels = grid.levels(width: 7, height: 5, bandHz: RecordingPlot.bandHz)
        #expect(levels.count == 5 && levels.allSatisfy { $0.count == 7 })
        #expect(grid.endSeconds > grid.startSeconds)
    }

    /// 42 kHz holds nothing over 21 kHz.
    @Test func whatTheRateCannotHoldIsSilent() {
        let grid = spectrogram(tone(hz: 20_000, seconds: 0.2, rateHz: 42_000), rateHz: 42_000)
        let levels = grid.levels(width: 4, height: 6, bandHz: RecordingPlot.bandHz)
        #expect(levels[0].allSatisfy { $0 == SpectrogramGrid.silenceDecibels })
        #expect(levels[1].allSatisfy { $0 > -40 })
    }
}
