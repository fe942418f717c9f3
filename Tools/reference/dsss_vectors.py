"""The DSSS vectors of Fixtures/encode: cases, and what each stage makes of them."""

import dsss
import polar
import token_field
import vector_file
from profiles import DSSS, DSSS_FAR, DSSS_QUICK, DSSS_WIDE, Profile
from vector_file import RUN_COUNT, RUN_LENGTH

#: Of a sample.  A phase pulse cut at 2.5 chips and one that is not differ by less than 1e-6.
SAMPLE_TOLERANCE = 1e-5

#: Profile, token bytes, lane, sample rate.
CASES = (
    (DSSS_QUICK, 8, 0, 48_000), (DSSS_QUICK, 4, 1, 48_000), (DSSS_QUICK, 16, 2, 48_000),
    (DSSS_QUICK, 17, 0, 44_100), (DSSS_QUICK, 32, 3, 48_000),
    (DSSS, 8, 0, 48_000), (DSSS, 1, 3, 48_000), (DSSS, 9, 2, 96_000), (DSSS, 31, 1, 48_000),
    (DSSS, 32, 0, 44_100),
    (DSSS_FAR, 8, 0, 48_000), (DSSS_FAR, 7, 3, 48_000), (DSSS_FAR, 16, 1, 48_000), (DSSS_FAR, 32, 2, 48_000),
    (DSSS_WIDE, 8, 0, 48_000), (DSSS_WIDE, 5, 3, 44_100), (DSSS_WIDE, 16, 2, 96_000), (DSSS_WIDE, 32, 1, 48_000),
)


def run_starts(sample_count: int) -> list[int]:
    """Evenly spread, the first at the first sample and the last run ending with the last sample."""
    return [i * (sample_count - RUN_LENGTH) // (RUN_COUNT - 1) for i in range(RUN_COUNT)]


def vector(profile: Profile, length: int, lane: int, sample_rate_hz: int) -> dict:
    token = vector_file.case_token(profile.scrambler_family, length, lane)
    info = token_field.info_bits(token)
    samples = dsss.waveform(token, profile, lane).samples(sample_rate_hz)
    return {
        "token": token.hex(),
        "profile": profile.name,
        "lane": lane,
        "infoBits": "".join(map(str, info)),
        "codedBits": "".join(map(str, polar.encode(info, profile.polar_length))),
        "chips": "".join("+" if chip > 0 else "-" for chip in dsss.chips(token, profile, lane)),
        **vector_file.sound_keys(samples, sample_rate_hz, run_starts(len(samples)), SAMPLE_TOLERANCE),
    }
