"""What the vectors of both families share: how a waveform is put down, and the text of a file."""

import json
import math

from splitmix64 import SplitMix64

RUN_LENGTH = 40
RUN_COUNT = 10
MADE_BY = "Tools/reference/make_vectors.py"


def case_token(family: int, length: int, lane: int) -> bytes:
    generator = SplitMix64(family << 16 | length << 8 | lane)
    return bytes(generator.next() >> 56 for _ in range(length))


def sound_keys(samples: list[float], sample_rate_hz: int, starts: list[int], tolerance: float) -> dict:
    """Runs of samples from `starts`, and the sums of all."""
    return {
        "sampleRateHz": sample_rate_hz,
        "sampleCount": len(samples),
        "sampleTolerance": tolerance,
        "sampleRuns": [
            {"start": start, "values": [round(s, 9) + 0.0 for s in samples[start:start + RUN_LENGTH]]}
            for start in starts],
        "sum": round(math.fsum(samples), 6),
        "sumOfSquares": round(math.fsum(s * s for s in samples), 6),
        "sumTolerance": round(tolerance * len(samples), 6),
        "madeBy": MADE_BY,
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


def file_name(profile_name: str, length: int, lane: int, sample_rate_hz: int) -> str:
    condition = "" if sample_rate_hz == 48_000 else f"_{sample_rate_hz}Hz"
    return f"{profile_name}_{length}byte_lane{lane}{condition}.json"
