import Glibc

/// Conversions from and to decibels in double precision.
enum Decibels {
    static func power(_ decibels: Double) -> Double { pow(10, decibels / 10) }
    static func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }
    static func ofPower(_ power: Double) -> Double { 10 * log10(power) }
    static func ofAmplitude(_ amplitude: Double) -> Double { 20 * log10(amplitude) }
}
