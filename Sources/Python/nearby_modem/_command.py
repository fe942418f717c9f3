"""The command `python -m nearby_modem`. Tokens and sound go to standard output, words to standard error."""
from __future__ import annotations

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

from . import __version__, _profiles, _wav
from ._errors import ModemError, SoundError
from ._mixer import encode
from ._receiver import HeardToken, Receiver
from ._sound import input_channels, listen, transmit

if TYPE_CHECKING:
    from argparse import Namespace

#: Exit codes: those of sysexits.h, and as `nearby-modem` has them.
NOTHING_HEARD, USAGE, BAD_DATA, NO_INPUT, UNAVAILABLE, CANNOT_CREATE, IO_ERROR, READER_GONE = 1, 64, 65, 66, 69, 73, 74, 141
INTERRUPTED = 130


class Failure(Exception):
    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.prog}: {message} (--help tells more)\n")


def main(arguments: list[str] | None = None) -> int:
    try:
        options = _parser().parse_args(arguments)
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except Failure as failure:
        return _say(failure.status, str(failure))
    except ModemError as error:
        return _say(USAGE, str(error))
    except SoundError as error:
        return _say(UNAVAILABLE, str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes once more as it ends; nobody reads that either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE


def _say(status: int, words: str) -> int:
    print(f"nearby_modem: {words}", file=sys.stderr)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m nearby_modem", description="Tokens as near-ultrasonic sound, and back.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    one = commands.add_parser(
        "encode", help="turn a token into a WAV file", description="Writes a WAV file, 16 bits, one channel.")
    _add_token(one)
    one.add_argument("--rate", type=int, default=48_000, metavar="HZ", help="sample rate; 48000 without it")
    one.add_argument("-o", "--output", default="-", metavar="FILE", help="file to write; - or nothing: standard output")
    one.set_defaults(run=_encode)

    one = commands.add_parser("decode", help="find the tokens in recordings", description=(
        "Reads WAV files, or headerless samples with --raw. Prints one line per token. The exit code is 0 if a token was found "
        "and 1 if none was."))
    one.add_argument("files", nargs="+", metavar="FILE", help="WAV file; - for standard input")
    _add_listening(one)
    one.add_argument("--raw", choices=("s16", "s24", "s32", "f32"), help="headerless little-endian samples of this format")
    one.add_argument("--rate", type=int, metavar="HZ", help="sample rate, instead of the header's; 48000 with --raw")
    one.add_argument("--channels", type=int, metavar="COUNT", help="with --raw: interleaved channels; 1 without it")
    one.set_defaults(run=_decode)

    one = commands.add_parser("listen", help="hear tokens by a microphone", description=(
        "Prints one line per token until Ctrl-C. The exit code is 0 if a token was heard and 1 if none was."))
    _add_listening(one)
    _add_device(one)
    one.add_argument("--count", type=int, metavar="N", help="stop after so many tokens")
    one.set_defaults(run=_listen)

    one = commands.add_parser(
        "transmit", help="play a token", description="Plays a token until Ctrl-C, or as often as --count says.")
    _add_token(one)
    _add_device(one)
    one.add_argument("--count", type=int, default=0, metavar="N", help="stop after so many frames")
    one.add_argument("--every", type=float, default=0, metavar="SECONDS", help="time from one frame to the next")
    one.set_defaults(run=_transmit)

    one = commands.add_parser("profiles", help="list the profiles", description="Prints one profile per line.")
    one.add_argument("--json", action="store_true", help="one JSON object per line")
    one.set_defaults(run=_list_profiles)
    return parser


def _add_token(parser: argparse.ArgumentParser) -> None:
    token = parser.add_mutually_exclusive_group(required=True)
    token.add_argument("--token", metavar="HEX", help="token as hexadecimal digits")
    token.add_argument("--text", metavar="STRING", help="token as UTF-8 text")
    parser.add_argument("--profile", default="dsss", help="profile to send with; dsss without it")
    parser.add_argument("--lane", type=int, default=0, metavar="N", help="0 to 3; 0 without it")
    parser.add_argument("--level", type=float, default=-6, metavar="DBFS", help="peak level, -90 to 0; -6 without it")


def _add_listening(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", action="append", help=(
        "profile to receive; may be repeated; auto: all but dsss-wide; ggwave: all of ggwave's; auto without it"))
    parser.add_argument("--channel", type=_channel, default=1, metavar="N", help=(
        "receive from this channel; the first is 1; all: from all of them, together"))
    parser.add_argument("--json", action="store_true", help="one JSON object per line")


def _channel(text: str) -> int | None:
    """The number of a channel; None for all."""
    return None if text == "all" else int(text)


def _add_device(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", help="number or part of a name, as 'python -m sounddevice' lists them")
    parser.add_argument("--for", dest="seconds", type=float, metavar="SECONDS", help="stop after this time")


def _token(options: Namespace) -> bytes:
    if options.text is not None:
        return os.fsencode(options.text)
    try:
        return bytes.fromhex(options.token)
    except ValueError:
        raise Failure(
            USAGE, f"expected hexadecimal digits, such as 48656c6c6f, not {options.token!r}; for text use --text") from None


def _level(options: Namespace) -> float:
    if not -90 <= options.level <= 0:
        raise Failure(USAGE, f"expected -90 to 0 as --level, not {options.level:g}")
    level: float = options.level
    return level


def _encode(options: Namespace) -> int:
    level = _level(options)
    wav = _wav.wav_of(encode(_token(options), options.profile, options.rate, options.lane), options.rate, level)
    if options.output == "-":
        sys.stdout.buffer.write(wav)
        return 0
    try:
        with open(options.output, "wb") as file:
            file.write(wav)
    except OSError as error:
        raise Failure(CANNOT_CREATE, f"{options.output}: {error.strerror}; name a file that can be written") from None
    return 0


def _decode(options: Namespace) -> int:
    if options.channels is not None and options.raw is None:
        raise Failure(USAGE, "--channels needs --raw; the header of a WAV file states its channels")
    _profiles.chosen(options.profile or ["auto"])
    count, worst = 0, 0
    for name in options.files:
        try:
            count += _decode_file(name, options)
        except Failure as failure:
            worst = max(worst, _say(failure.status, str(failure)))
    return worst or (0 if count else NOTHING_HEARD)


def _decode_file(name: str, options: Namespace) -> int:
    try:
        with (sys.stdin.buffer if name == "-" else open(name, "rb")) as source:
            return _decode_source(name, source, options)
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise Failure(NO_INPUT, f"{name}: {error.strerror}; check the name") from None
    except _wav.BadSound as error:
        raise Failure(BAD_DATA, f"{name}: {error}") from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Failure(IO_ERROR, f"{name}: {error.strerror or error}; reading stopped there") from None


def _decode_source(name: str, source: BinaryIO, options: Namespace) -> int:
    format = _wav.raw_format(options.raw, 48_000, options.channels or 1) if options.raw else _wav.read_header(source)
    _check_channel(options.channel, format.channels)
    count, rate = 0, options.rate or format.rate
    with Receiver(options.profile or "auto", rate, format.channels, _index(options.channel), format.format) as receiver:
        for part in _wav.parts(source, format):
            count += _print(receiver.push(part), name, options)
        count += _print(receiver.finish(), name, options)
    if not count:
        print(f"{name}: no token found", file=sys.stderr)
    return count


def _index(channel: int | None) -> int | None:
    return None if channel is None else channel - 1


def _check_channel(channel: int | None, count: int) -> None:
    if channel is not None and not 1 <= channel <= count:
        raise Failure(USAGE, f"expected 1 to {count} as --channel, not {channel}")


def _listen(options: Namespace) -> int:
    _check_channel(options.channel, _profiles.CHANNELS[-1])
    count = 0
    try:
        for heard in listen(options.profile or "auto", options.seconds, _device(options), channels=_opened(options),
                            channel=_index(options.channel)):
            count += _print([heard], None, options)
            if count == options.count:
                break
    except KeyboardInterrupt:
        # Ctrl-C is how listening ends.
        pass
    return 0 if count else NOTHING_HEARD


def _opened(options: Namespace) -> int:
    """The number of a device's channels to open: up to the one that is listened to, or as many as it has."""
    return options.channel or input_channels(_device(options), _profiles.CHANNELS[-1])


def _transmit(options: Namespace) -> int:
    try:
        sent = transmit(
            _token(options), options.profile, options.count, options.seconds, options.every, _level(options), options.lane,
            _device(options))
    except KeyboardInterrupt:
        # Ctrl-C is how sending ends.
        return 0
    return 0 if sent else NOTHING_HEARD


def _device(options: Namespace) -> int | str | None:
    device: str | None = options.device
    return int(device) if device and device.isdigit() else device


def _list_profiles(options: Namespace) -> int:
    for profile in _profiles.profiles():
        if options.json:
            print(json.dumps(profile._asdict()))
        else:
            print(
                f"{profile.name:24} {profile.band_low_hz:8.0f} to {profile.band_high_hz:5.0f} Hz  {profile.min_token_bytes} to "
                f"{profile.max_token_bytes} bytes  {profile.seconds_on_air:.2f} s for 8 bytes")
    return 0


def _print(heard: list[HeardToken], name: str | None, options: Namespace) -> int:
    for one in heard:
        print(_json_line(one, name) if options.json else _line(one, name))
    if heard:
        # From a pipe, tokens are wanted as they are heard.
        sys.stdout.flush()
    return len(heard)


def _line(one: HeardToken, name: str | None) -> str:
    words = [name] if name else []
    words += [f"{_places(one.start_seconds, 3)} s", one.profile, one.token.hex()]
    words += [f'"{one.text}"'] if one.text else []
    words += [f"SNR {one.snr_decibels:.1f} dB", f"Eb/N0 {one.ebn0_decibels:.1f} dB"]
    words += [f"{_places(one.speed_meters_per_second, 2)} m/s"]
    words += [f"{one.repeats} frames combined"] if one.repeats > 1 else []
    words += [] if one.is_checked else ["unchecked"]
    return "  ".join(words)


def _places(value: float, places: int) -> str:
    """Never "-0"."""
    return f"{round(value, places) + 0.0:.{places}f}"


def _json_line(one: HeardToken, name: str | None) -> str:
    fields: dict[str, Any] = {"file": name} if name else {}
    fields.update(
        token=one.token.hex(), text=one.text, profile=one.profile, startSeconds=round(one.start_seconds, 6),
        snrDecibels=round(one.snr_decibels, 2), ebN0Decibels=round(one.ebn0_decibels, 2),
        speedMetersPerSecond=round(one.speed_meters_per_second, 3), repeats=one.repeats, lane=one.lane, checked=one.is_checked,
        channel=one.channel + 1)
    return json.dumps(fields)
