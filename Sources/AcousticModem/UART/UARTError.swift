/// The reason why a ``UARTProfile`` cannot be made.
package enum UARTError: Error, Hashable, Sendable, CustomStringConvertible {
    case baud(Double)
    case tone(Double, allowed: ClosedRange<Double>)
    case tonesTooNear(leastHz: Double)

    package var description: String {
        switch self {
        case .baud: "--baud: expected 10 to 4800"
        case .tone(_, let allowed):
            "--mark and --space: expected \(Int(allowed.lowerBound.rounded(.up))) to "
                + "\(Int(allowed.upperBound)) Hz at this baud rate"
        case .tonesTooNear(let leastHz):
            "--mark and --space: expected tones at least \(Int(leastHz.rounded(.up))) Hz apart, half the baud rate"
        }
    }
}
