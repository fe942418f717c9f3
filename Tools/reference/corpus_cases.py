"""The cases of Fixtures/receive: recordings that hold a token, and recordings that hold none."""

from collections.abc import Callable
from dataclasses import dataclass, field

import foreign_sounds as foreign
from channel import DIRECT, Channel, Path
from profiles import DSSS, DSSS_QUICK, Profile


@dataclass(frozen=True)
class Recording:
    """A recording with a frame in it."""

    profile: Profile
    length: int
    condition: str
    channel: Channel = field(default_factory=Channel)
    lane: int = 0
    #: What else sounds, and its gain.
    background: tuple[Callable[[int, int], list[float]], float] = (foreign.silence, 0.0)
    #: What is wrong with the frame, so that nothing may be heard: "truncated", "crc" or "family".
    defect: str | None = None

    @property
    def name(self) -> str:
        return f"{self.profile.name}_{self.length}byte_{self.condition}"


@dataclass(frozen=True)
class Foreign:
    """A recording without any frame."""

    condition: str
    make: Callable[[int, int], list[float]]
    seconds: float = 0.9

    @property
    def name(self) -> str:
        return f"none_{self.condition}"


ECHO = (DIRECT, Path(0.0037, 0.7))
TWO_ECHOES = (DIRECT, Path(0.0024, -0.6), Path(0.0111, 0.4))

CASES = (
    Recording(DSSS_QUICK, 8, "clean"),
    Recording(DSSS_QUICK, 1, "quiet", Channel(level=0.0003, snr_decibels=20)),
    Recording(DSSS_QUICK, 4, "snr+1_lane1", Channel(snr_decibels=1), lane=1),
    Recording(DSSS_QUICK, 16, "snr+6_skew+100", Channel(snr_decibels=6, clock_skew_ppm=100)),
    Recording(DSSS_QUICK, 32, "snr+9", Channel(snr_decibels=9)),
    Recording(DSSS_QUICK, 8, "snr+4_approaching", Channel(snr_decibels=4, speed_meters_per_second=1.4)),
    Recording(DSSS_QUICK, 7, "snr+4_leaving_lane2", Channel(snr_decibels=4, speed_meters_per_second=-1.4), lane=2),
    Recording(DSSS_QUICK, 8, "snr+6_echo", Channel(snr_decibels=6, paths=ECHO)),
    Recording(DSSS_QUICK, 8, "snr+20_clipped", Channel(level=0.25, snr_decibels=20, clip_at=0.125)),
    Recording(DSSS_QUICK, 8, "snr+6_tone19k", Channel(snr_decibels=6, tone=(19_000.0, 0.025))),
    Recording(DSSS_QUICK, 8, "snr+6_music", Channel(snr_decibels=6), background=(foreign.music, 0.5)),
    Recording(DSSS_QUICK, 8, "snr+10_typing", Channel(level=0.005, snr_decibels=10), background=(foreign.typing, 1.0)),
    Recording(DSSS_QUICK, 8, "snr+10_clap", Channel(level=0.005, snr_decibels=10), background=(foreign.clap, 1.0)),
    Recording(DSSS, 8, "snr+6_clap", Channel(level=0.005, snr_decibels=6), background=(foreign.clap, 1.0)),
    Recording(DSSS, 9, "snr+6_sensor", Channel(level=0.005, snr_decibels=6), background=(foreign.sensor, 1.0)),
    Recording(DSSS, 8, "snr-4", Channel(snr_decibels=-4)),
    Recording(DSSS, 9, "snr+0_skew-60_approaching_lane3",
              Channel(snr_decibels=0, clock_skew_ppm=-60, speed_meters_per_second=1.0), lane=3),
    Recording(DSSS, 16, "snr+2_echo", Channel(snr_decibels=2, paths=TWO_ECHOES)),
    Recording(DSSS, 32, "snr+3", Channel(snr_decibels=3)),
    Recording(DSSS, 31, "snr+6_offset_leaving", Channel(snr_decibels=6, offset=0.3, speed_meters_per_second=-0.7)),
    Recording(DSSS, 32, "snr+0_truncated", Channel(snr_decibels=0), defect="truncated"),
    Recording(DSSS_QUICK, 8, "snr+12_crcbroken", Channel(snr_decibels=12), defect="crc"),
    Recording(DSSS_QUICK, 8, "snr+12_family9", Channel(snr_decibels=12), defect="family"),
    Foreign("silence", foreign.silence),
    Foreign("noise", foreign.white_noise, 1.4),
    Foreign("music", foreign.music, 1.4),
    Foreign("speech", foreign.speech, 1.4),
    Foreign("clicks", foreign.clicks),
    Foreign("sweep", foreign.sweep, 1.4),
    Foreign("typing", foreign.typing, 1.4),
    Foreign("sensor", foreign.sensor, 1.4),
    Foreign("msk", foreign.foreign_msk, 1.4),
)
