import AudioIO
import CommandOutput
import Sounding
import SoundingOutlook

/// A sounding's report as one JSON object; a value is null if noise hid it, or if it was not given.
struct ProbeJSON {
    let path: AudioPath
    let report: SoundingReport
    let outlooks: [ProfileOutlook]
    let distanceMeters: Double?

    var text: String {
        var object = JSONObject()
        object.add("file", "\(path)")
        addRecording(to: &object)
        addBand(to: &object)
        addLevels(to: &object)
        object.add("delaySpreadSeconds", report.delaySpreadSeconds, places: 5)
        object.add("rt60Seconds", report.rt60Seconds ?? .nan, places: 3)
        object.add("directToReverberantDecibels", report.directToReverberantDecibels ?? .nan, places: 2)
        object.add("distanceMeters", distanceMeters ?? .nan, places: 3)
        object.add("profiles", outlooks.map(object(of:)))
        object.add("works", outlooks.contains { $0.verdict == .works })
        return object.description
    }

    private func addRecording(to object: inout JSONObject) {
        object.add("startSeconds", report.startSeconds, places: 6)
        object.add("clockSkewPPM", report.clockSkewPPM, places: 2)
        object.add("peak", report.peak, places: 5)
        object.add("clippedSamples", report.clippedSampleCount)
    }

    private func addBand(to object: inout JSONObject) {
        object.add("bandDecibels", report.tokenBandDecibels ?? .nan, places: 2)
        for (name, edges) in [("6", report.edges6Hz), ("10", report.edges10Hz)] {
            object.add("lowEdge\(name)Hz", edges?.lowerBound ?? .nan, places: 0)
            object.add("highEdge\(name)Hz", edges?.upperBound ?? .nan, places: 0)
        }
        object.add("frequenciesHz", SoundingBand.all.map { ($0.lowerBound + $0.upperBound) / 2 }, places: 0)
        object.add("responseDecibels", report.responseDecibels.map { $0 ?? .nan }, places: 2)
        object.add("noiseStepsDBFS", report.noiseStepsDBFS, places: 2)
    }

    private func addLevels(to object: inout JSONObject) {
        object.add(
            "steps",
            report.steps.map { step in
                var object = JSONObject()
                object.add("levelDBFS", step.levelDBFS, places: 2)
                object.add("gainDecibels", step.gainDecibels ?? .nan, places: 2)
                object.add("linear", step.isLinear)
                return object
            })
        object.add("recommendedLevelDBFS", report.recommendedLevelDBFS ?? .nan, places: 2)
        object.add("driftDecibels", report.driftDecibels ?? .nan, places: 2)
        object.add("noiseDBFS", report.noiseDBFS, places: 2)
        object.add("receivedDBFS", report.receivedDBFS ?? .nan, places: 2)
        object.add("snrDecibels", report.snrDecibels ?? .nan, places: 2)
    }

    private func object(of outlook: ProfileOutlook) -> JSONObject {
        var object = JSONObject()
        object.add("profile", outlook.profile.name)
        object.add("ebN0Decibels", outlook.ebN0Decibels ?? .nan, places: 2)
        object.add("thresholdDecibels", outlook.thresholdDecibels, places: 2)
        object.add("roomDecibels", outlook.roomDecibels, places: 2)
        object.add("marginDecibels", outlook.marginDecibels ?? .nan, places: 2)
        object.add("verdict", outlook.verdict.rawValue)
        object.add("rangeMeters", outlook.rangeMeters ?? .nan, places: 2)
        return object
    }
}
