#!/usr/bin/env python3
"""A second implementation of the FSK waveforms, from their page (Sources/AcousticModem/FSK/README.md) and the one above.

    fsk.py encode 0011223344556677 --profile fsk --output frame.wav
    fsk.py decode frame.wav --profile fsk        the frame starts at the first sample, without noise
"""

import argparse
import sys

import sync_tones
import tail_biting
import token_field
import wav_file
from fsk_errorless_decoder import decode
from fsk_profiles import ALL, FSK, LANE_COUNT, TONE_COUNT, FSKProfile, named
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


def main() -> int:
    parser = argparse.ArgumentParser(description="Reference model of the FSK waveforms, without noise.")
    commands = parser.add_subparsers(dest="command", required=True)
    encode_command = commands.add_parser("encode", help="token in hex -> WAV")
    encode_command.add_argument("token")
    encode_command.add_argument("--output", required=True)
    encode_command.add_argument("--lane", type=int, default=0)
    encode_command.add_argument("--rate", type=int, default=48_000)
    decode_command = commands.add_parser("decode", help="WAV that starts with the frame -> token in hex")
    decode_command.add_argument("input")
    for command in (encode_command, decode_command):
        command.add_argument("--profile", default=FSK.name, choices=[profile.name for profile in ALL])
    arguments = parser.parse_args()
    profile = named(arguments.profile)
    if arguments.command == "encode":
        sound = waveform(bytes.fromhex(arguments.token), profile, arguments.lane)
        wav_file.write(arguments.output, [0.5 * s for s in sound.samples(arguments.rate)], arguments.rate)
        return 0
    found = decode(*wav_file.read(arguments.input), profile)
    if found is None:
        print("no token", file=sys.stderr)
        return 1
    print(found.token.hex())
    return 0


if __name__ == "__main__":
    sys.exit(main())
