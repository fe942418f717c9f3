"""Samples -> token, for an FSK frame without noise that starts at the first sample."""

import math
from functools import cache
from operator import mul

import sync_tones
import tail_biting
import token_field
from errorless_decoder import Decoded
from fsk_profiles import LANE_COUNT, RAMP_SECONDS, TONE_COUNT, FSKProfile
from scrambler import scrambler


@cache
def oscillators(count: int, turns_per_sample: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """[count] each: cosine and sine."""
    angles = [2 * math.pi * math.fmod(i * turns_per_sample, 1.0) for i in range(count)]
    return tuple(map(math.cos, angles)), tuple(map(math.sin, angles))


def strongest_tone(window: list[float], symbol: int, sample_rate_hz: int, profile: FSKProfile) -> int:
    """The tone 0 ... 63 of the symbol's sub-band with the greatest energy in the window."""
    def energy(tone: int) -> float:
        bin_number = profile.lowest_bin + TONE_COUNT * (symbol % profile.sub_band_count) + tone
        parts = oscillators(len(window), float(bin_number / profile.symbol_seconds) / sample_rate_hz)
        return sum(sum(map(mul, window, part)) ** 2 for part in parts)
    return max(range(TONE_COUNT), key=energy)


def tone_decisions(samples: list[float], sample_rate_hz: int, profile: FSKProfile) -> list[int]:
    """Samples -> the tone 0 ... 63 of each symbol."""
    length, ramp = profile.symbol_seconds * sample_rate_hz, RAMP_SECONDS * sample_rate_hz
    count = int((len(samples) - 2 * ramp) / length)
    # A sample short where windows begin between samples: all windows have one length, and share oscillators.
    starts = [math.ceil(ramp + j * length) for j in range(count)]
    return [
        strongest_tone(samples[start:start + math.floor(length)], j, sample_rate_hz, profile)
        for j, start in enumerate(starts)]


def decode_tones(tones: list[int], profile: FSKProfile) -> Decoded | None:
    """Tones 0 ... 63 of all symbols -> token: every lane and class is tried, its check bits decide."""
    for capacity in token_field.CAPACITIES:
        for lane in range(LANE_COUNT):
            syncs = sync_tones.sync_tones(profile, lane, capacity)
            count = profile.data_count(capacity)
            if len(tones) != count + len(syncs) or any(tones[j] != tone for j, tone in syncs.items()):
                continue
            data = [tone for j, tone in enumerate(tones) if j not in syncs]
            labels = [tone ^ word for tone, word in zip(data, scrambler(profile, capacity, lane))]
            info_count = 8 * capacity + token_field.CHECK_BITS
            for bits in tail_biting.decode_errorless(labels, profile.bits_per_step):
                token = token_field.token_of(bits[:info_count])
                if token is not None and not any(bits[info_count:]):
                    return Decoded(token, lane)
    return None


def decode(samples: list[float], sample_rate_hz: int, profile: FSKProfile) -> Decoded | None:
    return decode_tones(tone_decisions(samples, sample_rate_hz, profile), profile)
