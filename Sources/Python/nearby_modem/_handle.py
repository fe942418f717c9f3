"""What the C library has made for an object, until that is closed."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, TypeVar

from . import _library
from ._errors import ModemError

if TYPE_CHECKING:
    from types import TracebackType

_Self = TypeVar("_Self", bound="Handle")


class Handle:
    """Frees what the library has made when it is closed, at the end of a `with`, or when nobody has it any more."""

    #: What this is called in errors, and the library's functions for it.
    _noun: str
    _destroy: Any
    _last_error: Any

    def __init__(self) -> None:
        self._handle = ctypes.c_void_p()

    def close(self) -> None:
        """Frees its memory. No thread may be using it any more."""
        if self._handle:
            self._destroy(self._handle)
            self._handle.value = None

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __del__(self) -> None:
        # An interpreter that ends has perhaps unloaded the modules already; the system takes the memory then.
        if getattr(self, "_handle", None) and _library is not None:
            self.close()

    def _open(self) -> ctypes.c_void_p:
        if not self._handle:
            raise ModemError(f"expected an open {self._noun}, not a closed one: make a new one")
        return self._handle

    def _check(self, code: int) -> None:
        if code:
            _library.check(code, self._last_error(self._handle))
