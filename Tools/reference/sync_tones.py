"""Which symbols of an FSK frame are sync tones, and which tones."""

import math
from fractions import Fraction
from functools import cache

from fsk_profiles import TONE_COUNT, FSKProfile
from splitmix64 import SplitMix64
from spreading import shuffled


def sync_places(profile: FSKProfile, capacity: int) -> list[int]:
    """Symbols that are sync tones, of a frame with a field of `capacity` bytes."""
    gaps = profile.sync_count - 1
    rhythm = {math.floor(Fraction(k * profile.period, gaps) + Fraction(1, 2)) for k in range(gaps)}
    places, data_left, symbol = [], profile.data_count(capacity), 0
    while data_left:
        if symbol % profile.period in rhythm:
            places.append(symbol)
        else:
            data_left -= 1
        symbol += 1
    return places + [symbol] if symbol == profile.period else places


@cache
def lane_tones(profile: FSKProfile, lane: int) -> tuple[int, ...]:
    """y: the tones of one round of sync symbols, each 0 ... 63."""
    generator = SplitMix64(0x53594E43 << 16 | profile.scrambler_family << 8 | lane)
    order = shuffled(profile.sync_count, generator)
    return tuple(
        TONE_COUNT // 2 * (2 * part + 1) // profile.sync_count + (generator.next() >> 62) - 2 for part in order)


def sync_tones(profile: FSKProfile, lane: int, capacity: int) -> dict[int, int]:
    """Symbol -> tone 0 ... 63, for every sync symbol."""
    tones = lane_tones(profile, lane)
    return {place: tones[m % len(tones)] for m, place in enumerate(sync_places(profile, capacity))}
