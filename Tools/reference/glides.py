"""Tones -> sound: continuous phase, glides from tone to tone, raised-cosine ramps, at any instant."""

import math
from fractions import Fraction

from fsk_profiles import GLIDE_SECONDS, RAMP_SECONDS, FSKProfile


def glide_turns(since: float, step_hz: float) -> float:
    """g: what a glide about time 0 adds to the phase of an abrupt step."""
    if abs(since) >= GLIDE_SECONDS / 2:
        return 0.0
    bend = GLIDE_SECONDS / (2 * math.pi) * math.cos(math.pi * since / GLIDE_SECONDS)
    return step_hz * (GLIDE_SECONDS / 4 - abs(since) / 2 - bend)


class Waveform:
    """The sound of a frame's tones, counted through all sub-bands.  Peak amplitude 1."""

    def __init__(self, tones: list[int], profile: FSKProfile):
        self.profile = profile
        self._length = float(profile.symbol_seconds)
        self._hertz = [float((profile.lowest_bin + tone) / profile.symbol_seconds) for tone in tones]
        self._span = len(tones) * self._length
        self.exact_duration = len(tones) * profile.symbol_seconds + 2 * RAMP_SECONDS
        self.duration_seconds = float(self.exact_duration)

    def turns(self, t: float) -> float:
        """The phase at t seconds from where the first symbol begins, whole turns left out at will."""
        last = len(self._hertz) - 1
        symbol = min(max(math.floor(t / self._length), 0), last)
        since, hertz = t - symbol * self._length, self._hertz[symbol]
        turns = hertz * since
        if symbol > 0:
            turns += glide_turns(since, hertz - self._hertz[symbol - 1])
        if symbol < last:
            turns += glide_turns(since - self._length, self._hertz[symbol + 1] - hertz)
        return turns

    def amplitude(self, t: float) -> float:
        ramp = float(RAMP_SECONDS)
        edge = min(t + ramp, self._span + ramp - t)
        if edge <= 0:
            return 0.0
        return 0.5 - 0.5 * math.cos(math.pi * edge / ramp) if edge < ramp else 1.0

    def value_at(self, seconds: float) -> float:
        """At `seconds` from the first sample; 0 before and after the frame."""
        t = seconds - float(RAMP_SECONDS)
        amplitude = self.amplitude(t)
        return amplitude * math.cos(2 * math.pi * math.fmod(self.turns(t), 1.0)) if amplitude else 0.0

    def samples(self, sample_rate_hz: int) -> list[float]:
        """Every sample with 0 <= time < duration."""
        least = math.ceil(2 * self.profile.band_hz[1])
        if sample_rate_hz <= least:
            raise ValueError(f"more than {least} samples per second, not {sample_rate_hz}")
        count = math.ceil(self.exact_duration * Fraction(sample_rate_hz))
        return [self.value_at(i / sample_rate_hz) for i in range(count)]
