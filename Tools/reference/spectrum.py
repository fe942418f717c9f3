#!/usr/bin/env python3
"""What the waveform asks of the air: band energy, peaks, seconds.  Run: prints a row a profile."""

import cmath
import math

import dsss
import fsk
import fsk_profiles
import profiles
from splitmix64 import SplitMix64

SAMPLE_RATE_HZ = 48_000


def fft(x: list[complex]) -> list[complex]:
    """Forward transform of a power-of-two length."""
    count = len(x)
    if count == 1:
        return list(x)
    even, odd = fft(x[0::2]), fft(x[1::2])
    turned = [cmath.rect(1, -2 * math.pi * k / count) * o for k, o in enumerate(odd)]
    return [e + t for e, t in zip(even, turned)] + [e - t for e, t in zip(even, turned)]


def power_spectrum(samples: list[float]) -> list[float]:
    """Powers of the bins 0 ... count/2 of the zero-padded, rectangularly windowed samples.

    Two real halves ride one complex transform: even samples as real, odd ones as imaginary part.
    """
    count = 1 << max(1, (len(samples) - 1).bit_length())
    padded = list(samples) + [0.0] * (count - len(samples))
    half = count // 2
    z = fft([complex(a, b) for a, b in zip(padded[0::2], padded[1::2])])
    powers = []
    for k in range(half):
        mirrored = z[-k % half].conjugate()
        odd = (z[k] - mirrored) / 2j
        bin_value = (z[k] + mirrored) / 2 + cmath.rect(1, -2 * math.pi * k / count) * odd
        powers.append(abs(bin_value) ** 2)
    return powers


def share_decibels(powers: list[float], low_hz: float, high_hz: float, sample_rate_hz: int) -> float:
    """Energy in low <= f < high over all energy."""
    hertz_per_bin = sample_rate_hz / (2 * len(powers))
    part = sum(p for k, p in enumerate(powers) if low_hz <= k * hertz_per_bin < high_hz)
    return 10 * math.log10(part / sum(powers))


def peak_to_average_decibels(samples: list[float]) -> float:
    """Of the whole frame, ramps included."""
    return 10 * math.log10(max(s * s for s in samples) * len(samples) / sum(s * s for s in samples))


def example_token(profile: profiles.Profile | fsk_profiles.FSKProfile, length: int = 8) -> bytes:
    generator = SplitMix64(profile.scrambler_family)
    return bytes(generator.next() >> 56 for _ in range(length))


def band_hz(profile: profiles.Profile | fsk_profiles.FSKProfile) -> tuple[float, float]:
    """What README calls the band; of FSK, all tones and their main lobes."""
    if isinstance(profile, profiles.Profile):
        return 18.5e3, 20e3
    low, high = profile.band_hz
    return float(low - 1 / profile.symbol_seconds), float(high + 1 / profile.symbol_seconds)


def main() -> None:
    print("profile        seconds  PAPR dB  <17 kHz  <18 kHz  in band  >20 kHz  >20.5 kHz   (dB of all energy)")
    for family, profile in [(dsss, p) for p in profiles.ALL] + [(fsk, p) for p in fsk_profiles.ALL]:
        sound = family.waveform(example_token(profile), profile)
        samples = sound.samples(SAMPLE_RATE_HZ)
        powers = power_spectrum(samples)
        shares = [
            share_decibels(powers, low, high, SAMPLE_RATE_HZ)
            for low, high in ((0, 17e3), (0, 18e3), band_hz(profile), (20e3, 24e3), (20.5e3, 24e3))]
        print(f"{profile.name:14} {sound.duration_seconds:7.4f} {peak_to_average_decibels(samples):8.3f}"
              " {:8.2f} {:8.2f} {:8.3f} {:8.2f} {:10.2f}".format(*shares))


if __name__ == "__main__":
    main()
