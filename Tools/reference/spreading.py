"""Coded bits <-> data chips of a segment: interleaver and scrambler."""

from functools import cache

from profiles import Profile
from splitmix64 import SplitMix64


def shuffled(count: int, generator: SplitMix64) -> list[int]:
    """[0 ... count - 1] after a Fisher-Yates shuffle."""
    order = list(range(count))
    for i in range(count - 1, 0, -1):
        j = generator.next() % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


@cache
def permutation_and_scrambler(
        family: int, capacity: int, lane: int, segment: int, length: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """p and c of the waveform page: which coded bit each data chip takes, and the sign it is given."""
    generator = SplitMix64(family << 32 | capacity << 16 | lane << 8 | segment)
    permutation = shuffled(length, generator)
    scrambler = [-1 if generator.next() >> 63 else 1 for _ in range(length)]
    return tuple(permutation), tuple(scrambler)


def spread(coded: list[int], profile: Profile, capacity: int, lane: int, segment: int) -> list[int]:
    """Coded bits [N] -> data chips [N], each -1 or +1."""
    permutation, scrambler = permutation_and_scrambler(
        profile.scrambler_family, capacity, lane, segment, profile.polar_length)
    return [c * (1 - 2 * coded[p]) for p, c in zip(permutation, scrambler)]


def despread(data: list[int], profile: Profile, capacity: int, lane: int, segment: int) -> list[int]:
    """Data chips [N] -> coded bits [N]."""
    permutation, scrambler = permutation_and_scrambler(
        profile.scrambler_family, capacity, lane, segment, profile.polar_length)
    coded = [0] * len(data)
    for chip, p, c in zip(data, permutation, scrambler):
        coded[p] = (1 - chip * c) // 2
    return coded
