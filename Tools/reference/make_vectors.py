#!/usr/bin/env python3
"""Fixtures/encode: each stage of the encoder, for tokens of every class, profile and lane.

Compares the committed vectors with this model and exits 1 where they differ; --write writes them.
"""

import json
import math
import sys
from pathlib import Path

import dsss
import polar
import token_field
from profiles import DSSS, DSSS_FAR, DSSS_QUICK, Profile
from splitmix64 import SplitMix64

FOLDER = Path(__file__).resolve().parents[2] / "Fixtures" / "encode"
RUN_LENGTH = 40
RUN_COUNT = 10
#: Of a sample.  A phase pulse cut at 2.5 chips and one that is not differ by less than 1e-6.
SAMPLE_TOLERANCE = 1e-5

#: Profile, token bytes, lane, sample rate.
CASES = (
    (DSSS_QUICK, 8, 0, 48_000), (DSSS_QUICK, 4, 1, 48_000), (DSSS_QUICK, 16, 2, 48_000),
    (DSSS_QUICK, 17, 0, 44_100), (DSSS_QUICK, 32, 3, 48_000),
    (DSSS, 8, 0, 48_000), (DSSS, 1, 3, 48_000), (DSSS, 9, 2, 96_000), (DSSS, 31, 1, 48_000),
    (DSSS, 32, 0, 44_100),
    (DSSS_FAR, 8, 0, 48_000), (DSSS_FAR, 7, 3, 48_000), (DSSS_FAR, 16, 1, 48_000), (DSSS_FAR, 32, 2, 48_000),
)


def case_token(profile: Profile, length: int, lane: int) -> bytes:
    generator = SplitMix64(profile.scrambler_family << 16 | length << 8 | lane)
    return bytes(generator.next() >> 56 for _ in range(length))


def run_starts(sample_count: int) -> list[int]:
    """Evenly spread, the first at the first sample and the last run ending with the last sample."""
    return [i * (sample_count - RUN_LENGTH) // (RUN_COUNT - 1) for i in range(RUN_COUNT)]


def vector(profile: Profile, length: int, lane: int, sample_rate_hz: int) -> dict:
    token = case_token(profile, length, lane)
    info = token_field.info_bits(token)
    samples = dsss.waveform(token, profile, lane).samples(sample_rate_hz)
    return {
        "token": token.hex(),
        "profile": profile.name,
        "lane": lane,
        "infoBits": "".join(map(str, info)),
        "codedBits": "".join(map(str, polar.encode(info, profile.polar_length))),
        "chips": "".join("+" if chip > 0 else "-" for chip in dsss.chips(token, profile, lane)),
        "sampleRateHz": sample_rate_hz,
        "sampleCount": len(samples),
        "sampleTolerance": SAMPLE_TOLERANCE,
        "sampleRuns": [
            {"start": start, "values": [round(s, 9) + 0.0 for s in samples[start:start + RUN_LENGTH]]}
            for start in run_starts(len(samples))],
        "sum": round(math.fsum(samples), 6),
        "sumOfSquares": round(math.fsum(s * s for s in samples), 6),
        "sumTolerance": round(SAMPLE_TOLERANCE * len(samples), 6),
        "madeBy": "Tools/reference/make_vectors.py",
    }


def text_of(content: dict) -> str:
    """JSON, a key a line and a sample run a line."""
    lines = []
    for key, value in content.items():
        if key == "sampleRuns":
            runs = ",\n".join("    " + json.dumps(run) for run in value)
            lines.append(f'  "{key}": [\n{runs}\n  ]')
        else:
            lines.append(f'  "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def file_name(profile: Profile, length: int, lane: int, sample_rate_hz: int) -> str:
    condition = "" if sample_rate_hz == 48_000 else f"_{sample_rate_hz}Hz"
    return f"{profile.name}_{length}byte_lane{lane}{condition}.json"


def vectors() -> dict[str, str]:
    """File name -> text, of every case."""
    return {file_name(*case): text_of(vector(*case)) for case in CASES}


def differing(expected: dict[str, str]) -> list[str]:
    """Names of files that are missing, foreign or of another text."""
    found = {path.name: path.read_text() for path in FOLDER.glob("*.json")}
    return sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))


def main() -> int:
    if sys.argv[1:] not in ([], ["--write"]):
        print("usage: make_vectors.py [--write]", file=sys.stderr)
        return 64
    expected = vectors()
    if sys.argv[1:] == ["--write"]:
        FOLDER.mkdir(parents=True, exist_ok=True)
        for name, text in expected.items():
            (FOLDER / name).write_text(text)
    names = differing(expected)
    for name in names:
        print(f"Fixtures/encode/{name} is not what this model gives", file=sys.stderr)
    print(f"{len(expected)} vectors, {len(names)} differ")
    return 1 if names else 0


if __name__ == "__main__":
    sys.exit(main())
