"""Mono 16-bit WAV files.  Full scale is 1."""

import array
import sys
import wave


def quantized(samples: list[float]) -> array.array:
    """-1 ... +1 -> 16-bit integers; what exceeds them is clipped."""
    return array.array("h", (max(-32_768, min(32_767, round(32_768 * s))) for s in samples))


def write(path, samples: list[float], sample_rate_hz: int) -> None:
    data = quantized(samples)
    if sys.byteorder == "big":
        data.byteswap()
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(sample_rate_hz)
        file.writeframes(data.tobytes())


def read(path) -> tuple[list[float], int]:
    """Samples and their rate."""
    with wave.open(str(path), "rb") as file:
        if (file.getnchannels(), file.getsampwidth()) != (1, 2):
            raise ValueError(f"{path}: a mono 16-bit WAV file was expected")
        data = array.array("h", file.readframes(file.getnframes()))
        if sys.byteorder == "big":
            data.byteswap()
        return [s / 32_768 for s in data], file.getframerate()
