"""The polar code: info bits <-> codeword."""

from functools import cache


def weight(position: int) -> float:
    """Polarisation weight, beta = 2^(1/4)."""
    return sum(2 ** (b / 4) for b in range(position.bit_length()) if position >> b & 1)


@cache
def info_positions(length: int, count: int) -> tuple[int, ...]:
    """The `count` positions of greatest weight, in increasing position."""
    ranked = sorted(range(length), key=lambda position: (weight(position), position), reverse=True)
    return tuple(sorted(ranked[:count]))


def transform(bits: list[int]) -> list[int]:
    """u -> x = u F^(x)m over GF(2).  Its own inverse."""
    x = list(bits)
    half = 1
    while half < len(x):
        for block in range(0, len(x), 2 * half):
            for j in range(block, block + half):
                x[j] ^= x[j + half]
        half *= 2
    return x


def encode(info: list[int], length: int) -> list[int]:
    u = [0] * length
    for position, bit in zip(info_positions(length, len(info)), info):
        u[position] = bit
    return transform(u)


def decode_errorless(codeword: list[int], info_count: int) -> list[int] | None:
    """The info bits of a codeword without errors; None where it is no codeword of this code."""
    u = transform(codeword)
    positions = info_positions(len(codeword), info_count)
    info = [u[position] for position in positions]
    return info if sum(info) == sum(u) else None
