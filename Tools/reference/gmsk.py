"""Chips -> sound: the Gaussian-smoothed quarter turns of the carrier, at any instant.

The waveform is a function of continuous time, so that a moving or badly clocked
transmitter is had by asking for it at other instants.
"""

import math
from functools import lru_cache

from profiles import MINIMUM_SAMPLE_RATE_HZ, Profile

#: Beyond this many chips from its middle a transition is taken as not begun, or as done.
REACH_CHIPS = 2


def _smoothed_step_integral(x: float, sigma: float) -> float:
    """P(x): the integral of the normal distribution of deviation sigma."""
    z = x / sigma
    distribution = 0.5 * math.erfc(-z / math.sqrt(2))
    density = math.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)
    return x * distribution + sigma * density


def phase_pulse(u: float, gaussian_bt: float) -> float:
    """q(u): 0 to 1 over about one chip about u = 0."""
    sigma = math.sqrt(math.log(2)) / (2 * math.pi * gaussian_bt)
    return _smoothed_step_integral(u + 0.5, sigma) - _smoothed_step_integral(u - 0.5, sigma)


@lru_cache(maxsize=4096)
def _transition_progress(fraction: float, gaussian_bt: float) -> tuple[float, ...]:
    """How far the transitions n - 2 ... n + 2 have come at n + fraction chips."""
    return tuple(
        phase_pulse(fraction - d - 0.5, gaussian_bt) for d in range(-REACH_CHIPS, REACH_CHIPS + 1))


class Waveform:
    """The sound of a chip stream.  Peak amplitude 1."""

    def __init__(self, chips: list[int], profile: Profile):
        framed = [1] + list(chips) + [1]
        turns = [a * b for a, b in zip(framed, framed[1:])]
        padding = [0] * (REACH_CHIPS + 1)
        self._turns = padding + turns + padding
        self._turned = [0]
        for turn in self._turns:
            self._turned.append(self._turned[-1] + turn)
        self.profile = profile
        self.chip_count = len(chips)
        self.duration_seconds = (len(chips) + 2) / profile.chip_rate_hz

    def phase_radians(self, chip: int, fraction: float) -> float:
        """phi at `chip + fraction` chip periods, 0 <= fraction < 1, within the frame."""
        first = chip + 1                    # in the padded list: transition chip - 2
        turned = self._turned[first]
        progress = _transition_progress(fraction, self.profile.gaussian_bt)
        for turn, part in zip(self._turns[first:first + len(progress)], progress):
            turned += turn * part
        return 0.5 * math.pi * (turned - 1)

    def amplitude(self, x: float) -> float:
        """A at x chip periods from the first sample."""
        ramp = self.profile.ramp_chips
        edge = min(x, self.chip_count + 1 - x)
        if edge <= 0:
            return 0.0
        return 0.5 - 0.5 * math.cos(math.pi * edge / ramp) if edge < ramp else 1.0

    def value_at(self, seconds: float) -> float:
        """s(t); 0 before and after the frame."""
        x = seconds * self.profile.chip_rate_hz
        chip = math.floor(x)
        return self._value(chip, x - chip, seconds)

    def _value(self, chip: int, fraction: float, seconds: float) -> float:
        amplitude = self.amplitude(chip + fraction)
        if amplitude == 0:
            return 0.0
        angle = 2 * math.pi * math.fmod(self.profile.carrier_hz * seconds, 1.0)
        return amplitude * math.cos(angle + self.phase_radians(chip, fraction))

    def samples(self, sample_rate_hz: int) -> list[float]:
        """Every sample with 0 <= t < duration."""
        if sample_rate_hz < MINIMUM_SAMPLE_RATE_HZ:
            raise ValueError(f"at least {MINIMUM_SAMPLE_RATE_HZ:.0f} samples per second, not {sample_rate_hz}")
        rate = self.profile.chip_rate_hz
        count = -((self.chip_count + 2) * sample_rate_hz // -rate)      # rounded up
        values = []
        for k in range(count):
            chip, rest = divmod(k * rate, sample_rate_hz)
            values.append(self._value(chip, rest / sample_rate_hz, k / sample_rate_hz))
        return values
