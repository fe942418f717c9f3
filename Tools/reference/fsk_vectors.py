"""The FSK vectors of Fixtures/encode: cases, and what each stage makes of them."""

import fsk
import sync_tones
import token_field
import vector_file
from fsk_profiles import FSK, FSK_AUDIBLE, FSK_LONG, FSK_TELEPHONE, GLIDE_SECONDS, RAMP_SECONDS, FSKProfile
from vector_file import RUN_COUNT, RUN_LENGTH

#: Of a sample: rounding to 32 bits, with room for the arithmetic of phases.
SAMPLE_TOLERANCE = 1e-6

#: Profile, token bytes, lane, sample rate.
CASES = (
    (FSK, 8, 0, 48_000), (FSK, 1, 1, 48_000), (FSK, 9, 2, 48_000), (FSK, 16, 3, 48_000),
    (FSK, 17, 1, 96_000), (FSK, 32, 0, 44_100),
    (FSK_LONG, 8, 1, 48_000), (FSK_LONG, 1, 0, 96_000), (FSK_LONG, 9, 3, 48_000), (FSK_LONG, 16, 2, 44_100),
    (FSK_LONG, 17, 0, 48_000), (FSK_LONG, 32, 3, 48_000),
    (FSK_AUDIBLE, 8, 2, 48_000), (FSK_AUDIBLE, 1, 3, 48_000), (FSK_AUDIBLE, 9, 0, 44_100),
    (FSK_AUDIBLE, 16, 1, 48_000), (FSK_AUDIBLE, 17, 2, 48_000), (FSK_AUDIBLE, 32, 1, 16_000),
    (FSK_TELEPHONE, 8, 3, 48_000), (FSK_TELEPHONE, 1, 2, 8000), (FSK_TELEPHONE, 9, 1, 48_000),
    (FSK_TELEPHONE, 16, 0, 48_000), (FSK_TELEPHONE, 17, 3, 44_100), (FSK_TELEPHONE, 32, 2, 8000),
)


def run_starts(profile: FSKProfile, symbol_count: int, sample_count: int, sample_rate_hz: int) -> list[int]:
    """The first samples, the last ones, and between them parts of glides: first, middle and last thirds in turn."""
    starts = [0]
    for i in range(1, RUN_COUNT - 1):
        boundary = RAMP_SECONDS + i * symbol_count // (RUN_COUNT - 1) * profile.symbol_seconds
        middle = float(boundary) + (i % 3 - 1) * GLIDE_SECONDS / 3
        starts.append(round(middle * sample_rate_hz) - RUN_LENGTH // 2)
    return starts + [sample_count - RUN_LENGTH]


def vector(profile: FSKProfile, length: int, lane: int, sample_rate_hz: int) -> dict:
    token = vector_file.case_token(profile.scrambler_family, length, lane)
    tones = fsk.tones(token, profile, lane)
    samples = fsk.waveform(token, profile, lane).samples(sample_rate_hz)
    starts = run_starts(profile, len(tones), len(samples), sample_rate_hz)
    return {
        "token": token.hex(),
        "profile": profile.name,
        "lane": lane,
        "infoBits": "".join(map(str, fsk.info_bits(token, profile))),
        "labels": fsk.labels(token, profile),
        "dataTones": fsk.data_tones(token, profile, lane),
        "syncSymbols": sync_tones.sync_places(profile, token_field.capacity_of(token)),
        "tones": tones,
        **vector_file.sound_keys(samples, sample_rate_hz, starts, SAMPLE_TOLERANCE),
    }
