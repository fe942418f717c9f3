"""Token <-> info bits: the padded field, its bits and the masked check bits."""

from crc24 import crc24

CAPACITIES = (8, 16, 32)
EXACT_MASK = {8: 0x5A3C96, 16: 0x3C69E1, 32: 0x69D24B}
SHORT_MASK = {8: 0xA5965C, 16: 0xC39A17, 32: 0x96278D}
CHECK_BITS = 24


def capacity_of(token: bytes) -> int:
    """The smallest class that holds the token."""
    if not 1 <= len(token) <= CAPACITIES[-1]:
        raise ValueError(f"a token has 1 to {CAPACITIES[-1]} bytes, this one has {len(token)}")
    return next(capacity for capacity in CAPACITIES if len(token) <= capacity)


def field_and_mask(token: bytes) -> tuple[bytes, int]:
    """The `capacity` bytes sent and the mask of their check bits."""
    capacity = capacity_of(token)
    if len(token) == capacity:
        return token, EXACT_MASK[capacity]
    return (bytes([len(token)]) + token).ljust(capacity, b"\0"), SHORT_MASK[capacity]


def bits_of(value: int, count: int) -> list[int]:
    """`count` bits, most significant first."""
    return [value >> (count - 1 - i) & 1 for i in range(count)]


def value_of(bits: list[int]) -> int:
    value = 0
    for bit in bits:
        value = value << 1 | bit
    return value


def info_bits(token: bytes) -> list[int]:
    """[8 capacity + 24] bits: the field's, then the check bits."""
    field, mask = field_and_mask(token)
    return bits_of(int.from_bytes(field, "big"), 8 * len(field)) + bits_of(crc24(field) ^ mask, CHECK_BITS)


def token_of(bits: list[int]) -> bytes | None:
    """The token of `info_bits`, or None where the check fails.

    A short field is accepted only as an encoder writes it: in the smallest class, zeros after the token.
    """
    field = value_of(bits[:-CHECK_BITS]).to_bytes(len(bits) // 8 - 3, "big")
    mask = value_of(bits[-CHECK_BITS:]) ^ crc24(field)
    capacity = len(field)
    if mask == EXACT_MASK[capacity]:
        return field
    if mask != SHORT_MASK[capacity]:
        return None
    token = field[1:1 + field[0]]
    canonical = 1 <= len(token) and field_and_mask(token) == (field, mask)
    return token if canonical else None
