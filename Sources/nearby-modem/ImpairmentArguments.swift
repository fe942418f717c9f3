import ArgumentParser
import ChannelSim

/// A room as `image:RT60[:MM]`: image sources, with the reverberation time and the radius of the speaker's
/// piston; or as `measured:FILE`: impulse responses, one for each channel.
enum RoomArgument: ExpressibleByArgument, Sendable, Hashable {
    case image(rt60Seconds: Double, pistonRadiusMillimeters: Double)
    case measured(path: String)

    init?(argument: String) {
        if let numbers = ColonNumbers.parse(argument, after: "image", count: 1...2) {
            self = .image(
                rt60Seconds: numbers[0], pistonRadiusMillimeters: numbers.count > 1 ? numbers[1] : 0)
        } else if argument.hasPrefix("measured:"), argument.count > "measured:".count {
            self = .measured(path: String(argument.dropFirst("measured:".count)))
        } else {
            return nil
        }
    }

    var description: String {
        switch self {
        case .image(let rt60, let radius): "image:\(rt60):\(radius)"
        case .measured(let path): "measured:\(path)"
        }
    }
}

/// A notch as `HZ:DB[:WIDTH]`: its frequency, its depth, and its width at half that depth.
struct NotchArgument: ExpressibleByArgument, Sendable, Hashable {
    var notch: TransducerResponse.Notch

    init?(argument: String) {
        guard let numbers = ColonNumbers.parse(argument, count: 2...3) else { return nil }
        let width = numbers.count > 2 ? numbers[2] : 100
        guard numbers[0] > 0, (0...100).contains(numbers[1]), (10...5000).contains(width) else { return nil }
        notch = .init(frequencyHz: numbers[0], depthDecibels: numbers[1], widthHz: width)
    }

    var description: String { "\(notch.frequencyHz):\(notch.depthDecibels):\(notch.widthHz)" }
}

/// Gain steps as `DB:SECONDS`: their size and their interval.
struct GainStepsArgument: ExpressibleByArgument, Sendable, Hashable {
    var steps: Capture.GainSteps

    init?(argument: String) {
        guard let numbers = ColonNumbers.parse(argument, count: 2...2), numbers[0].magnitude <= 60,
            (0.001...3600).contains(numbers[1])
        else { return nil }
        steps = .init(stepDecibels: numbers[0], intervalSeconds: numbers[1])
    }

    var description: String { "\(steps.stepDecibels):\(steps.intervalSeconds)" }
}

/// A gap of zeros as `START:SECONDS`, or `random:SECONDS` for one anywhere within the transmission.
struct DropoutArgument: ExpressibleByArgument, Sendable, Hashable {
    var dropout: Capture.Dropout

    init?(argument: String) {
        let random = ColonNumbers.parse(argument, after: "random", count: 1...1)
        guard let numbers = random.map({ [0] + $0 }) ?? ColonNumbers.parse(argument, count: 2...2),
            (0...3600).contains(numbers[0]), (0...3600).contains(numbers[1])
        else { return nil }
        dropout = .init(startSeconds: random == nil ? numbers[0] : nil, durationSeconds: numbers[1])
    }

    var description: String {
        "\(dropout.startSeconds.map { "\($0)" } ?? "random"):\(dropout.durationSeconds)"
    }
}

/// Clicks as `PER_SECOND:DB`: their number, and the power of each over the signal's.
struct ClicksArgument: ExpressibleByArgument, Sendable, Hashable {
    var clicks: Surroundings.Clicks

    init?(argument: String) {
        guard let numbers = ColonNumbers.parse(argument, count: 2...2), (0...1000).contains(numbers[0]),
            numbers[1].magnitude <= 200
        else { return nil }
        clicks = .init(perSecond: numbers[0], levelDecibels: numbers[1])
    }

    var description: String { "\(clicks.perSecond):\(clicks.levelDecibels)" }
}
