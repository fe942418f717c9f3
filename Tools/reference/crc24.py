"""CRC-24/LTE-A: poly 0x864CFB, init 0, no reflection, no final XOR."""

POLYNOMIAL = 0x864CFB


def crc24(data: bytes) -> int:
    remainder = 0
    for byte in data:
        remainder ^= byte << 16
        for _ in range(8):
            remainder <<= 1
            if remainder & 0x1000000:
                remainder ^= 0x1000000 | POLYNOMIAL
    return remainder
