"""Sounds that carry no token.  Each takes a sample count and a seed; full scale is 1."""

import math

from channel import SAMPLE_RATE_HZ, gaussian
from splitmix64 import SplitMix64

RATE = SAMPLE_RATE_HZ


def silence(count: int, _seed: int) -> list[float]:
    return [0.0] * count


def white_noise(count: int, seed: int) -> list[float]:
    generator = SplitMix64(seed)
    return [0.2 * gaussian(generator) for _ in range(count)]


def noise_burst_train(count: int, seed: int, period: int, decay: int) -> list[float]:
    """High-passed noise that starts anew each period and dies off: a hi-hat, or fricatives."""
    generator = SplitMix64(seed)
    previous, samples = 0.0, []
    for k in range(count):
        white = gaussian(generator)
        samples.append((white - previous) * math.exp(-(k % period) / decay))
        previous = white
    return samples


def music(count: int, seed: int) -> list[float]:
    """Three chords with all harmonics below 20 kHz, and a hi-hat on every eighth."""
    chords = ((220.0, 277.18, 329.63), (293.66, 369.99, 440.0), (329.63, 415.3, 493.88))
    hat = noise_burst_train(count, seed, period=RATE // 8, decay=900)
    samples = []
    for k in range(count):
        into_chord = k % (RATE // 3)
        chord = chords[k // (RATE // 3) % len(chords)]
        value = 0.0
        for note in chord:
            phase = 2 * math.pi * math.fmod(note * k / RATE, 1.0)
            # A band-limited sawtooth in closed form: sum of sin(n phase) r^n / n.
            r = 0.97
            value += math.atan2(r * math.sin(phase), 1 - r * math.cos(phase))
        samples.append(0.12 * value * math.exp(-into_chord / RATE * 3) + 0.06 * hat[k])
    return samples


def resonated(samples: list[float], hertz: float, bandwidth_hz: float) -> list[float]:
    """Two-pole resonance."""
    radius = math.exp(-math.pi * bandwidth_hz / RATE)
    a1, a2 = 2 * radius * math.cos(2 * math.pi * hertz / RATE), -radius * radius
    y1 = y2 = 0.0
    result = []
    for x in samples:
        y1, y2 = x * (1 - radius) + a1 * y1 + a2 * y2, y1
        result.append(y1)
    return result


def speech(count: int, seed: int) -> list[float]:
    """A gliding pulse train through three formants, and a hiss every quarter second."""
    phase, pulses = 0.0, []
    for k in range(count):
        phase += (115 + 25 * math.sin(2 * math.pi * 3 * k / RATE)) / RATE
        pulses.append(1.0 if phase >= 1 else 0.0)
        phase -= math.floor(phase)
    formants = [resonated(pulses, hertz, 90) for hertz in (550.0, 1_450.0, 2_500.0)]
    hiss = noise_burst_train(count, seed, period=RATE // 4, decay=2_500)
    voiced = [sum(parts) for parts in zip(*formants)]
    peak = max(abs(v) for v in voiced)
    return [0.4 * v / peak + 0.12 * h for v, h in zip(voiced, hiss)]


def clicks(count: int, seed: int) -> list[float]:
    """One-sample clicks of either sign, a chip apart for a while, then at random."""
    generator = SplitMix64(seed)
    samples = [0.0] * count
    k = 100
    while k < count:
        samples[k] = 0.9 if generator.next() >> 63 else -0.9
        k += 40 if k < count // 2 else 20 + generator.next() % 800
    return samples


def sweep(count: int, _seed: int) -> list[float]:
    """18 to 20 kHz, steadily."""
    samples = []
    for k in range(count):
        seconds = k / RATE
        slope = 2_000 * RATE / count
        samples.append(0.5 * math.cos(2 * math.pi * math.fmod((18_000 + slope * seconds / 2) * seconds, 1.0)))
    return samples


def bang(generator: SplitMix64, seconds: float) -> list[float]:
    """Noise that dies off by 20 dB."""
    length = round(seconds * RATE)
    return [0.3 * gaussian(generator) * 10 ** (-k / length) for k in range(length)]


def clap(count: int, seed: int) -> list[float]:
    """One, 30 ms long, at two fifths."""
    samples = [0.0] * count
    one = bang(SplitMix64(seed), 0.03)
    first = 2 * count // 5
    samples[first:first + len(one)] = one
    return samples


def typing(count: int, seed: int) -> list[float]:
    """Some six strokes a second, of 5 to 15 ms."""
    generator = SplitMix64(seed)
    samples = [0.0] * count
    k = RATE // 20
    while k < count - RATE // 50:
        stroke = bang(generator, 0.005 + 0.01 * generator.unit())
        samples[k:k + len(stroke)] = stroke
        k += round(RATE * (0.08 + 0.17 * generator.unit()))
    return samples


def sensor(count: int, _seed: int) -> list[float]:
    """Pulses of 5 ms at 19.5 kHz, ten a second."""
    return [
        0.3 * math.cos(2 * math.pi * math.fmod(19_500 * k / RATE, 1.0)) if k % (RATE // 10) < RATE // 200 else 0.0
        for k in range(count)]


def foreign_msk(count: int, seed: int) -> list[float]:
    """Minimum-shift keying of random chips, 1200 a second at 19.2 kHz."""
    generator = SplitMix64(seed)
    turns, step, samples = 0.0, 0.0, []
    for k in range(count):
        if k % (RATE // 1200) == 0:
            step = (19_200 + (300 if generator.next() >> 63 else -300)) / RATE
        turns = math.fmod(turns + step, 1.0)
        samples.append(0.5 * math.cos(2 * math.pi * turns))
    return samples
