import Signal

/// The stages of a ``DSSSBand`` that every channel has for itself.
struct DSSSChannel: Sendable {
    var bandGuard: BandGuard
    var passage: LoudPassage
    /// The baseband that still waits for the prompt search, the same without impulses, and the guard's output
    /// that is not searched yet.
    var decimated: [Complex] = []
    var limited: [Complex] = []
    var waiting: [Complex] = []
    /// The last of the sound with bangs, tones and all, for ``FrameCanceller``.
    var unguarded = BasebandWindow()

    /// - Parameter keptSamples: the number of past samples of a loud passage that are read.
    init(_ band: Band, keptSamples: Int) {
        bandGuard = BandGuard(band)
        passage = LoudPassage(band, keptSamples: keptSamples)
    }

    /// Passes `count` samples of ``limited`` from `first` on through the guard.
    mutating func guardBand(from first: Int, count: Int) {
        bandGuard.process(limited[first..<first + count], into: &waiting)
    }

    /// Drops the samples that both searches have taken.
    mutating func drop(decimated used: Int, limited taken: Int) {
        if used > 0 { decimated.removeFirst(used) }
        if taken > 0 { limited.removeFirst(taken) }
    }

    /// Passes the rest of a recording through the guard.
    mutating func finish() {
        let blank = repeatElement(Complex.zero, count: bandGuard.flushSamples)
        bandGuard.process((limited + blank)[...], into: &waiting)
        if FrameCanceller.isOffered { unguarded.append(decimated + blank) }
        limited.removeAll()
    }
}
