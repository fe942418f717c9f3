import Signal

/// Samples → tokens. Opposite: ``Transmitter``.
///
/// Streaming: chunks of any size give the same reports as one long chunk; memory does not grow. It is a
/// value: a copy made midstream goes on by itself.
public struct Receiver: Sendable {
    /// The sample rate that `process` expects.
    public static let sampleRateHz = 48_000.0

    // These stand in the order in which their frames are reported.
    private var uart: [CopyOnWrite<UARTReceiver>] = []
    private var dsss: [CopyOnWrite<DSSSBand>] = []
    /// The sound of the DSSS bands, if an ``ArrayReceiver`` searches them.
    private var taps: [BasebandTap] = []
    private var fsk: [CopyOnWrite<FSKBand>] = []
    private var fixedGGWave: [CopyOnWrite<GGWaveFixedReceiver>] = []
    private var ggwave: [CopyOnWrite<GGWaveReceiver>] = []
    /// One front end for every band that a receiver listens in.
    private var frontEnds: [CopyOnWrite<FrontEnd>] = []
    private var scale = InputScale()
    private var samplesProcessed: Int64 = 0

    /// - Parameters:
    ///   - profiles: what to listen for; each costs its own search.
    ///   - options: what to do besides; each costs its own search.
    ///   - observer: hears the outcome of every candidate.
    public init(
        profiles: [WaveformProfile] = WaveformProfile.nearby, options: ReceiverOptions = ReceiverOptions(),
        observer: (any ReceiverObserver)? = nil
    ) {
        self.init(
            profiles: profiles, options: options, tapsDSSS: false, observer: observer)
    }

    /// - Parameter tapsDSSS: true to keep the sound of the DSSS bands for an ``ArrayReceiver`` instead of
    ///   searching it.
    init(
        profiles: [WaveformProfile], options: ReceiverOptions, tapsDSSS: Bool,
        observer: (any ReceiverObserver)?
    ) {
        var (dsssProfiles, fskProfiles) = ([DSSSProfile](), [FSKProfile]())
        var ggwaveProfiles: [GGWaveProfile] = []
        for profile in profiles {
            switch profile.kind {
            case .dsss(let profile): dsssProfiles.append(profile)
            case .fsk(let profile): fskProfiles.append(profile)
            case .ggwave(let profile): ggwaveProfiles.append(profile)
            case .uart(let profile): uart.append(CopyOnWrite(UARTReceiver(profile: profile)))
            }
        }
        let dsssBands = dsssProfiles.grouped { $0.band == $1.band }
        if tapsDSSS {
            taps = dsssBands.map { BasebandTap(band: $0[0].band) }
        } else {
            dsss = dsssBands.map {
                CopyOnWrite(
                    DSSSBand(profiles: $0, options: options, observer: observer))
            }
        }
        fsk = fskProfiles.grouped { $0.tones == $1.tones }.map {
            CopyOnWrite(FSKBand(profiles: $0, options: options, observer: observer))
        }
        for band in dsssBands.map({ $0[0].band }) + fsk.map({ $0.read { $0.plan.band } })
        where !frontEnds.contains(where: { $0.read { $0.band == band } }) {
            frontEnds.append(CopyOnWrite(FrontEnd(band: band)))
        }
        fixedGGWave = ggwaveProfiles.filter { $0.fixedByteCount != nil }.map {
            CopyOnWrite(GGWaveFixedReceiver(profile: $0))
        }
        ggwave = GGWaveReceiver.receivers(of: ggwaveProfiles.filter { $0.fixedByteCount == nil })
    }

    /// Takes the next 48 kHz mono samples, of any scale: ±1, as integers, or far too quiet. Returns the
    /// frames settled by now: DSSS frames that stand 3 dB over the noise before them within 0.1 s of their
    /// end, other DSSS frames a second and a half or so after it, FSK frames four or five.
    public mutating func process(_ samples: UnsafeBufferPointer<Float>) -> [DecodeReport] {
        samplesProcessed += Int64(samples.count)
        let samples = scale.process(samples)
        var reports: [DecodeReport] = []
        for index in frontEnds.indices { frontEnds[index].value.process(samples) }
        let sound = FreshSound(samples: samples, frontEnds: frontEnds)
        Receiver.process(sound, by: &uart, into: &reports)
        for index in taps.indices { taps[index].take(sound) }
        Receiver.process(sound, by: &dsss, into: &reports)
        Receiver.process(sound, by: &fsk, into: &reports)
        Receiver.process(sound, by: &fixedGGWave, into: &reports)
        Receiver.process(sound, by: &ggwave, into: &reports)
        return reports
    }

    /// Does the same with an array: takes the next 48 kHz mono samples and returns the frames settled by now.
    public mutating func process(_ samples: [Float]) -> [DecodeReport] {
        samples.withUnsafeBufferPointer { process($0) }
    }

    /// Moves the clock on by samples of lost sound at 48 kHz, as silence would. A gap within a frame costs
    /// the lost part of that frame. A gap that is longer than anything that may be under way ends it, as
    /// ``finish()`` does, and costs no more time than that; the clock moves on by the whole gap all the same.
    /// Returns the frames settled by it.
    ///
    /// Precondition: not negative.
    public mutating func skip(frames: Int64) -> [DecodeReport] {
        precondition(frames >= 0, "time goes on")
        var reports: [DecodeReport] = []
        let heard = Int(min(frames, Int64(flushFrames)))
        Receiver.withSilence(frames: heard) { reports += process($0) }
        move(frames: frames - Int64(heard))
        return reports
    }

    /// Ends the recording and returns the frames that silence after it would bring out.
    public mutating func finish() -> [DecodeReport] {
        var reports: [DecodeReport] = []
        for index in frontEnds.indices { frontEnds[index].value.finish() }
        let last = FreshSound(samples: UnsafeBufferPointer(start: nil, count: 0), frontEnds: frontEnds)
        for index in taps.indices { taps[index].take(last) }
        Receiver.process(last, by: &dsss, into: &reports)
        Receiver.process(last, by: &fsk, into: &reports)
        Receiver.finish(&uart, into: &reports)
        Receiver.finish(&dsss, into: &reports)
        Receiver.finish(&fsk, into: &reports)
        Receiver.finish(&fixedGGWave, into: &reports)
        Receiver.finish(&ggwave, into: &reports)
        return reports
    }

    private static let silence = [Float](repeating: 0, count: 4800)

    /// Passes on `frames` of silence, piece by piece.
    static func withSilence(frames: Int, _ take: (UnsafeBufferPointer<Float>) -> Void) {
        for first in stride(from: 0, to: frames, by: silence.count) {
            silence[..<min(silence.count, frames - first)].withUnsafeBufferPointer { take($0) }
        }
    }

    /// The frames of silence after which nothing is under way any more.
    var flushFrames: Int {
        let most = [
            uart.lazy.map { $0.read { $0.flushSamples } }.max(),
            dsss.lazy.map { $0.read { $0.flushSamples } }.max(),
            fsk.lazy.map { $0.read { $0.flushSamples } }.max(),
            fixedGGWave.lazy.map { $0.read { $0.flushSamples } }.max(),
            ggwave.lazy.map { $0.read { $0.flushSamples } }.max(),
        ]
        return frontEndFlushFrames + (most.lazy.compactMap { $0 }.max() ?? 0)
    }

    var frontEndFlushFrames: Int { frontEnds.lazy.map { $0.read { $0.flushSamples } }.max() ?? 0 }

    /// Calls `body` with each DSSS band's tap, which is empty afterwards.
    mutating func drainTaps(_ body: (_ index: Int, _ tap: BasebandTap) -> Void) {
        for index in taps.indices {
            body(index, taps[index])
            taps[index].clear()
        }
    }

    /// Moves the clock on after ``flushFrames`` of silence.
    mutating func move(frames: Int64) {
        guard frames > 0 else { return }
        samplesProcessed += frames
        Receiver.skip(samples: frames, by: &uart)
        Receiver.skip(samples: frames, by: &dsss)
        Receiver.skip(samples: frames, by: &fsk)
        Receiver.skip(samples: frames, by: &fixedGGWave)
        Receiver.skip(samples: frames, by: &ggwave)
    }

    /// Exchanges scratch memory, which holds nothing from one call to the next, with a receiver of the same
    /// profiles. Receivers that take turns on one thread need it only once: each borrows it for its turn, and
    /// gives it back.
    ///
    /// Precondition: both are copies of one receiver, or were made with the same profiles.
    mutating func exchangeScratch(with other: inout Receiver) {
        scale.exchangeScratch(with: &other.scale)
        Receiver.exchangeScratch(of: &uart, with: &other.uart)
        Receiver.exchangeScratch(of: &dsss, with: &other.dsss)
        Receiver.exchangeScratch(of: &fsk, with: &other.fsk)
        Receiver.exchangeScratch(of: &fixedGGWave, with: &other.fixedGGWave)
        Receiver.exchangeScratch(of: &ggwave, with: &other.ggwave)
    }

    /// Counters of each stage, over all profiles.
    public var statistics: ReceiverStatistics {
        var total = ReceiverStatistics()
        for one in uart { total.add(one.read { $0.statistics }) }
        for one in dsss { total.add(one.read { $0.statistics }) }
        for one in fsk { total.add(one.read { $0.statistics }) }
        for one in fixedGGWave { total.add(one.read { $0.statistics }) }
        for one in ggwave { total.add(one.read { $0.statistics }) }
        total.samples = samplesProcessed
        return total
    }

    private static func process<Family: FamilyReceiver>(
        _ sound: FreshSound, by family: inout [CopyOnWrite<Family>], into reports: inout [DecodeReport]
    ) {
        for index in family.indices { family[index].value.process(sound, into: &reports) }
    }

    private static func skip<Family: FamilyReceiver>(samples: Int64, by family: inout [CopyOnWrite<Family>]) {
        for index in family.indices { family[index].value.skip(samples: samples) }
    }

    private static func exchangeScratch<Family: FamilyReceiver>(
        of family: inout [CopyOnWrite<Family>], with other: inout [CopyOnWrite<Family>]
    ) {
        precondition(family.count == other.count, "both listen for the same profiles")
        for index in family.indices { family[index].value.exchangeScratch(with: &other[index].value) }
    }

    private static func finish<Family: FamilyReceiver>(
        _ family: inout [CopyOnWrite<Family>], into reports: inout [DecodeReport]
    ) {
        for index in family.indices { family[index].value.finish(into: &reports) }
    }
}
