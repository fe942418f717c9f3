"""The numbers of the waveform profiles, as the waveform page lists them."""

from dataclasses import dataclass

LANE_COUNT = 4
#: Below twice the upper band edge (20 kHz) the sound would fold onto itself.
MINIMUM_SAMPLE_RATE_HZ = 40_000.0


@dataclass(frozen=True)
class Profile:
    """One waveform.  Codes and signs are text of `+` and `-`, as on the page."""

    name: str
    chip_rate_hz: int
    gaussian_bt: float
    polar_length: int
    cluster_starts: tuple[int, ...]
    cluster_code: str
    cluster_signs: str
    segment_count: int
    ramp_chips: int
    scrambler_family: int
    carrier_hz: float = 19_200.0

    @property
    def segment_chips(self) -> int:
        """Data and pilot chips of one segment, n."""
        return self.polar_length + len(self.cluster_starts) * len(self.cluster_code)

    @property
    def chip_count(self) -> int:
        """All chips of a frame, M: both ramps and the segments."""
        return self.segment_count * self.segment_chips + 2 * self.ramp_chips

    @property
    def duration_seconds(self) -> float:
        return (self.chip_count + 2) / self.chip_rate_hz


DSSS_QUICK = Profile(
    "dsss-quick", 1500, 0.3, 512,
    (0, 99, 272, 401, 467, 617), "+-+-+----+----++-++--", "++-+--",
    segment_count=1, ramp_chips=15, scrambler_family=1)
DSSS = Profile(
    "dsss", 1200, 0.5, 1024,
    (0, 77, 136, 202, 322, 387, 449, 545, 655, 748, 802, 898, 947, 1062, 1166, 1236, 1336, 1449),
    "+--++-++-+-+-------+++---", "--+--+---+-----+++",
    segment_count=1, ramp_chips=12, scrambler_family=2)
DSSS_FAR = Profile(
    "dsss-far", 1200, 0.5, 1024, DSSS.cluster_starts, DSSS.cluster_code, "--+--++--++++-+++-",
    segment_count=3, ramp_chips=12, scrambler_family=3)
DSSS_WIDE = Profile(
    "dsss-wide", 3000, 0.3, 1024, DSSS.cluster_starts, DSSS.cluster_code, DSSS.cluster_signs,
    segment_count=1, ramp_chips=30, scrambler_family=4, carrier_hz=16_500.0)

ALL = (DSSS_QUICK, DSSS, DSSS_FAR, DSSS_WIDE)


def named(name: str) -> Profile:
    for profile in ALL:
        if profile.name == name:
            return profile
    raise ValueError(f"no profile named {name}; there are " + ", ".join(p.name for p in ALL))
