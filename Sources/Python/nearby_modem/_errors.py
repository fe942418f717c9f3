"""What is raised. Each error is one line: what was expected, what came, what to do."""
from __future__ import annotations


class ModemError(ValueError):
    """An argument that the modem does not take. `code` is the C library's nbm_result."""

    def __init__(self, words: str, code: int = 8) -> None:
        super().__init__(words)
        self.code = code


class SoundError(OSError):
    """A sound device, or what is needed to reach one, is not there."""
