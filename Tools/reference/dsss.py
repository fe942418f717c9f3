#!/usr/bin/env python3
"""A second implementation of the DSSS waveform, from its page (Sources/AcousticModem/README.md) alone.

    dsss.py encode 0011223344556677 --profile dsss --output frame.wav
    dsss.py decode frame.wav --profile dsss        the frame starts at the first sample, without noise
"""

import sys

import gmsk
import model_command
import polar
import spreading
import token_field
from errorless_decoder import decode
from pilots import insert_pilots
from profiles import ALL, DSSS, LANE_COUNT, Profile


def segment_chips(coded: list[int], profile: Profile, capacity: int, lane: int, segment: int) -> list[int]:
    """Coded bits [N] -> chips of one segment [n]."""
    data = spreading.spread(coded, profile, capacity, lane, segment)
    return insert_pilots(data, profile, lane, segment)


def chips(token: bytes, profile: Profile, lane: int = 0) -> list[int]:
    """Token -> all chips [M], -1 or +1, ramps included."""
    return chips_of_info(token_field.info_bits(token), profile, lane)


def chips_of_info(info: list[int], profile: Profile, lane: int) -> list[int]:
    """Info bits [8 C + 24] -> all chips [M]; every segment carries the same codeword."""
    if lane not in range(LANE_COUNT):
        raise ValueError(f"a lane is 0 to {LANE_COUNT - 1}, not {lane}")
    capacity = (len(info) - token_field.CHECK_BITS) // 8
    return chips_of_word(polar.encode(info, profile.polar_length), profile, capacity, lane)


def chips_of_word(coded: list[int], profile: Profile, capacity: int, lane: int) -> list[int]:
    """Coded bits [N] -> all chips [M]; a frame of any bits, code word or not."""
    stream = [1 if i % 2 else -1 for i in range(profile.ramp_chips)]
    for segment in range(profile.segment_count):
        stream += segment_chips(coded, profile, capacity, lane, segment)
    return stream + [-1 if i % 2 else 1 for i in range(profile.ramp_chips)]


def waveform(token: bytes, profile: Profile, lane: int = 0) -> gmsk.Waveform:
    """Token -> sound, at any instant."""
    return gmsk.Waveform(chips(token, profile, lane), profile)


if __name__ == "__main__":
    sys.exit(model_command.run("Reference model of the DSSS waveform, without noise.", ALL, DSSS, waveform, decode))
