import Signal

/// The positions of the bits of a byte, for every length that a byte may have.
enum ByteGrid {
    /// The lengths in steps: 5 % either way of ten bits.
    static let lengths = 95...105
    static let nominal = ToneWindows.stepsPerBit * UARTProfile.bitsPerByte
    /// The share of a byte's score that each hundredth of a wrong length costs. Steady clocks are likelier;
    /// without this cost, noise stretches and shrinks bytes freely.
    private static let deviationCost: Float = 0.004

    /// The first window of each bit, from the byte's first step; `[lengths.count]`.
    static let offsets: [[Int]] = lengths.map { length in
        (0..<UARTProfile.bitsPerByte).map { bit in
            let centre = (Double(bit) + 0.5) * Double(length) / Double(UARTProfile.bitsPerByte)
            return Int((centre - Double(ToneWindows.stepsPerBit) / 2).rounded())
        }
    }

    /// The weight of each length: the bits that a byte stands for, less the cost of its length;
    /// `[lengths.count]`.
    static let weights: [Float] = lengths.map { length in
        let share = Float(length) / Float(nominal)
        return share * (1 - deviationCost * Float(abs(length - nominal)))
    }

    /// Returns the byte from step `start` on, with the evidence of its tones.
    static func byte(from start: SamplePosition, _ length: Int, _ windows: borrowing ToneWindows)
        -> LineSegment
    {
        let offsets = offsets[length - lengths.lowerBound]
        var segment = LineSegment(content: .idle, startStep: start, endStep: start + length)
        var byte: UInt8 = 0
        for bit in 0..<UARTProfile.bitsPerByte {
            let window = windows[start + offsets[bit]]
            let isMark = bit == 9 || (bit > 0 && window.mark > window.space)
            segment.tones.add(
                amplitude: isMark ? window.mark : window.space,
                residue: isMark ? window.markResidue : window.spaceResidue)
            if isMark && bit < 9 { byte |= 1 << UInt8(bit - 1) }
            if (bit == 0 || bit == 9) && isMark != (window.mark > window.space) {
                segment.wrongFramingBits += 1
            }
        }
        segment.content = .byte(byte)
        return segment
    }

    /// Returns a bit of idling from step `start` on.
    static func idle(from start: SamplePosition, _ windows: borrowing ToneWindows) -> LineSegment {
        var segment = LineSegment(content: .idle, startStep: start, endStep: start + ToneWindows.stepsPerBit)
        let window = windows[start]
        segment.tones.add(amplitude: window.mark, residue: window.markResidue)
        return segment
    }
}
