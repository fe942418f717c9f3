// The names follow C's conventions.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AcousticModem
import Glibc
import Sounding
import SoundingOutlook

/// Returns the sounding signal with peak 1; the caller frees it.
@c public func nbw_sounding(
    _ sampleRateHz: UInt32, _ count: UnsafeMutablePointer<UInt32>
) -> UnsafeMutablePointer<Float> {
    let samples = SoundingSignal(sampleRateHz: Double(sampleRateHz)).samples
    let copy = UnsafeMutablePointer<Float>.allocate(capacity: samples.count)
    copy.initialize(from: samples, count: samples.count)
    count.pointee = UInt32(samples.count)
    return copy
}

/// Returns the report on a recording of the sounding as numbers, in the order in which `probe.js` reads them,
/// after their count. NaN stands for a value that noise hid. The caller frees the numbers. Returns NULL if
/// the recording cannot be analysed: then `reason` contains the reason as at most 200 bytes of UTF-8 that end
/// with a zero.
@c public func nbw_probe(
    _ samples: UnsafePointer<Float>, _ count: UInt32, _ sampleRateHz: UInt32,
    _ reason: UnsafeMutablePointer<CChar>
) -> UnsafeMutablePointer<Double>? {
    let recording = Array(UnsafeBufferPointer(start: samples, count: Int(count)))
    do throws(SoundingError) {
        let report = try SoundingAnalysis(recording, sampleRateHz: Double(sampleRateHz)).report()
        let said = ProbeNumbers(report, ProfileOutlook.all(report, distanceMeters: nil)).all
        let numbers = [Double(said.count)] + said
        let copy = UnsafeMutablePointer<Double>.allocate(capacity: numbers.count)
        copy.initialize(from: numbers, count: numbers.count)
        return copy
    } catch {
        reason.update(repeating: 0, count: 200)
        for (place, byte) in zip(0..<199, error.description.utf8) {
            reason[place] = CChar(bitPattern: byte)
        }
        return nil
    }
}

/// A report as a list of numbers. Each list in it follows its length.
private struct ProbeNumbers {
    var all: [Double] = []

    init(_ report: SoundingReport, _ outlooks: [ProfileOutlook]) {
        add(report.startSeconds, report.clockSkewPPM, report.peak, Double(report.clippedSampleCount))
        add(report.tokenBandDecibels, report.recommendedLevelDBFS, report.driftDecibels, report.noiseDBFS)
        add(report.receivedDBFS, report.snrDecibels, report.delaySpreadSeconds, report.rt60Seconds)
        add(report.directToReverberantDecibels)
        add(list: report.responseDecibels.map { $0 ?? .nan })
        add(list: report.noiseStepsDBFS)
        add(Double(report.steps.count))
        for step in report.steps { add(step.levelDBFS, step.gainDecibels, step.isLinear ? 1 : 0) }
        add(Double(outlooks.count))
        for outlook in outlooks {
            add(list: outlook.profile.name.utf8.map { Double($0) })
            add(outlook.ebN0Decibels, outlook.thresholdDecibels, outlook.roomDecibels, outlook.marginDecibels)
            add(outlook.verdict == .works ? 2 : outlook.verdict == .marginal ? 1 : 0)
        }
    }

    private mutating func add(_ numbers: Double?...) { all += numbers.map { $0 ?? .nan } }

    private mutating func add(list: [Double]) {
        all.append(Double(list.count))
        all += list
    }
}
