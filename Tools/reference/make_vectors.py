#!/usr/bin/env python3
"""Fixtures/encode: each stage of the encoders, for tokens of every class, profile and lane.

Compares the committed vectors with this model and exits 1 where they differ; --write writes them.
"""

import sys
from pathlib import Path

import dsss_vectors
import fsk_vectors
from vector_file import file_name, text_of

FOLDER = Path(__file__).resolve().parents[2] / "Fixtures" / "encode"


def vectors() -> dict[str, str]:
    """File name -> text, of every case."""
    return {
        file_name(profile.name, *rest): text_of(family.vector(profile, *rest))
        for family in (dsss_vectors, fsk_vectors) for profile, *rest in family.CASES}


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
