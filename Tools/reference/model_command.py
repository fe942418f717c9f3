"""The command line of a waveform's reference model: encode a token, decode a frame without noise."""
import argparse
import sys
from typing import Any, Callable, Sequence

import wav_file


def run(
    description: str,
    profiles: Sequence[Any],
    default: Any,
    waveform: Callable[[bytes, Any, int], Any],
    decode: Callable[[list[float], int, Any], Any],
) -> int:
    """Exit status."""
    parser = argparse.ArgumentParser(description=description)
    commands = parser.add_subparsers(dest="command", required=True)
    encode_command = commands.add_parser("encode", help="token in hex -> WAV")
    encode_command.add_argument("token")
    encode_command.add_argument("--output", required=True)
    encode_command.add_argument("--lane", type=int, default=0)
    encode_command.add_argument("--rate", type=int, default=48_000)
    decode_command = commands.add_parser("decode", help="WAV that starts with the frame -> token in hex")
    decode_command.add_argument("input")
    for command in (encode_command, decode_command):
        command.add_argument("--profile", default=default.name, choices=[profile.name for profile in profiles])
    arguments = parser.parse_args()
    profile = next(profile for profile in profiles if profile.name == arguments.profile)
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
