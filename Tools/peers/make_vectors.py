#!/usr/bin/env python3
"""Writes Fixtures/ggwave: what PyPI ggwave 0.4.3 makes of payloads, at full volume, as short runs of samples and sums.

    .build/peers/bin/python Tools/peers/make_vectors.py      (after Tools/peers/install)
"""
import array
import json
import pathlib

import ggwave_peer

NAMES = [f"{tones}-{speed}" for tones in ("audible", "ultrasound", "dt", "mt") for speed in ("normal", "fast", "fastest")]
FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "Fixtures" / "ggwave"
RUN = 16


def cases():
    """Protocol, bytes, fixed length, DSS."""
    for protocol in range(9):
        for count in (1, 8, 20):
            yield protocol, count, None, count == 20
        yield protocol, 4, 6, False
    yield 0, 140, None, False
    yield 4, 64, None, True
    for protocol in range(9, 12):
        yield protocol, 3, 3, False
        yield protocol, 5, 8, True


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for protocol, count, fixed, dss in cases():
        payload = bytes((37 * protocol + 101 * index + count) % 256 for index in range(count))
        samples = array.array("f", ggwave_peer.encode(payload, protocol, volume=100, fixed_length=fixed, dss=dss))
        starts = [0, 2450, len(samples) // 2, len(samples) - 9000, len(samples) - RUN]
        vector = {
            "protocol": NAMES[protocol], "token": payload.hex(), "fixedByteCount": fixed, "isScrambled": dss,
            "sampleCount": len(samples),
            "runs": [{"start": start, "values": [round(x, 7) for x in samples[start:start + RUN]]} for start in starts],
            "sumOfSquares": sum(x * x for x in samples), "madeBy": "PyPI ggwave 0.4.3",
        }
        name = f"{NAMES[protocol]}_{count}byte{f'_fixed{fixed}' if fixed else ''}{'_dss' if dss else ''}.json"
        (FOLDER / name).write_text(json.dumps(vector, indent=1) + "\n")


if __name__ == "__main__":
    main()
