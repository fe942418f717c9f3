import Signal

/// The renewal of known tokens: ``TokenRecogniser``.
extension DSSSBand {
    /// Looks for the frames of known tokens where every search has passed them.
    mutating func recognise(into reports: inout [DecodeReport]) {
        guard TokenRecogniser.isOffered, var recogniser else { return }
        self.recogniser = nil
        defer { self.recogniser = recogniser }
        let (basebands, cancellers) = (basebands, cancellers)
        recogniser.recognise(
            before: searchedEnd - band.samples(seconds: DSSSBand.settledSeconds),
            skippedSamples: skippedSamples,
            in: { range in
                basebands.indices.map { channel in
                    var sound = BasebandWindow(start: range.lowerBound)
                    sound.append(cancellers[channel].residual(of: basebands[channel], range))
                    return sound
                }
            }, into: &reports)
    }
}
