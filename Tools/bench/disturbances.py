"""Sounds that hide a frame and are none: bangs, typing, pulses, sweeps, foreign senders. Standard library.

Each is drawn from a random.Random and looped by the channel. Bursts fill the band about the frames: a sound in the room is as
loud as it is there.
"""
import array
import math
import wave

RATE = 48_000
BAND_HZ = (18_200, 20_300)


def burst(draw, seconds, partials=24, fade=None):
    """Partials at random in the band; with `fade`, it dies away by 60 dB in so many seconds. Mean power 1."""
    count = int(seconds * RATE)
    waves = [(2 * math.pi * draw.uniform(*BAND_HZ) / RATE, draw.uniform(0, 2 * math.pi)) for _ in range(partials)]
    samples = [sum(math.sin(turn * n + phase) for turn, phase in waves) for n in range(count)]
    if fade:
        samples = [value * 10 ** (-3 * n / (fade * RATE)) for n, value in enumerate(samples)]
    gain = 1 / math.sqrt(sum(value * value for value in samples) / count)
    return [value * gain for value in samples]


def at_random(draw, seconds, rate, make):
    """`make()` at Poisson's instants, `rate` a second, one after another's end."""
    samples = [0.0] * int(seconds * RATE)
    time = draw.expovariate(rate)
    while True:
        one = make()
        first = int(time * RATE)
        if first + len(one) > len(samples):
            return samples
        samples[first:first + len(one)] = one
        time += len(one) / RATE + draw.expovariate(rate)


def once(one, seconds):
    """A burst at the beginning of a loop."""
    return (one + [0.0] * int(seconds * RATE))[:int(seconds * RATE)]


def clap(draw, air):
    """30 ms that die away, once in a frame"""
    return once(burst(draw, 0.03, fade=0.05), air)


def jingle(draw, air):
    """four ringing partials for 80 ms, once in a frame"""
    return once(burst(draw, 0.08, partials=4), air)


def door(draw, air):
    """150 ms that die away, once in three seconds"""
    return once(burst(draw, 0.15, fade=0.3), 3)


def glass(draw, air):
    """six partials that ring for half a second, once in four seconds"""
    return once(burst(draw, 0.5, partials=6, fade=0.4), 4)


def typing(draw, air):
    """six strokes a second of 5 to 15 ms"""
    return at_random(draw, 20, 6, lambda: burst(draw, draw.uniform(0.005, 0.015), fade=0.03))


def keys(draw, air):
    """a bunch of keys, shaken: 25 strikes a second, three partials each, now loud, now soft"""
    def strike():
        loud = 10 ** (draw.gauss(0, 4) / 20)
        return [value * loud for value in burst(draw, 0.02, partials=3, fade=0.028)]
    return at_random(draw, 10, 50, strike)


def pulses(rate):
    def make(draw, air):
        turn = 2 * math.pi * 19_500 / RATE
        period = RATE // rate
        return [math.sin(turn * n) if n % period < 0.005 * RATE else 0.0 for n in range(3 * period)]
    make.__doc__ = f"a sensor's pulses of 5 ms, {rate} a second"
    return make


def sweeps(draw, air):
    """18.5 to 20 kHz in 20 ms, again and again"""
    angle, samples = 0.0, []
    for n in range(3 * RATE):
        angle += 2 * math.pi * (18_500 + 1500 * (n / RATE / 0.02 % 1)) / RATE
        samples.append(math.cos(angle))
    return samples


def msk(draw, air):
    """minimum-shift keying, 1200 chips a second at 19.2 kHz"""
    angle, samples = 0.0, []
    for _ in range(20 * 1200):
        turn = 2 * math.pi * (19_200 + draw.choice([-300, 300])) / RATE
        for _ in range(RATE // 1200):
            angle += turn
            samples.append(math.cos(angle))
    return samples


def chips(draw, air):
    """phase-shift keying, 1000 chips a second at 19.2 kHz"""
    turn, samples = 2 * math.pi * 19_200 / RATE, []
    for chip in range(20 * 1000):
        sign = draw.choice([-1, 1])
        samples += [sign * math.cos(turn * (48 * chip + n)) for n in range(48)]
    return samples


def vacuum(draw, air):
    """a vacuum cleaner: noise that a turbine modulates, with its whine"""
    turbine = draw.uniform(400, 700)
    whine = 2 * math.pi * draw.uniform(18_500, 20_000) / RATE
    return [
        (1 + 0.5 * math.sin(2 * math.pi * turbine * n / RATE)) * draw.gauss(0, 1) + 0.2 * math.sin(whine * n)
        for n in range(5 * RATE)]


def plosives(draw, air):
    """a breath on the microphone: 60 ms of low noise, far over all else, once in two seconds"""
    level, samples = 0.0, []
    for n in range(int(0.06 * RATE)):
        level += 0.05 * (draw.gauss(0, 1) - level)
        samples.append(100 * level + draw.gauss(0, 1))
    return once(samples, 2)


SOUNDS = {
    "clap": clap, "jingle": jingle, "door": door, "glass": glass, "typing": typing, "keys": keys,
    "pulses-3": pulses(3), "pulses-10": pulses(10), "sweeps": sweeps, "msk": msk, "chips": chips, "vacuum": vacuum,
    "plosives": plosives,
}
# Those whose level is said as the mean of all time: they never pause, or nobody could say when.
CONTINUOUS = {"keys", "sweeps", "msk", "chips", "vacuum"}


def write(samples, path):
    """16-bit samples, as loud as they go."""
    peak = max(abs(value) for value in samples)
    with wave.open(str(path), "wb") as sound:
        sound.setparams((1, 2, RATE, 0, "NONE", ""))
        sound.writeframes(array.array("h", (round(32_000 * value / peak) for value in samples)).tobytes())


def mean_over_sounding(name, samples):
    """Mean power over that while it sounds, dB: what a level while it sounds is turned into for a loop."""
    if name in CONTINUOUS:
        return 0.0
    return 10 * math.log10(sum(value != 0 for value in samples) / len(samples))
