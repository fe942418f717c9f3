import AcousticModem
import AudioIO
import ChannelSim
import CommandOutput
import Signal

/// The channel that ``ChannelOptions`` describe; values that they leave open are drawn.
extension ChannelOptions {
    static let largestSpeed = 1.5
    static let largestSkewPPM = 100.0
    private static let longestResponseSeconds = 20.0

    /// - Parameters:
    ///   - profile: the profile of the transmission, whose band rooms let pass.
    ///   - measured: the result of ``readMeasuredRoom()``.
    ///   - isRestless: true to draw a speed and a skew that the options do not give; otherwise they are 0.
    func makePath(
        of profile: WaveformProfile, drawnFrom random: inout SplitMix64, measured: MeasuredRoom?,
        isRestless: Bool
    ) -> SoundPath {
        let (drawnSpeed, drawnSkew) = (2 * random.nextUnit() - 1, 2 * random.nextUnit() - 1)
        var path = SoundPath()
        path.centreHz = profile.centreHz
        path.speedMetersPerSecond =
            (walk ?? speed ?? (isRestless ? .random : .still)).metersPerSecond
            ?? drawnSpeed * ChannelOptions.largestSpeed
        path.clockSkewPPM = skew ?? (isRestless ? drawnSkew * ChannelOptions.largestSkewPPM : 0)
        path.response = TransducerResponse(tiltDecibelsPerKilohertz: tilt, notches: notch.map(\.notch))
        path.distortion = SpeakerDistortion(percent: distortion)
        if let measured {
            path.room = .measured(measured)
        } else if case .image(let rt60, let radius) = room {
            path.room = .shoebox(rt60Seconds: rt60, pistonRadiusMeters: radius / 1000)
        } else if let rt60 {
            path.room =
                walk == nil
                ? .diffuse(rt60Seconds: rt60, drrDecibels: drr)
                : .walkedThrough(rt60Seconds: rt60, drrDecibels: drr)
        }
        return path
    }

    /// - Parameter profile: the profile of the transmission, in whose band a tone is drawn.
    func makeSurroundings(
        about profile: WaveformProfile, drawnFrom random: inout SplitMix64, programme: Surroundings.Programme?
    ) -> Surroundings {
        let band = profile.bandHz
        let drawnHz = band.lowerBound + (band.upperBound - band.lowerBound) * random.nextUnit()
        var surroundings = Surroundings()
        surroundings.programme = programme
        surroundings.tone = tone.map {
            .init(frequencyHz: $0.frequencyHz ?? drawnHz, levelDecibels: $0.levelDecibels)
        }
        surroundings.clicks = clicks?.clicks
        return surroundings
    }

    func makeCapture() -> Capture {
        var capture = Capture()
        capture.gainSteps = agc?.steps
        capture.clippedFraction = clip
        capture.dropout = dropout?.dropout
        capture.cutHeadSeconds = cutHead
        return capture
    }

    /// Every file that is read for the room and the programme.
    var inputs: [AudioPath] {
        var paths = programme.map { [AudioPath($0.path)] } ?? []
        if case .measured(let path) = room { paths.append(AudioPath(path)) }
        return paths
    }

    /// Reads the programme at its own rate.
    func readProgramme() throws -> Surroundings.Programme? {
        guard let programme else { return nil }
        let (samples, rateHz) = try SoundFile.readMono(AudioPath(programme.path))
        return .init(samples: samples, sampleRateHz: rateHz, levelDecibels: programme.levelDecibels)
    }

    /// Reads the places that `--room measured:FILE` names, one for each channel; returns `nil` without that
    /// option.
    func readMeasuredRoom() throws -> MeasuredRoom? {
        guard case .measured(let path) = room else { return nil }
        let (channels, rateHz) = try SoundFile.readChannels(AudioPath(path))
        guard Double(channels[0].count) <= ChannelOptions.longestResponseSeconds * rateHz else {
            throw CommandFailure(
                .badData,
                "\(path): expected impulse responses of at most "
                    + "\(Int(ChannelOptions.longestResponseSeconds)) s, found \(Int(Double(channels[0].count) / rateHz)) s"
            )
        }
        guard let room = MeasuredRoom(impulseResponses: channels, sampleRateHz: rateHz) else {
            throw CommandFailure(
                .badData, "\(path): expected an impulse response in every channel, and one of them is silent")
        }
        return room
    }

    /// Refuses options that a recording at that rate cannot hold.
    func requireHolding(_ profile: WaveformProfile, sampleRateHz: Double) throws {
        if let hertz = tone?.frequencyHz, hertz >= sampleRateHz / 2 {
            throw CommandFailure(
                .usage,
                "--tone: a recording of \(Int(sampleRateHz)) Hz cannot hold \(hertz) Hz; give less than \(Int(sampleRateHz / 2))"
            )
        }
        guard walk != nil else { return }
        let (walked, own) = (MovingRoom.bandHz(centreHz: profile.centreHz), profile.bandHz)
        guard walked.contains(own.lowerBound), walked.contains(own.upperBound) else {
            throw CommandFailure(
                .usage,
                "--walk: simulates \(Int(walked.upperBound - walked.lowerBound)) Hz of bandwidth; \(profile.name) needs more, use --speed"
            )
        }
        let least = MovingRoom.minimumSampleRateHz(centreHz: profile.centreHz)
        if sampleRateHz < least {
            throw CommandFailure(
                .usage,
                "--walk: expected a recording of \(Int(least)) Hz or more, this one has \(Int(sampleRateHz))"
            )
        }
    }

    /// The options for the motion, and those for everything else; for tables.
    var motionWords: [String] {
        walk.map { ["--walk", $0.description] } ?? ["--speed", (speed ?? .random).description]
    }

    var otherWords: [String] {
        var words: [String] = []
        if let rt60 { words += ["--rt60", "\(rt60)", "--drr", "\(drr)"] }
        if let room { words += ["--room", room.description] }
        if tilt != 0 { words += ["--tilt", "\(tilt)"] }
        if distortion > 0 { words += ["--distortion", "\(distortion)"] }
        words += notch.flatMap { ["--notch", $0.description] }
        if let tone { words += ["--tone", tone.description] }
        if let skew { words += ["--skew", "\(skew)"] }
        if let clicks { words += ["--clicks", clicks.description] }
        if let agc { words += ["--agc", agc.description] }
        if clip > 0 { words += ["--clip", "\(clip)"] }
        if let dropout { words += ["--dropout", dropout.description] }
        if cutHead > 0 { words += ["--cut-head", "\(cutHead)"] }
        if let programme { words += ["--programme", "\(programme.path):\(programme.levelDecibels)"] }
        return words
    }
}
