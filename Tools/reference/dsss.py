#!/usr/bin/env python3
"""A second implementation of the DSSS waveform, from its page (Sources/AcousticModem/README.md) alone.

    dsss.py encode 0011223344556677 --profile dsss --output frame.wav
    dsss.py decode frame.wav --profile dsss        the frame starts at the first sample, without noise
"""

import argparse
import sys

import gmsk
import polar
import spreading
import token_field
import wav_file
from errorless_decoder import decode
from pilots import insert_pilots
from profiles import ALL, DSSS, LANE_COUNT, Profile, named


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
    coded = polar.encode(info, profile.polar_length)
    capacity = (len(info) - token_field.CHECK_BITS) // 8
    stream = [1 if i % 2 else -1 for i in range(profile.ramp_chips)]
    for segment in range(profile.segment_count):
        stream += segment_chips(coded, profile, capacity, lane, segment)
    return stream + [-1 if i % 2 else 1 for i in range(profile.ramp_chips)]


def waveform(token: bytes, profile: Profile, lane: int = 0) -> gmsk.Waveform:
    """Token -> sound, at any instant."""
    return gmsk.Waveform(chips(token, profile, lane), profile)


def main() -> int:
    parser = argparse.ArgumentParser(description="Reference model of the DSSS waveform, without noise.")
    commands = parser.add_subparsers(dest="command", required=True)
    encode_command = commands.add_parser("encode", help="token in hex -> WAV")
    encode_command.add_argument("token")
    encode_command.add_argument("--output", required=True)
    encode_command.add_argument("--lane", type=int, default=0)
    encode_command.add_argument("--rate", type=int, default=48_000)
    decode_command = commands.add_parser("decode", help="WAV that starts with the frame -> token in hex")
    decode_command.add_argument("input")
    for command in (encode_command, decode_command):
        command.add_argument("--profile", default=DSSS.name, choices=[profile.name for profile in ALL])
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
