import Signal
import TestSupport
import Testing

@testable import AcousticModem

/// Tests of both directions between the command and the original ggwave 0.4.3.
@Suite(.enabled(if: GGWavePeer.isInstalled, "Tools/peers/install installs ggwave"))
struct GGWavePeerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var number: Int
        var byteCount: Int
        var options: [String]
        var format = "f32"

        var profile: String { "ggwave-\(GGWaveProtocol.all[number].name)" }
        var agreed: GGWaveProfile {
            GGWaveProfile(
                GGWaveProtocol.all[number],
                fixedByteCount: options.contains("--fixed-length") ? byteCount : nil,
                isScrambled: options.contains("--dss"))
        }
        var token: [UInt8] { (0..<byteCount).map { UInt8((number * 31 + $0 * 89 + byteCount) % 256) } }
        var hex: String { GGWavePeer.hex(token) }
        var testDescription: String { "\(profile) \(byteCount) bytes \(options) \(format)" }

        static let all: [Case] = (0..<12).flatMap { number -> [Case] in
            let fixed = Case(number: number, byteCount: 6, options: ["--fixed-length", "6"], format: "s16")
            let hidden = Case(number: number, byteCount: 4, options: ["--fixed-length", "4", "--dss"])
            guard number < 9 else { return [fixed, hidden] }
            return [
                Case(number: number, byteCount: 8, options: []),
                Case(number: number, byteCount: 8, options: ["--dss"], format: "s16"), fixed, hidden,
            ]
        }
    }

    /// All, or one in three.
    private static let some =
        Trials.areMany ? Case.all : stride(from: 0, to: Case.all.count, by: 3).map { Case.all[$0] }

    private func silence(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    @Test(arguments: Case.all) func ggwaveIsHeard(sent: Case) throws {
        let samples = try GGWavePeer.encode(
            sent.hex, protocol: sent.number, sent.options + ["--format", sent.format])
        let command = Command()
        let outcome = command.run(
            ["decode", "-", "--json", "--raw", sent.format, "--profile", sent.profile] + sent.options,
            input: silence(20_004) + samples + silence(80_000))
        #expect(outcome.status == 0)
        #expect(outcome.lines.count == 1)
        #expect(outcome.text.contains("\"token\":\"\(sent.hex)\""))
        #expect(outcome.text.contains("\"profile\":\"\(sent.profile)\""))
        #expect(outcome.text.contains("\"lane\":0,\"checked\":false,\"channel\":1"))
    }

    /// The samples are equal to 1 µ of the peak, except for those that `GGWaveModulator` adds for its
    /// receiver.
    @Test(arguments: Case.all.filter { $0.format == "f32" }) func weSendWhatGGWaveSends(sent: Case) throws {
        let bytes = try GGWavePeer.encode(sent.hex, protocol: sent.number, sent.options)
        let theirs = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let peak = theirs.reduce(0) { max($0, abs($1)) }
        let chunks = try GGWaveFrameEncoder(profile: sent.agreed).chunks(of: sent.token)
        let ours = GGWaveModulator(profile: sent.agreed, sampleRateHz: 48_000, isLiteral: true).modulate(
            chunks)
        try #require(ours.count == theirs.count)
        #expect(zip(ours, theirs).allSatisfy { abs($0 - $1) < 1e-6 * peak })
    }

    /// The message begins at five different places, of which one may be missed: if it is read half a chunk
    /// late, a word may be near another codeword (`ggwave-dt-fastest`, 8 bytes, DSS, from 12 345).
    @Test(arguments: some) func ggwaveHearsUs(sent: Case) throws {
        let command = Command()
        let encoded = command.run(
            ["encode", "--token", sent.hex, "--profile", sent.profile, "--level", "-20", "-o", "-"]
                + sent.options)
        #expect(encoded.status == 0)
        let heard = try [9600, 10_000, 11_111, 12_345, 13_579].filter { before in
            // The raw samples follow a header of 44 bytes.
            let samples = silence(2 * before) + encoded.output.dropFirst(44) + silence(50_000)
            return try GGWavePeer.decode(samples, sent.options + ["--format", "s16"]).contains(sent.hex)
        }
        #expect(heard.count >= 4)
    }

    /// There are 40 messages of 8 random bytes, each beginning anywhere in ggwave's frames. Of ggwave's own
    /// messages, its receiver reads 1 in 20 wrong or not at all in all protocols except audible and
    /// ultrasound normal, and dual tone fastest.
    @Test(arguments: Trials.areMany ? Array(0..<9) : [1, 4]) func ggwaveReadsEachOfOurs(number: Int) throws {
        var random = SplitMix64(seed: UInt64(number))
        let transmitter = Transmitter(profile: .ggwave(GGWaveProtocol.all[number]))
        var samples: [Float] = []
        var sent: [String] = []
        for _ in 0..<40 {
            let token = (0..<8).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            samples += [Float](repeating: 0, count: Int.random(in: 24_000..<28_096, using: &random))
            samples += try transmitter.waveform(of: token).map { 0.1 * $0 }
            sent.append(GGWavePeer.hex(token))
        }
        samples += [Float](repeating: 0, count: 48_000)
        let heard = try GGWavePeer.decode(samples.withUnsafeBytes { Array($0) }, [])
        #expect(heard == sent)
    }
}
