import Glibc
import Signal

/// White noise in the baseband, of mean power 1.
enum ComplexNoise {
    static func samples(_ count: Int, seed: UInt64) -> [Complex] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            let radius = (-log(1 - random.nextUnit())).squareRoot()
            let angle = 2 * Double.pi * random.nextUnit()
            return Complex(Float(radius * cos(angle)), Float(radius * sin(angle)))
        }
    }
}
