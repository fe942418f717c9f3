import Glibc
import Signal

/// The frame of a known token as a channel without echoes would bring it, ready to be looked for.
///
///     far:    | ramp, segment 0 | segment 1 | segment 2, ramp |      each segment is a part of its own,
///     others: |         ramp, segment, ramp                    |      as phases hold for a second at most
struct ExpectedFrame: Sendable {
    /// A stretch of the frame whose phase is taken to hold.
    struct Part: Sendable {
        /// The position of the first sample after that of the frame's ``Candidate/start``.
        let offset: Int
        /// The conjugate of the transform of the part's samples over its length, `[transformCount]`. The
        /// samples have energy 1.
        let spectrum: [Complex]
        /// The samples of the data chips alone, of energy 1, with silence for pilots and ramps.
        let data: [Complex]
    }

    let parts: [Part]
    /// The share of the data chips in the energy of a part.
    let dataShare: Float
    let transformCount: Int

    /// Returns `nil` if the token cannot have been sent in the profile.
    ///
    /// - Parameter moreSamples: the samples beyond a part's own that a transform has room for.
    init?(
        _ token: [UInt8], _ profile: DSSSProfile, lane: Int, timeScale: Double, moreSamples: Int,
        _ maker: FrameTemplate
    ) {
        guard let chips = try? DSSSFrameEncoder(profile: profile, lane: lane).chips(of: token) else {
            return nil
        }
        let made = maker.samples(chips, start: 0, timeScale: timeScale)
        let lead = Int(made.first.index)
        let chipsPerSample = (1 + timeScale) / profile.samplesPerChip
        let segmentSamples = Double(profile.segmentChipCount) / chipsPerSample
        let bounds = (0...profile.segmentCount).map { segment -> Int in
            if segment == 0 { return 0 }
            if segment == profile.segmentCount { return made.samples.count }
            return Int((Double(segment) * segmentSamples).rounded()) - lead
        }
        let longest = zip(bounds, bounds.dropFirst()).map { $1 - $0 }.max()!
        var count = 1
        while count < longest + moreSamples { count *= 2 }
        transformCount = count
        parts = (0..<profile.segmentCount).map { segment in
            let samples = Array(made.samples[bounds[segment]..<bounds[segment + 1]])
            let pilots = profile.pilots.chips(lane: lane, segment: segment, count: profile.segmentChipCount)
            let offset = lead + bounds[segment]
            let data = samples.indices.map { n -> Complex in
                let chip = Int((Double(offset + n) * chipsPerSample).rounded()) - segment * pilots.count
                return pilots.indices.contains(chip) && pilots[chip] == 0 ? samples[n] : .zero
            }
            return Part(
                offset: offset, spectrum: ExpectedFrame.spectrum(samples.ofEnergyOne, count: count),
                data: data.ofEnergyOne)
        }
        dataShare = Float(profile.codeLength) / Float(profile.segmentChipCount)
    }

    private static func spectrum(_ samples: [Complex], count: Int) -> [Complex] {
        var spectrum = samples + [Complex](repeating: .zero, count: count - samples.count)
        spectrum.withUnsafeMutableBufferPointer { FFT.shared(count: count).forward($0.baseAddress!) }
        return spectrum.map { $0.conjugate * (1 / Float(count)) }
    }
}

extension [Complex] {
    fileprivate var ofEnergyOne: [Complex] {
        let energy = Kernels.energy(self[...])
        guard energy > 0 else { return self }
        return map { $0 * (1 / energy.squareRoot()) }
    }
}
