"""Hearing tokens: a stream of sound in chunks, or a whole recording."""
from __future__ import annotations

import ctypes
import threading
from typing import TYPE_CHECKING, Any, Iterable, NamedTuple

from . import _library, _profiles, _samples
from ._errors import ModemError
from ._handle import Handle

if TYPE_CHECKING:
    from ._samples import Sound


class HeardToken(NamedTuple):
    """A token that was heard."""

    token: bytes
    profile: str
    #: Where its frame begins, from the beginning of the sound.
    start_seconds: float
    #: How long its frame is.
    seconds_on_air: float
    #: Level of its band while it sounded; a full-scale sine has 0.
    level_dbfs: float
    #: Frame over noise in its band.
    snr_decibels: float
    #: Energy for each of its bits over the noise's density.
    ebn0_decibels: float
    #: Speed at which sender and receiver approach.
    speed_meters_per_second: float
    #: Frames that were combined to hear it.
    repeats: int
    #: The sender's lane, 0 to 3.
    lane: int
    #: True: check bits held. False, as with ggwave's profiles: the token is only likely.
    is_checked: bool
    #: The channel that heard it, from 0; of several together, the best.
    channel: int = 0

    @property
    def text(self) -> str | None:
        """The token as text; None if it is not printable UTF-8."""
        try:
            text = self.token.decode()
        except UnicodeDecodeError:
            return None
        return text if text.isprintable() else None


class Receiver(Handle):
    """Hears tokens in sound that is pushed in chunks of any size: what is heard does not depend on the sizes.

    `profiles` is a profile's name or several; "auto" stands for all but dsss-wide. Each costs its own search. `format` is what
    bytes hold; arrays must be of that type. Of several channels, the one at index `channel` is listened to; None: all of them, as
    the microphones of an array, which together hear fainter frames of the dsss profiles. A frame is told of once.
    """

    _noun = "receiver"
    _destroy = _library.receiver_destroy
    _last_error = _library.receiver_last_error

    def __init__(
        self, profiles: str | Iterable[str] = "dsss", rate: float = 48_000, channels: int = 1,
        channel: int | None = 0, format: str = "float32",
    ) -> None:
        super().__init__()
        used = _profiles.chosen(profiles)
        names = (ctypes.c_char_p * len(used))(*[profile.name.encode() for profile in used])
        self._format = _samples.format_named(format)
        channels = _profiles.check_channels(channels)
        options = _library.ReceiverOptions(
            ctypes.sizeof(_library.ReceiverOptions), names, len(used), _profiles.check_rate(rate, used), channels,
            self._format.code, _profiles.check_channel(channel, channels))
        self._frame_bytes = self._format.width * channels
        # A receiver may be used by one thread at a time.
        self._lock = threading.Lock()
        self._heard: list[HeardToken] = []
        self._on_token = _library.OnToken(_collector(self._heard))
        _library.check(_library.receiver_create(ctypes.byref(options), ctypes.byref(self._handle)))

    def push(self, samples: Sound) -> list[HeardToken]:
        """Takes the next samples, channels interleaved. Returns the tokens that are settled by now.

        Loud frames are settled 0.1 s after their end, others of the dsss profiles a second or so, of the others four or five.
        """
        view = _samples.view_of(samples)
        _samples.check_kind(view, self._format)
        frames = _samples.frame_count(view, self._frame_bytes)
        address = _samples.address_of(samples, view)
        with self._lock:
            self._check(_library.receiver_push(self._open(), address, frames, self._on_token, None))
            return self._take()

    def skip(self, frames: int) -> list[HeardToken]:
        """Sound that was lost, as by an overrun: time goes on by so many frames."""
        frames = _profiles.check_integer("frames", frames, range(2**53 + 1))
        with self._lock:
            self._check(_library.receiver_skip(self._open(), frames, self._on_token, None))
            return self._take()

    def finish(self) -> list[HeardToken]:
        """The end of the sound. Returns what silence after it would bring out; the receiver then begins anew, at 0 s."""
        with self._lock:
            self._check(_library.receiver_finish(self._open(), self._on_token, None))
            return self._take()

    def close(self) -> None:
        """Frees its memory. A closed receiver takes no more sound."""
        with self._lock:
            super().close()

    def _take(self) -> list[HeardToken]:
        if not self._heard:
            return []
        heard = self._heard[:]
        self._heard.clear()
        return heard


def _collector(heard: list[HeardToken]) -> Any:
    """A callback that adds to `heard`. It holds no receiver, so that a receiver is freed as soon as nobody has it."""

    def collect(_context: Any, report: Any) -> None:
        one = report.contents
        heard.append(HeardToken(
            ctypes.string_at(one.token, one.token_bytes), one.profile.decode(), one.start_seconds, one.seconds_on_air,
            one.level_dbfs, one.snr_decibels, one.ebn0_decibels, one.speed_meters_per_second, one.repeats, one.lane,
            bool(one.is_checked), one.channel))

    return collect


def decode(
    samples: Sound, rate: float = 48_000, profiles: str | Iterable[str] = "dsss", channel: int | None = 0,
    channels: int | None = None, format: str = "int16",
) -> list[HeardToken]:
    """Hears the tokens of a whole recording.

    `samples` is an array of samples, or of frames × channels: int16, int32, float32 or float64, full scale ±1. Bytes hold
    samples of `format`. `channels` is how many are interleaved in bytes or in an array of one dimension; 1 if it is not given.
    `channel`: as for a Receiver.
    """
    view = _samples.view_of(samples)
    if view.ndim > 2:
        raise ModemError(f"expected an array of samples, or of frames × channels, not one of {view.ndim} dimensions")
    kind = _samples.kind_of(view)
    if kind == "float64":
        samples, kind = _samples.as_float32(samples, view), "float32"
    if kind != "bytes" and kind not in _samples.FORMATS:
        raise ModemError(f"expected int16, int32, float32 or float64 samples, or bytes, not {kind}: convert them", 6)
    if kind != "bytes" and kind != _samples.format_named(format).kind:
        format = kind
    columns = view.shape[1] if view.ndim == 2 and view.shape else None
    if channels is not None and columns not in (None, channels):
        raise ModemError(f"expected the array's {columns} channels, not channels={channels}: leave it out")
    channels = channels or columns or 1
    with Receiver(profiles, rate, channels, channel, format) as receiver:
        return receiver.push(samples) + receiver.finish()
