"""The cases of Fixtures/receive -> samples and what is expected of a receiver."""

from dataclasses import replace

import dsss
import token_field
from channel import NOISE_BANDWIDTH_HZ, SAMPLE_RATE_HZ, Channel, received
from corpus_cases import CASES, Foreign, Recording
from gmsk import Waveform
from splitmix64 import SplitMix64

#: Recorded before and after a frame, at least.
MARGIN_SECONDS = 0.04
#: Of the reported start.
START_TOLERANCE_SECONDS = 0.001
TRUNCATED_SHARE = 0.4
FOREIGN_FAMILY = 9
MADE_BY = "Tools/make-fixtures"


def seed_of(case: Recording | Foreign) -> int:
    """From the name, so that a case keeps its sound wherever it stands in the list.  Below 2^53, for JSON."""
    return int.from_bytes(case.name.encode(), "big") % ((1 << 53) - 111)


def token_of(case: Recording) -> bytes:
    generator = SplitMix64(seed_of(case))
    return bytes(generator.next() >> 56 for _ in range(case.length))


def start_seconds_of(case: Recording) -> float:
    """At no round number of samples or chips."""
    return round(MARGIN_SECONDS + 0.013 * (seed_of(case) % 97) / 97, 6)


def with_foreign_mask(info: list[int]) -> list[int]:
    """Info bits of an 8-byte token -> the same, but for the mask: the 16-byte class's short one.

    Far from any codeword whose check holds. All check bits flipped, say, would be a codeword at the code's least
    distance, which a list decoder may well take for noise and mend.
    """
    wrong = token_field.EXACT_MASK[8] ^ token_field.SHORT_MASK[16]
    check = -token_field.CHECK_BITS
    flips = token_field.bits_of(wrong, token_field.CHECK_BITS)
    return info[:check] + [bit ^ flip for bit, flip in zip(info[check:], flips)]


def chips_of(case: Recording) -> list[int]:
    """All chips, after what is wrong with the frame."""
    token = token_of(case)
    if case.defect == "family":
        return dsss.chips(token, replace(case.profile, scrambler_family=FOREIGN_FAMILY), case.lane)
    if case.defect == "crc":
        return dsss.chips_of_info(with_foreign_mask(token_field.info_bits(token)), case.profile, case.lane)
    chips = dsss.chips(token, case.profile, case.lane)
    return chips[:round(TRUNCATED_SHARE * len(chips))] if case.defect == "truncated" else chips


def samples_of(case: Recording | Foreign) -> list[float]:
    seed = seed_of(case)
    if isinstance(case, Foreign):
        return case.make(round(case.seconds * SAMPLE_RATE_HZ), seed)
    channel = replace(case.channel, start_seconds=start_seconds_of(case))
    # A frame that leaves lasts longer, by less than 1 %.
    seconds = channel.start_seconds + 1.01 * case.profile.duration_seconds + MARGIN_SECONDS
    make, gain = case.background
    background = [gain * sample for sample in make(round(seconds * SAMPLE_RATE_HZ), seed)]
    return received(Waveform(chips_of(case), case.profile), channel, background, seed)


def sidecar_of(case: Recording | Foreign) -> dict:
    """What the file beside the recording says."""
    frame = case if isinstance(case, Recording) else None
    heard = frame is not None and frame.defect is None
    channel = frame.channel if frame else Channel()
    return {
        "token": token_of(frame).hex() if frame else None,
        "profile": frame.profile.name if frame else None,
        "lane": frame.lane if frame else None,
        "sampleRateHz": SAMPLE_RATE_HZ,
        "seed": seed_of(case),
        "snrDecibels": channel.snr_decibels,
        "noiseBandwidthHz": NOISE_BANDWIDTH_HZ,
        "clockSkewPPM": channel.clock_skew_ppm,
        "speedMetersPerSecond": channel.speed_meters_per_second,
        "expect": {
            "outcome": "token" if heard else "nothing",
            "startSeconds": start_seconds_of(frame) if heard else None,
            "tolerance": START_TOLERANCE_SECONDS if heard else None,
        },
        "madeBy": MADE_BY,
        "origin": "synthetic",
    }
