"""The numbers of the four FSK profiles, as their page (Sources/AcousticModem/FSK/README.md) lists them."""

from dataclasses import dataclass
from fractions import Fraction

import token_field

LANE_COUNT = 4
TONE_COUNT = 64
GLIDE_SECONDS = 0.0025
RAMP_SECONDS = Fraction(1, 100)
#: Check bits and zeros, at least.
LEAST_CHECKED_BITS = token_field.CHECK_BITS + 2


@dataclass(frozen=True)
class FSKProfile:
    """One waveform."""

    name: str
    scrambler_family: int
    #: At 48 kHz.
    symbol_samples: int
    sub_band_count: int
    lowest_bin: int
    bits_per_step: int
    sync_count: int

    @property
    def symbol_seconds(self) -> Fraction:
        """T."""
        return Fraction(self.symbol_samples, 48_000)

    @property
    def band_hz(self) -> tuple[Fraction, Fraction]:
        """The lowest and the highest tone."""
        highest_bin = self.lowest_bin + TONE_COUNT * self.sub_band_count - 1
        return self.lowest_bin / self.symbol_seconds, highest_bin / self.symbol_seconds

    def data_count(self, capacity: int) -> int:
        """Data symbols of a frame, n."""
        return -((8 * capacity + LEAST_CHECKED_BITS) // -self.bits_per_step)        # rounded up

    @property
    def period(self) -> int:
        """Symbols after which sync places repeat, P."""
        return self.data_count(token_field.CAPACITIES[0]) + self.sync_count - 1


FSK = FSKProfile("fsk", 1, 2080, 1, 802, bits_per_step=3, sync_count=4)
FSK_LONG = FSKProfile("fsk-long", 2, 2080, 1, 802, bits_per_step=2, sync_count=5)
FSK_AUDIBLE = FSKProfile("fsk-audible", 3, 2048, 3, 54, bits_per_step=3, sync_count=7)
FSK_TELEPHONE = FSKProfile("fsk-telephone", 4, 2048, 2, 15, bits_per_step=3, sync_count=7)

ALL = (FSK, FSK_LONG, FSK_AUDIBLE, FSK_TELEPHONE)


def named(name: str) -> FSKProfile:
    for profile in ALL:
        if profile.name == name:
            return profile
    raise ValueError(f"no profile named {name}; there are " + ", ".join(p.name for p in ALL))
