"""Sound from a transmitter to a 16-bit recording: paths, motion, clock, noise, offset, clipping.

Time is continuous up to the recorder: the waveform formula itself is asked at warped instants.
"""

import math
from dataclasses import dataclass

from gmsk import Waveform
from splitmix64 import SplitMix64

SPEED_OF_SOUND = 343.0
SAMPLE_RATE_HZ = 48_000
#: The band in which the signal-to-noise ratio is told: 18.5 to 20 kHz.
NOISE_BANDWIDTH_HZ = 1_500.0


@dataclass(frozen=True)
class Path:
    """One way from speaker to microphone, against the direct one."""

    delay_seconds: float
    gain: float


DIRECT = Path(0.0, 1.0)


@dataclass(frozen=True)
class Channel:
    start_seconds: float = 0.04
    #: Peak of the direct path, full scale 1.
    level: float = 0.05
    #: None: no noise.
    snr_decibels: float | None = None
    #: Positive: the transmitter's clock is fast against the recorder's.
    clock_skew_ppm: float = 0.0
    #: Positive: transmitter and recorder approach.
    speed_meters_per_second: float = 0.0
    paths: tuple[Path, ...] = (DIRECT,)
    #: A steady tone, hertz and peak.
    tone: tuple[float, float] | None = None
    offset: float = 0.0
    #: The recorder's limit.
    clip_at: float = 1.0

    @property
    def noise_deviation(self) -> float:
        """Of each sample; the signal's power is half the square of its level."""
        if self.snr_decibels is None:
            return 0.0
        band_power = 0.5 * self.level**2 / 10 ** (self.snr_decibels / 10)
        return math.sqrt(band_power * (SAMPLE_RATE_HZ / 2) / NOISE_BANDWIDTH_HZ)


def gaussian(generator: SplitMix64) -> float:
    """Box-Muller, one of the pair."""
    return math.sqrt(-2 * math.log(generator.unit())) * math.cos(2 * math.pi * generator.unit())


def received(sound: Waveform | None, channel: Channel, background: list[float], seed: int) -> list[float]:
    """Samples as long as `background`, to which sound, tone, noise and offset are added."""
    generator = SplitMix64(seed)
    stretch = (1 + channel.clock_skew_ppm * 1e-6) * (1 + channel.speed_meters_per_second / SPEED_OF_SOUND)
    deviation = channel.noise_deviation
    samples = []
    for k, value in enumerate(background):
        seconds = k / SAMPLE_RATE_HZ
        if sound is not None:
            for path in channel.paths:
                sent_at = (seconds - channel.start_seconds - path.delay_seconds) * stretch
                value += channel.level * path.gain * sound.value_at(sent_at)
        if channel.tone is not None:
            value += channel.tone[1] * math.sin(2 * math.pi * math.fmod(channel.tone[0] * seconds, 1.0))
        if deviation > 0:
            value += deviation * gaussian(generator)
        value += channel.offset
        samples.append(max(-channel.clip_at, min(channel.clip_at, value)))
    return samples
