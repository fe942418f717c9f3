"""Samples in memory: arrays of NumPy's, the standard library's arrays, and bytes, without a copy where that can be."""
from __future__ import annotations

import array
import ctypes
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from . import _library
from ._errors import ModemError

if TYPE_CHECKING:
    import numpy

    #: What encode() returns: float32, NumPy's array where NumPy is installed.
    Samples = Union["array.array[float]", "numpy.ndarray[Any, numpy.dtype[numpy.float32]]"]
    #: What holds samples, channels interleaved.
    Sound = Union[bytes, bytearray, memoryview, "array.array[Any]", "numpy.ndarray[Any, Any]"]

_ERROR_FORMAT = 6


class Format(NamedTuple):
    name: str
    code: int
    width: int
    #: The type of an array's elements that holds such samples.
    kind: str


#: int24 has three bytes a sample, int24_32 the lower three of four.
FORMATS = {
    one.name: one for one in (
        Format("int16", _library.FORMAT_S16, 2, "int16"), Format("int24", _library.FORMAT_S24_PACKED, 3, "bytes"),
        Format("int24_32", _library.FORMAT_S24, 4, "int32"), Format("int32", _library.FORMAT_S32, 4, "int32"),
        Format("float32", _library.FORMAT_FLOAT, 4, "float32"))
}


def format_named(name: str) -> Format:
    if name not in FORMATS:
        raise ModemError(f"expected {', '.join(FORMATS)} as format, not {name!r}", _ERROR_FORMAT)
    return FORMATS[name]


def kind_of(view: memoryview) -> str:
    """The name of its elements' type; "bytes" for bytes."""
    # Big-endian elements have another letter before theirs. A long's size is not told by its letter.
    letter = view.format.lstrip("@=<")
    if letter in ("B", "b", "c"):
        return "bytes"
    family = {"h": "int", "i": "int", "l": "int", "q": "int", "f": "float", "d": "float"}.get(letter)
    return f"{family}{8 * view.itemsize}" if family else repr(view.format)


def view_of(samples: Any) -> memoryview:
    try:
        return memoryview(samples)
    except TypeError:
        raise TypeError(
            f"expected samples as a NumPy array, array.array or bytes, not {type(samples).__name__}: "
            "array.array('f', samples) makes one of a list") from None


def check_kind(view: memoryview, format: Format) -> None:
    came = kind_of(view)
    if came not in ("bytes", format.kind):
        advice = f"convert them, or make this with format={came!r}" if came in FORMATS else "convert them"
        raise ModemError(f"expected {format.name} samples or bytes, not {came}: {advice}", _ERROR_FORMAT)


def frame_count(view: memoryview, frame_bytes: int) -> int:
    count, left = divmod(view.nbytes, frame_bytes)
    if left:
        raise ModemError(
            f"expected whole frames of {frame_bytes} bytes, not {view.nbytes} bytes: keep what is left over for the next call")
    return count


def address_of(samples: Any, view: memoryview) -> Any:
    """What ctypes takes as the samples' address, without a copy where that can be. The caller keeps `samples`."""
    if type(samples) is bytes or not view.nbytes:
        return samples if type(samples) is bytes else None
    if not view.c_contiguous:
        # A copy in C's order, as of one column of a stereo recording.
        return view.tobytes("C")
    if view.readonly:
        return samples.ctypes.data if hasattr(samples, "ctypes") else view.tobytes()
    return ctypes.byref(ctypes.c_char.from_buffer(samples))


def writable_address_of(samples: Any, view: memoryview) -> Any:
    if view.readonly:
        raise TypeError(
            f"expected samples that can be changed, not read-only {type(samples).__name__}: use a bytearray or an array")
    if not view.c_contiguous:
        raise TypeError(
            "expected samples that lie one after another, not part of an array: numpy.ascontiguousarray() copies them")
    return ctypes.byref(ctypes.c_char.from_buffer(samples)) if view.nbytes else None


def new_samples(count: int) -> tuple[Samples, Any]:
    """float32 samples and their address: NumPy's where it is installed, the standard library's else."""
    try:
        import numpy
    except ImportError:
        plain = array.array("f", bytes(4 * count))
        return plain, ctypes.byref(ctypes.c_char.from_buffer(plain))
    samples = numpy.empty(count, dtype=numpy.float32)
    return samples, samples.ctypes.data


def as_float32(samples: Any, view: memoryview) -> Any:
    """float64 samples as float32."""
    if hasattr(samples, "astype"):
        return samples.astype("float32", order="C")
    return array.array("f", array.array("d", view.tobytes()))
