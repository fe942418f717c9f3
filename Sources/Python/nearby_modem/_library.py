"""The C library's functions and structures, as nearby_modem.h declares them. Calls release Python's lock."""
from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, Structure, c_char, c_char_p, c_double, c_float, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

from ._errors import ModemError

NAME = "libnearbymodem.so.1"
FORMAT_S16, FORMAT_S24_PACKED, FORMAT_S24, FORMAT_S32, FORMAT_FLOAT = 1, 2, 3, 4, 5
ERROR_BUFFER = 9


def _load() -> ctypes.CDLL:
    """Loads the wheel's own library; where there is none, as in a distribution's package, the system's."""
    beside = os.path.join(os.path.dirname(__file__), NAME)
    path = os.environ.get("NEARBY_MODEM_LIBRARY") or (beside if os.path.exists(beside) else NAME)
    try:
        library = ctypes.CDLL(path)
        library.nbm_version.restype = c_uint32
        version = int(library.nbm_version())
    except (OSError, AttributeError) as error:
        raise ImportError(
            f"expected a library that loads, not {path}: {error}; install a wheel made for this machine, or set "
            "NEARBY_MODEM_LIBRARY to the library's path"
        ) from None
    if version // 100 != 1 or version < 102:
        raise ImportError(
            f"expected version 1.2 or a later 1.x of the library, not {version // 100}.{version % 100}; install that: {path}")
    return library


_loaded = _load()


def _function(name: str, result: Any, *arguments: Any) -> Any:
    function = getattr(_loaded, "nbm_" + name)
    function.restype, function.argtypes = result, arguments
    return function


class Profile(Structure):
    _fields_ = [
        ("size", c_size_t), ("name", c_char * 40), ("band_low_hz", c_double), ("band_high_hz", c_double),
        ("seconds_on_air", c_double), ("min_token_bytes", c_uint32), ("max_token_bytes", c_uint32),
        ("min_sample_rate_hz", c_uint32), ("is_checked", c_uint32),
    ]


class MixerOptions(Structure):
    _fields_ = [
        ("size", c_size_t), ("profile", c_char_p), ("sample_rate_hz", c_uint32), ("channel_count", c_uint32), ("format", c_int),
        ("lane", c_uint32), ("every_seconds", c_double), ("jitter_seconds", c_double), ("seed", c_uint64),
    ]


class Level(Structure):
    _fields_ = [("size", c_size_t), ("relative_decibels", c_double), ("floor_dbfs", c_double), ("ceiling_dbfs", c_double)]


class MixerStatus(Structure):
    _fields_ = [
        ("size", c_size_t), ("frames_sent", c_uint64), ("is_sounding", c_uint32), ("level_dbfs", c_float),
        ("programme_dbfs", c_float), ("reserved", c_uint32),
    ]


class ReceiverOptions(Structure):
    _fields_ = [
        ("size", c_size_t), ("profiles", POINTER(c_char_p)), ("profile_count", c_size_t), ("sample_rate_hz", c_uint32),
        ("channel_count", c_uint32), ("format", c_int), ("channel", c_uint32),
    ]


class Report(Structure):
    _fields_ = [
        ("size", c_size_t), ("token", c_void_p), ("token_bytes", c_size_t), ("profile", c_char_p), ("start_seconds", c_double),
        ("start_frame", c_double), ("seconds_on_air", c_double), ("level_dbfs", c_float), ("snr_decibels", c_float),
        ("ebn0_decibels", c_float), ("speed_meters_per_second", c_float), ("repeats", c_uint32), ("lane", c_uint32),
        ("is_checked", c_uint32), ("reserved", c_uint32), ("channel", c_uint32),
    ]


OnToken = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Report))

error_string = _function("error_string", c_char_p, c_int)
profile_count = _function("profile_count", c_size_t)
profile_at = _function("profile_at", c_int, c_size_t, POINTER(Profile))
encode = _function("encode", c_int, c_char_p, c_uint32, c_uint32, c_char_p, c_size_t, c_void_p, c_size_t, POINTER(c_size_t))

mixer_create = _function("mixer_create", c_int, POINTER(MixerOptions), POINTER(c_void_p))
mixer_destroy = _function("mixer_destroy", None, c_void_p)
mixer_set_tokens = _function(
    "mixer_set_tokens", c_int, c_void_p, POINTER(c_char_p), POINTER(c_size_t), c_size_t, c_uint32)
mixer_set_level = _function("mixer_set_level", c_int, c_void_p, POINTER(Level))
mixer_clear = _function("mixer_clear", c_int, c_void_p)
mixer_fade_out = _function("mixer_fade_out", c_int, c_void_p)
mixer_mix = _function("mixer_mix", c_int, c_void_p, c_void_p, c_size_t)
mixer_fill = _function("mixer_fill", c_int, c_void_p, c_void_p, c_size_t)
mixer_get_status = _function("mixer_get_status", c_int, c_void_p, POINTER(MixerStatus))
mixer_last_error = _function("mixer_last_error", c_char_p, c_void_p)

receiver_create = _function("receiver_create", c_int, POINTER(ReceiverOptions), POINTER(c_void_p))
receiver_destroy = _function("receiver_destroy", None, c_void_p)
receiver_push = _function("receiver_push", c_int, c_void_p, c_void_p, c_size_t, OnToken, c_void_p)
receiver_skip = _function("receiver_skip", c_int, c_void_p, c_uint64, OnToken, c_void_p)
receiver_finish = _function("receiver_finish", c_int, c_void_p, OnToken, c_void_p)
receiver_last_error = _function("receiver_last_error", c_char_p, c_void_p)


def check(code: int, words: bytes = b"") -> None:
    """Raises what the library refused, in its own words for this call, or else in those for the code."""
    if code:
        raise ModemError((words or error_string(code)).decode(), code)
