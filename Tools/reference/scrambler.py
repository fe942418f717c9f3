"""What is XORed to the labels of an FSK frame."""

from fsk_profiles import FSKProfile
from splitmix64 import SplitMix64


def scrambler(profile: FSKProfile, capacity: int, lane: int) -> list[int]:
    """Six bits for each data symbol. [n]"""
    generator = SplitMix64(0x46534B << 40 | profile.scrambler_family << 32 | capacity << 16 | lane << 8)
    return [generator.next() >> 58 for _ in range(profile.data_count(capacity))]
