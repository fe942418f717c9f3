"""Sending tokens: one frame as samples, or again and again, mixed into a programme or alone."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence

from . import _library, _profiles, _samples
from ._errors import ModemError
from ._handle import Handle

if TYPE_CHECKING:
    from ._profiles import TokenBytes
    from ._samples import Samples, Sound


def encode(token: TokenBytes, profile: str = "dsss", rate: float = 48_000, lane: int = 0) -> Samples:
    """One frame: float32 samples of one channel, peak 1. The waveform is made at `rate`, not resampled."""
    used = _profiles.named(profile)
    token = _profiles.check_token(token, used)
    rate = _profiles.check_rate(rate, [used])
    lane = _profiles.check_integer("lane", lane, _profiles.LANES)
    count = ctypes.c_size_t()
    arguments = (used.name.encode(), rate, lane, token, len(token))
    _library.check(_library.encode(*arguments, None, 0, ctypes.byref(count)))
    samples, address = _samples.new_samples(count.value)
    _library.check(_library.encode(*arguments, address, count.value, ctypes.byref(count)))
    return samples


class MixerStatus(NamedTuple):
    """What a mixer has done."""

    #: Whole frames since it was made.
    frames_sent: int
    #: True: a frame is on its way.
    is_sounding: bool
    #: Peak of the last frame's token; -200 before the first.
    level_dbfs: float
    #: The programme's mean power over 12 kHz of late; a full-scale square wave has 0.
    programme_dbfs: float


class Mixer(Handle):
    """Sends a token again and again, mixed into a programme or alone. Silent until it is given a token.

    One thread may call mix() or fill() while another one calls all the rest. The token goes to all channels alike.
    `every_seconds` is the time from one frame's beginning to the next; at least 0.2 s of pause remain. `jitter_seconds` lengthens
    it at random, so that boxes do not stay in step; `seed` makes that repeatable, 0 draws from the system.
    """

    _noun = "mixer"
    _destroy = _library.mixer_destroy
    _last_error = _library.mixer_last_error

    def __init__(
        self, profile: str = "dsss", rate: float = 48_000, channels: int = 1, format: str = "float32", lane: int = 0,
        every_seconds: float = 0, jitter_seconds: float = 0, seed: int = 0,
    ) -> None:
        super().__init__()
        self._profile = _profiles.named(profile)
        self._format = _samples.format_named(format)
        channels = _profiles.check_channels(channels)
        options = _library.MixerOptions(
            ctypes.sizeof(_library.MixerOptions), self._profile.name.encode(), _profiles.check_rate(rate, [self._profile]),
            channels, self._format.code, _profiles.check_integer("lane", lane, _profiles.LANES),
            _check_number("every_seconds", every_seconds, 0, 3600), _check_number("jitter_seconds", jitter_seconds, 0, 3600),
            _profiles.check_integer("seed", seed, range(2**64)))
        self._frame_bytes = self._format.width * channels
        _library.check(_library.mixer_create(ctypes.byref(options), ctypes.byref(self._handle)))

    def set_token(self, token: TokenBytes, frames: int = 0) -> None:
        """The token of the next frame and of those after it, `frames` of them, 0 for any number.

        A frame under way is finished first. Takes some milliseconds.
        """
        self.set_tokens([token], frames)

    def set_tokens(self, tokens: Sequence[TokenBytes], frames: int = 0) -> None:
        """Tokens that take turns, frame by frame."""
        if not tokens:
            raise ModemError("expected one token or more, not none: clear() ends the sending")
        checked = [_profiles.check_token(token, self._profile) for token in tokens]
        frames = _profiles.check_integer("frames", frames, range(2**32))
        pointers = (ctypes.c_char_p * len(checked))(*checked)
        counts = (ctypes.c_size_t * len(checked))(*[len(token) for token in checked])
        self._check(_library.mixer_set_tokens(self._open(), pointers, counts, len(checked), frames))

    def set_level(self, relative_decibels: float = -12, floor_dbfs: float = -38, ceiling_dbfs: float = -26) -> None:
        """How loud the next frames are: the programme's power over 12 kHz + `relative_decibels`, within floor and ceiling.

        fill() plays at the ceiling. The peak of a mixed token stays at the floor or over it wherever the programme has room.
        """
        level = _library.Level(
            ctypes.sizeof(_library.Level), _check_number("relative_decibels", relative_decibels, -60, 20),
            _check_number("floor_dbfs", floor_dbfs, -90, 0), _check_number("ceiling_dbfs", ceiling_dbfs, -90, 0))
        self._check(_library.mixer_set_level(self._open(), ctypes.byref(level)))

    def clear(self) -> None:
        """Sends nothing any more until it is given a token again. A frame under way is finished."""
        self._check(_library.mixer_clear(self._open()))

    def fade_out(self) -> None:
        """As clear(), but a frame under way fades out within 20 ms."""
        self._check(_library.mixer_fade_out(self._open()))

    def mix(self, samples: Sound) -> None:
        """Adds the token to the programme's next samples, in place. The sound does not depend on how many they are."""
        address, frames = self._place(samples)
        self._check(_library.mixer_mix(self._open(), address, frames))

    def fill(self, samples: Sound) -> None:
        """Writes the next samples: the token at the level's ceiling, or silence."""
        address, frames = self._place(samples)
        self._check(_library.mixer_fill(self._open(), address, frames))

    @property
    def status(self) -> MixerStatus:
        one = _library.MixerStatus(size=ctypes.sizeof(_library.MixerStatus))
        self._check(_library.mixer_get_status(self._open(), ctypes.byref(one)))
        return MixerStatus(one.frames_sent, bool(one.is_sounding), one.level_dbfs, one.programme_dbfs)

    def _place(self, samples: Any) -> tuple[Any, int]:
        view = _samples.view_of(samples)
        _samples.check_kind(view, self._format)
        return _samples.writable_address_of(samples, view), _samples.frame_count(view, self._frame_bytes)


def _check_number(name: str, value: float, least: float, most: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"expected a number as {name}, not {value!r}") from None
    if not least <= number <= most:
        raise ModemError(f"expected {least} to {most} as {name}, not {value}")
    return number
