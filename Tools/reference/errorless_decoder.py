"""Samples -> token, for a frame without noise that starts at the first sample."""

import cmath
import math
from dataclasses import dataclass

import pilots
import polar
import spreading
import token_field
from profiles import LANE_COUNT, Profile


@dataclass(frozen=True)
class Decoded:
    token: bytes
    lane: int


def chip_decisions(samples: list[float], sample_rate_hz: int, profile: Profile) -> list[int]:
    """Samples -> all chips [M]: the sign of Re(z j^-i), z the carrier's phasor about (i + 1) T.

    A raised-cosine window of one chip about that instant removes the image at twice the carrier.
    """
    samples_per_chip = sample_rate_hz / profile.chip_rate_hz
    cycles_per_sample = profile.carrier_hz / sample_rate_hz
    decisions = []
    for i in range(profile.chip_count):
        middle = (i + 1) * samples_per_chip
        first = math.ceil(middle - samples_per_chip / 2)
        last = math.floor(middle + samples_per_chip / 2)
        phasor = 0j
        for k in range(first, min(last + 1, len(samples))):
            window = 1 + math.cos(2 * math.pi * (k - middle) / samples_per_chip)
            turn = math.fmod(k * cycles_per_sample + 0.25 * (i % 4), 1.0)
            phasor += samples[k] * window * cmath.rect(1, -2 * math.pi * turn)
        decisions.append(1 if phasor.real > 0 else -1)
    return decisions


def segments_of(stream: list[int], profile: Profile) -> list[list[int]]:
    """All chips [M] -> the segments' chips, each [n]."""
    n, first = profile.segment_chips, profile.ramp_chips
    return [stream[first + s * n:first + (s + 1) * n] for s in range(profile.segment_count)]


def lane_of(segments: list[list[int]], profile: Profile) -> int | None:
    """The lane all of whose pilot chips are there."""
    for lane in range(LANE_COUNT):
        if all(pilots.has_pilots(chips, profile, lane, s) for s, chips in enumerate(segments)):
            return lane
    return None


def decode_chips(stream: list[int], profile: Profile) -> Decoded | None:
    """All chips [M] -> token: every class is tried, its check bits decide."""
    segments = segments_of(stream, profile)
    lane = lane_of(segments, profile)
    if lane is None:
        return None
    data = [pilots.data_of_segment(chips, profile) for chips in segments]
    for capacity in token_field.CAPACITIES:
        codewords = [
            spreading.despread(chips, profile, capacity, lane, s) for s, chips in enumerate(data)]
        if any(codeword != codewords[0] for codeword in codewords):
            continue
        info = polar.decode_errorless(codewords[0], 8 * capacity + token_field.CHECK_BITS)
        token = token_field.token_of(info) if info else None
        if token is not None:
            return Decoded(token, lane)
    return None


def decode(samples: list[float], sample_rate_hz: int, profile: Profile) -> Decoded | None:
    return decode_chips(chip_decisions(samples, sample_rate_hz, profile), profile)
