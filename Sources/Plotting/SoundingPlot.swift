import Glibc
import Picture
import Sounding

/// A ``SoundingReport`` as a picture.
///
///     title
///     response over 16–22 kHz, the token band laid under it
///     level of a waveform at the recommended level, and of the noise, over the same
///     power over delay, and the noise it ends in
package enum SoundingPlot {
    package static let width = 1400
    package static let height = 1000

    private static let chartHeight = 220
    private static let chartStep = 312
    private static let firstTop = 84
    private static let tokensKilohertz = 18.5...20.0
    /// The decay is drawn in steps that are at least a pixel apart.
    private static let echoStepSeconds = 0.001
    private static let echoMilliseconds = 0.0...500.0
    private static let dynamicDecibels = 60.0

    /// Draws a report. Shape: ``width`` · ``height``.
    package static func draw(_ report: SoundingReport, title: String) -> Canvas {
        var canvas = Canvas(width: width, height: height, background: Theme.background)
        canvas.text(
            PicturePlot.fitted(title, width: PicturePlot.plotRight - PicturePlot.plotLeft),
            x: PicturePlot.plotLeft,
            y: 18, Theme.ink)
        drawResponse(report, on: &canvas)
        drawLevels(report, on: &canvas)
        drawEchoes(report, on: &canvas)
        return canvas
    }

    private static func box(_ index: Int) -> Box {
        let top = firstTop + index * chartStep
        return Box(
            left: PicturePlot.plotLeft, top: top, right: PicturePlot.plotRight, bottom: top + chartHeight)
    }

    private static func bandChart(_ index: Int, _ decibels: ClosedRange<Double>) -> LineChart {
        LineChart(box: box(index), xRange: 16...22, decibels: decibels)
    }

    private static func points(_ values: [Double?]) -> [(x: Double, decibels: Double?)] {
        zip(SoundingBand.all, values).map { (($0.lowerBound + $0.upperBound) / 2000, $1) }
    }

    /// Returns a range of tens of decibels around the values, limited by `dynamicDecibels` downwards.
    private static func range(_ values: [Double?]) -> ClosedRange<Double> {
        let known = values.compactMap { $0 }
        let top = (((known.max() ?? 0) + 3) / 10).rounded(.up) * 10
        let bottom = (((known.min() ?? 0) - 3) / 10).rounded(.down) * 10
        return max(top - 2 * dynamicDecibels, min(bottom, top - 20))...top
    }

    private static func drawResponse(_ report: SoundingReport, on canvas: inout Canvas) {
        let chart = bandChart(0, range(report.responseDecibels + [0]))
        chart.drawAxes(on: &canvas, title: "Response, dB over that of 16-17 kHz", xTitle: "kHz")
        chart.shade(tokensKilohertz, on: &canvas, Theme.frame)
        chart.curve(points(report.responseDecibels), on: &canvas, Theme.frame)
    }

    /// Draws the level that 250 Hz of a waveform that filled the band evenly would have, beside the noise
    /// there.
    private static func drawLevels(_ report: SoundingReport, on canvas: inout Canvas) {
        let share = 10 * log10(SoundingBand.stepHz / 1500)
        let received = report.responseDecibels.map { response -> Double? in
            guard let response, let level = report.receivedDBFS, let band = report.tokenBandDecibels else {
                return nil
            }
            return level + response - band + share
        }
        let chart = bandChart(1, range(received + report.noiseStepsDBFS.map { max($0, -130) }))
        chart.drawAxes(
            on: &canvas, title: "A waveform at the recommended level, and the noise: dBFS in 250 Hz",
            xTitle: "kHz")
        chart.shade(tokensKilohertz, on: &canvas, Theme.frame)
        chart.curve(points(received), on: &canvas, Theme.frame)
        chart.curve(points(report.noiseStepsDBFS), on: &canvas, Theme.faint)
    }

    private static func drawEchoes(_ report: SoundingReport, on canvas: inout Canvas) {
        let chart = LineChart(box: box(2), xRange: echoMilliseconds, decibels: -dynamicDecibels...0)
        chart.drawAxes(
            on: &canvas, title: "Echoes: dB below the strongest path over delay, and the noise", xTitle: "ms")
        let step = max(1, Int(echoStepSeconds / report.echoStepSeconds))
        let means = stride(from: 0, to: report.echoPowers.count - step, by: step).map { first in
            report.echoPowers[first..<first + step].reduce(0, +) / Double(step)
        }
        let strongest = 10 * log10(max(1e-12, means.max() ?? 0))
        let curve = means.enumerated().map { index, mean in
            let seconds = report.echoStartSeconds + (Double(index) + 0.5) * echoStepSeconds
            return (x: 1000 * seconds, decibels: Optional(10 * log10(max(1e-12, mean)) - strongest))
        }
        chart.rule(report.echoNoiseDecibels - strongest, on: &canvas, Theme.faint)
        chart.curve(curve.filter { echoMilliseconds.contains($0.x) }, on: &canvas, Theme.frame)
    }
}
