import Picture

/// The 256 colours of xterm: from 16 on a cube of six steps a side, from 232 on 24 greys.
enum TerminalPalette {
    private static let steps = [0, 95, 135, 175, 215, 255]

    /// Returns the number of the colour that differs least.
    static func nearest(_ colour: Colour) -> Int {
        let wanted = [colour.red, colour.green, colour.blue].map(Int.init)
        let cube = wanted.map { value in
            steps.indices.min { abs(steps[$0] - value) < abs(steps[$1] - value) }!
        }
        let grey = min(23, max(0, (wanted.reduce(0, +) / 3 - 3) / 10))
        func distance(_ found: [Int]) -> Int {
            zip(wanted, found).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        }
        let isGrey = distance([Int](repeating: 8 + 10 * grey, count: 3)) < distance(cube.map { steps[$0] })
        return isGrey ? 232 + grey : 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
    }
}
