#!/usr/bin/env python3
"""Offline tokens and sealed frames, from the README of Sources/NearbyOffline; prints the vectors of KnownAnswerTests.

ChaCha20 and HKDF are written out here and checked against RFC 8439 and RFC 5869 before anything is printed.
"""
import hashlib
import hmac
import struct


def hmac256(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


def hkdf(key, salt, info, count):
    secret, block, out = hmac256(salt, key), b"", b""
    while len(out) < count:
        block = hmac256(secret, block + info + bytes([len(out) // 32 + 1]))
        out += block
    return out[:count]


def rotate(x, n):
    return (x << n | x >> (32 - n)) & 0xFFFFFFFF


def quarter(s, a, b, c, d):
    for first, second, third, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        s[first] = (s[first] + s[second]) & 0xFFFFFFFF
        s[third] = rotate(s[third] ^ s[first], turn)


def chacha20(key, nonce, counter, data):
    out = b""
    for n in range(0, len(data), 64):
        state = list(struct.unpack("<16I", b"expand 32-byte k" + key + struct.pack("<I", counter + n // 64) + nonce))
        s = list(state)
        for _ in range(10):
            for i in range(4):
                quarter(s, i, 4 + i, 8 + i, 12 + i)
            for i in range(4):
                quarter(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
        stream = struct.pack("<16I", *((a + b) & 0xFFFFFFFF for a, b in zip(s, state)))
        out += bytes(a ^ b for a, b in zip(data[n:n + 64], stream))
    return out


def seal(keys, tag_count, associated, plaintext):
    tag = hmac256(keys[:32], struct.pack(">Q", len(associated)) + associated + plaintext)[:tag_count]
    return tag + chacha20(keys[32:], tag.ljust(12, b"\0"), 1, plaintext)


def keys(project, purpose, epoch):
    return hkdf(project, b"nearby offline 1", purpose + b"\0" + struct.pack(">Q", epoch), 64)


def associated(purpose, epoch, medium, name):
    return purpose + b"\0" + struct.pack(">Q", epoch) + medium + b"\0" + name


def check():
    nonce = bytes.fromhex("000000000000004a00000000")
    text = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
    assert chacha20(bytes(range(32)), nonce, 1, text).hex().startswith("6e2e359a2568f98041ba0728dd0d6981")
    salt, info = bytes(range(13)), bytes(range(0xF0, 0xFA))
    assert hkdf(b"\x0b" * 22, salt, info, 42).hex().startswith("3cb25f25faacd57a90434f64d0362f2a")


def main():
    check()
    project, name, epoch = bytes(range(32)), b"shop", 5_936_000
    print("token keys ", keys(project, b"token", epoch).hex())
    print("frame keys ", keys(project, b"frame", epoch).hex())
    for medium in (b"audio", b"ble"):
        token = seal(keys(project, b"token", epoch), 4, associated(b"token", epoch, medium, name),
                     bytes.fromhex("01020304"))
        print("token", medium.decode(), token.hex())
    # Anna, of type name, in slot 1 of sender 01020304, generation 1; unsigned, one fragment.
    fragment = bytes.fromhex("01020304" "0001" "00") + b"\x10" + b"\x01\x00\x04\x04" + b"name" + b"Anna"
    print("frame      ", seal(keys(project, b"frame", epoch), 8, associated(b"frame", epoch, b"audio", name),
                              fragment).hex())


if __name__ == "__main__":
    main()
