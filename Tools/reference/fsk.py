#!/usr/bin/env python3
"""A second implementation of the FSK waveforms, from their page (Sources/AcousticModem/FSK/README.md) and the one above.

    fsk.py encode 0011223344556677 --profile fsk --output frame.wav
    fsk.py decode frame.wav --profile fsk        the frame starts at the first sample, without noise
"""

import sys

import model_command
import sync_tones
import tail_biting
import token_field
from fsk_errorless_decoder import decode
from fsk_profiles import ALL, FSK, LANE_COUNT, TONE_COUNT, FSKProfile
from glides import Waveform
from scrambler import scrambler


def info_bits(token: bytes, profile: FSKProfile) -> list[int]:
    """Token -> bits [n u]: field, check bits, zeros."""
    bits = token_field.info_bits(token)
    count = profile.data_count(token_field.capacity_of(token)) * profile.bits_per_step
    return bits + [0] * (count - len(bits))


def labels(token: bytes, profile: FSKProfile) -> list[int]:
    """Token -> labels of the code [n]."""
    return tail_biting.encode(info_bits(token, profile), profile.bits_per_step)


def data_tones(token: bytes, profile: FSKProfile, lane: int = 0) -> list[int]:
    """Token -> tones 0 ... 63 of the data symbols [n]."""
    words = scrambler(profile, token_field.capacity_of(token), lane)
    return [label ^ word for label, word in zip(labels(token, profile), words)]


def tones(token: bytes, profile: FSKProfile, lane: int = 0) -> list[int]:
    """Token -> tones of all symbols [N], counted through all sub-bands."""
    if lane not in range(LANE_COUNT):
        raise ValueError(f"a lane is 0 to {LANE_COUNT - 1}, not {lane}")
    data = data_tones(token, profile, lane)
    syncs = sync_tones.sync_tones(profile, lane, token_field.capacity_of(token))
    remaining = iter(data)
    in_sub_band = [syncs[j] if j in syncs else next(remaining) for j in range(len(data) + len(syncs))]
    return [TONE_COUNT * (j % profile.sub_band_count) + tone for j, tone in enumerate(in_sub_band)]


def waveform(token: bytes, profile: FSKProfile, lane: int = 0) -> Waveform:
    """Token -> sound, at any instant."""
    return Waveform(tones(token, profile, lane), profile)


if __name__ == "__main__":
    sys.exit(model_command.run("Reference model of the FSK waveforms, without noise.", ALL, FSK, waveform, decode))
