"""WAV files and headerless samples as chunks of bytes, which a Receiver takes as they are; and a frame as a WAV file."""
from __future__ import annotations

import array
import struct
import sys
from typing import TYPE_CHECKING, BinaryIO, Iterator, NamedTuple

if TYPE_CHECKING:
    from ._samples import Samples

_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_FORMATS = {(_PCM, 16): "int16", (_PCM, 24): "int24", (_PCM, 32): "int32", (_FLOAT, 32): "float32"}
#: Frames that are read at a time: a tenth of a second at 48 kHz.
_PART_FRAMES = 4800


class BadSound(Exception):
    """The input is not sound that this command reads."""


class SoundFormat(NamedTuple):
    rate: int
    channels: int
    #: As Receiver takes it.
    format: str
    frame_bytes: int


def raw_format(name: str, rate: int, channels: int) -> SoundFormat:
    """Headerless samples: s16, s24, s32 or f32."""
    format, width = {"s16": ("int16", 2), "s24": ("int24", 3), "s32": ("int32", 4), "f32": ("float32", 4)}[name]
    return SoundFormat(rate, channels, format, width * channels)


def read_header(source: BinaryIO) -> SoundFormat:
    """Reads a WAV file up to its samples. The length that the header states is not read: pipes do not know it."""
    head = source.read(12)
    if head[:4] not in (b"RIFF", b"RF64") or head[8:] != b"WAVE":
        raise BadSound("expected a WAV file; convert it, or for headerless samples say --raw")
    format = None
    while True:
        chunk = source.read(8)
        if len(chunk) < 8:
            raise BadSound("expected samples in the WAV file, which ends before them; it was cut")
        name, size = struct.unpack("<4sI", chunk)
        if name == b"data":
            break
        body = source.read(size + size % 2)
        if name == b"fmt ":
            format = _format(body)
    if format is None:
        raise BadSound("expected a format before the samples of the WAV file; it is damaged")
    return format


def _format(body: bytes) -> SoundFormat:
    if len(body) < 16:
        raise BadSound(f"expected 16 bytes or more of format in the WAV file, not {len(body)}; it is damaged")
    code, channels, rate, _, frame_bytes, bits = struct.unpack_from("<HHIIHH", body)
    if code == _EXTENSIBLE and len(body) >= 26:
        code = struct.unpack_from("<H", body, 24)[0]
    format = _FORMATS.get((code, bits))
    if format is None or frame_bytes != channels * bits // 8:
        raise BadSound(
            f"expected samples of 16, 24 or 32 bits or float32, not WAV format {code} with {bits} bits; convert the file")
    return SoundFormat(rate, channels, format, frame_bytes)


def parts(source: BinaryIO, format: SoundFormat) -> Iterator[bytes]:
    """The samples, some at a time, whole frames; of a pipe as they come."""
    # read1 returns what a pipe has by now.
    read = getattr(source, "read1", source.read)
    kept = b""
    while True:
        part = read(_PART_FRAMES * format.frame_bytes)
        if not part:
            return
        kept += part
        whole = len(kept) - len(kept) % format.frame_bytes
        if whole:
            yield kept[:whole]
            kept = kept[whole:]


def wav_of(samples: Samples, rate: int, level_dbfs: float) -> bytes:
    """A WAV file of 16 bits, one channel."""
    gain = 10 ** (level_dbfs / 20) * 32768
    words = array.array("h", (_rounded(gain * sample) for sample in samples))
    if sys.byteorder == "big":
        words.byteswap()
    data = words.tobytes()
    head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, _PCM, 1, rate, 2 * rate, 2, 16,
                       b"data", len(data))
    return head + data


def _rounded(value: float) -> int:
    """Rounds halves away from zero and cuts at full scale, as `nearby-modem` does."""
    return min(int(value + 0.5), 32767) if value >= 0 else -int(0.5 - value)
