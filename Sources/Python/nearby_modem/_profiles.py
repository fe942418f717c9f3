"""The modem's profiles, and the checks of arguments that encoders, mixers and receivers share."""
from __future__ import annotations

import ctypes
from typing import Any, Iterable, NamedTuple, Sequence, Union

from . import _library
from ._errors import ModemError

RATES_HZ = range(8_000, 384_001)
LANES = range(4)
CHANNELS = range(1, 9)
_ERROR_PROFILE, _ERROR_RATE, _ERROR_CHANNELS, _ERROR_TOKEN, _ERROR_RANGE = 3, 4, 5, 7, 8
_ALL_CHANNELS = 2**32 - 1

TokenBytes = Union[bytes, bytearray, memoryview]


class Profile(NamedTuple):
    """A waveform: both ends must have the same."""

    name: str
    band_low_hz: float
    band_high_hz: float
    #: Length of a frame with a token of 8 bytes.
    seconds_on_air: float
    min_token_bytes: int
    max_token_bytes: int
    #: Lowest sample rate that holds the band.
    min_rate: int
    #: True: check bits tell tokens from chance. False: a token heard is only likely.
    is_checked: bool


def _read(index: int) -> Profile:
    one = _library.Profile(size=ctypes.sizeof(_library.Profile))
    _library.check(_library.profile_at(index, ctypes.byref(one)))
    return Profile(
        one.name.decode(), one.band_low_hz, one.band_high_hz, one.seconds_on_air, one.min_token_bytes, one.max_token_bytes,
        one.min_sample_rate_hz, bool(one.is_checked))


_all: dict[str, Profile] = {}


def profiles() -> list[Profile]:
    """All profiles. The first is "dsss", the default; the last, "dsss-wide", is heard only where it is named."""
    if not _all:
        found = [_read(index) for index in range(_library.profile_count())]
        _all.update({profile.name: profile for profile in found})
    return list(_all.values())


def named(name: str) -> Profile:
    """Returns the profile of that name, or raises with the names that there are."""
    known = profiles()
    if not isinstance(name, str):
        raise TypeError(f"expected a profile's name, such as 'dsss', not {type(name).__name__}")
    if name not in _all:
        raise ModemError(
            f"expected a profile's name, not {name!r}: there are {', '.join(profile.name for profile in known)}", _ERROR_PROFILE)
    return _all[name]


def chosen(names: str | Iterable[str]) -> list[Profile]:
    """Profiles to listen for: a name or several; "auto" stands for all but dsss-wide, "ggwave" for all of ggwave's."""
    chosen: dict[str, Profile] = {}
    for name in [names] if isinstance(names, str) else names:
        if name == "auto":
            found = [profile for profile in profiles() if profile.name != "dsss-wide"]
        elif name == "ggwave":
            found = [profile for profile in profiles() if profile.name.startswith("ggwave-")]
        else:
            found = [named(name)]
        chosen.update({profile.name: profile for profile in found})
    if not chosen:
        raise ModemError("expected one profile or more, not none: 'dsss' is the default, 'auto' stands for all", _ERROR_PROFILE)
    return list(chosen.values())


def check_integer(name: str, value: int, allowed: range, code: int = _ERROR_RANGE) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"expected a whole number as {name}, not {value!r}")
    if value.__index__() not in allowed:
        raise ModemError(f"expected {allowed[0]} to {allowed[-1]} as {name}, not {value}", code)
    return value.__index__()


def check_rate(rate: float, used: Sequence[Profile]) -> int:
    # Libraries that read sound files often say the rate as a float.
    whole: Any = int(rate) if isinstance(rate, float) and rate.is_integer() else rate
    rate = check_integer("rate", whole, RATES_HZ, _ERROR_RATE)
    for profile in used:
        if rate < profile.min_rate:
            raise ModemError(
                f"expected a rate of {profile.min_rate} Hz or more for {profile.name}, not {rate}: record or play faster, or "
                "choose a profile of a lower band", _ERROR_RATE)
    return rate


def check_channels(count: int) -> int:
    return check_integer("channels", count, CHANNELS, _ERROR_CHANNELS)


def check_channel(channel: int | None, count: int) -> int:
    """The index that the library takes; None: all channels."""
    if channel is None:
        return _ALL_CHANNELS
    return check_integer("channel", channel, range(count), _ERROR_CHANNELS)


def check_token(token: TokenBytes, profile: Profile) -> bytes:
    if isinstance(token, str):
        raise TypeError("expected the token as bytes, not str: encode it, as in token.encode()")
    if not isinstance(token, (bytes, bytearray, memoryview)):
        raise TypeError(f"expected the token as bytes, not {type(token).__name__}")
    token = bytes(token)
    if not profile.min_token_bytes <= len(token) <= profile.max_token_bytes:
        raise ModemError(
            f"expected a token of {profile.min_token_bytes} to {profile.max_token_bytes} bytes for {profile.name}, not "
            f"{len(token)}", _ERROR_TOKEN)
    return token
