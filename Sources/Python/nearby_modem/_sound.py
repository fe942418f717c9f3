"""Sending and hearing by this machine's sound devices, through the package sounddevice, which is imported when first needed."""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Iterable, Iterator

from ._errors import SoundError
from ._mixer import Mixer
from ._receiver import HeardToken, Receiver

if TYPE_CHECKING:
    from ._profiles import TokenBytes

#: Samples are read and written in parts of this length.
_PART_SECONDS = 0.02


def transmit(
    token: TokenBytes, profile: str = "dsss", frames: int = 1, seconds: float | None = None, every_seconds: float = 0,
    level_dbfs: float = -6, lane: int = 0, device: int | str | None = None, rate: float = 48_000,
) -> int:
    """Plays a token `frames` times, 0 for any number, or until `seconds` are over. Returns how many whole frames were played.

    `level_dbfs` is the token's peak. `device` is a number or part of a name, as `python -m sounddevice` lists them.
    """
    with Mixer(profile, rate, lane=lane, every_seconds=every_seconds) as mixer:
        mixer.set_level(floor_dbfs=min(-38, level_dbfs), ceiling_dbfs=level_dbfs)
        mixer.set_token(token, frames)
        part = bytearray(4 * round(rate * _PART_SECONDS))
        left = None if seconds is None else round(seconds / _PART_SECONDS)
        with _Stream("RawOutputStream", device, rate, 1) as stream:
            while left != 0 and not (frames and mixer.status.frames_sent >= frames):
                mixer.fill(part)
                stream.write(part)
                left = None if left is None else left - 1
        return mixer.status.frames_sent


def input_channels(device: int | str | None, most: int) -> int:
    """The number of channels that a device records; two of one that makes as many as are asked for, as sound servers do."""
    sounddevice = _sounddevice()
    try:
        count = int(sounddevice.query_devices(device, "input")["max_input_channels"])
    except (sounddevice.PortAudioError, ValueError) as error:
        raise _failure(device, error) from None
    return count if count <= most else 2


def listen(
    profiles: str | Iterable[str] = "dsss", seconds: float | None = None, device: int | str | None = None, rate: float = 48_000,
    channels: int = 1, channel: int | None = 0,
) -> Iterator[HeardToken]:
    """Yields tokens from a microphone as they are heard, without end or until `seconds` are over.

    Sound that the device loses shortens the times of what follows by as much.
    """
    receiver = Receiver(profiles, rate, channels, channel)
    return _heard(receiver, seconds, device, rate, channels)


def _heard(
    receiver: Receiver, seconds: float | None, device: int | str | None, rate: float, channels: int
) -> Iterator[HeardToken]:
    count = round(rate * _PART_SECONDS)
    left = None if seconds is None else round(seconds / _PART_SECONDS)
    with receiver, _Stream("RawInputStream", device, rate, channels) as stream:
        while left != 0:
            part, _ = stream.read(count)
            yield from receiver.push(bytes(part))
            left = None if left is None else left - 1
        yield from receiver.finish()


class _Stream:
    """A stream of sounddevice's, whose errors are SoundError, each with a way out."""

    def __init__(self, kind: str, device: int | str | None, rate: float, channels: int) -> None:
        sounddevice = _sounddevice()
        self._error: Any = sounddevice.PortAudioError
        try:
            self._stream = getattr(sounddevice, kind)(samplerate=rate, channels=channels, dtype="float32", device=device)
        except (self._error, ValueError) as error:
            raise _failure(device, error) from None
        self._device = device

    def __enter__(self) -> Any:
        self._stream.start()
        return self._stream

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        # stop() plays what is left; after an error nothing is waited for.
        if kind is None:
            self._stream.stop()
        self._stream.close()
        if isinstance(error, self._error):
            raise _failure(self._device, error) from None


def _failure(device: int | str | None, error: Exception) -> SoundError:
    name = "default device" if device is None else f"device {device!r}"
    words = " ".join(str(error).split())
    return SoundError(f"expected a sound device that works, but the {name} does not: {words}; 'python -m sounddevice' lists them")


def _sounddevice() -> Any:
    try:
        return importlib.import_module("sounddevice")
    except ModuleNotFoundError:
        raise SoundError("expected the package sounddevice, which is not installed: pip install 'nearby-modem[sound]'") from None
    except OSError:
        raise SoundError("expected PortAudio's library, which is not installed: apt install libportaudio2") from None
