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
        /// The samples, of energy 1.
        let samples: [Complex]
        /// The same without pilots and ramps, of energy 1.
        let data: [Complex]
        /// The conjugate of the samples' transform over its length, `[transformCount]`.
        let spectrum: [Complex]
    }

    let profile: DSSSProfile
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
        self.profile = profile
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
        let isPilot = ExpectedFrame.isPilot(profile)
        parts = (0..<profile.segmentCount).map { segment in
            let samples = Array(made.samples[bounds[segment]..<bounds[segment + 1]])
            let data = samples.indices.map { n -> Complex in
                let position = Double(lead + bounds[segment] + n)
                let chip = Int((position * chipsPerSample).rounded()) - segment * profile.segmentChipCount
                return isPilot.indices.contains(chip) && !isPilot[chip] ? samples[n] : .zero
            }
            return Part(
                offset: lead + bounds[segment], samples: samples.ofEnergyOne, data: data.ofEnergyOne,
                spectrum: ExpectedFrame.spectrum(samples.ofEnergyOne, count: count))
        }
        dataShare = Float(profile.codeLength) / Float(profile.segmentChipCount)
    }

    private static func isPilot(_ profile: DSSSProfile) -> [Bool] {
        var isPilot = [Bool](repeating: false, count: profile.segmentChipCount)
        for start in profile.pilots.starts {
            for chip in start..<start + profile.pilots.code.count { isPilot[chip] = true }
        }
        return isPilot
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
