#!/usr/bin/env python3
"""Beacons' changing names and encrypted telemetry, from Eddystone's specification; writes Fixtures/beacons.

    .build/peers/bin/python Tools/reference/beacons.py [--write]      (after Tools/peers/install)

AES, X25519 and HKDF are those of PyPI cryptography (OpenSSL), EAX is written out here and checked against its authors' vectors.
Without --write, compares what is in the folder with this and exits with 1 where it differs.
"""
import json
import pathlib
import sys

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.cmac import CMAC
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from splitmix64 import SplitMix64

FILE = pathlib.Path(__file__).resolve().parents[2] / "Fixtures" / "beacons" / "ephemeral.json"
MADE_BY = "Tools/reference/beacons.py"


def aes(key, block):
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(block)


def identifier(key, exponent, seconds):
    temporary = aes(key, bytes(11) + b"\xff" + bytes(2) + (seconds >> 16).to_bytes(2, "big"))
    start = seconds >> exponent << exponent
    return aes(temporary, bytes(11) + bytes([exponent]) + start.to_bytes(4, "big"))[:8]


def omac(key, kind, text):
    mac = CMAC(algorithms.AES(key))
    mac.update(bytes(15) + bytes([kind]) + text)
    return mac.finalize()


def eax(key, nonce, associated, plaintext, tag_count):
    start = omac(key, 0, nonce)
    ciphertext = Cipher(algorithms.AES(key), modes.CTR(start)).encryptor().update(plaintext)
    parts = zip(start, omac(key, 1, associated), omac(key, 2, ciphertext))
    return ciphertext, bytes(a ^ b ^ c for a, b, c in parts)[:tag_count]


def telemetry(key, exponent, seconds, salt, fields):
    start = seconds >> exponent << exponent
    ciphertext, tag = eax(key, start.to_bytes(4, "big") + salt, b"", fields, 2)
    return b"\x20\x01" + ciphertext + salt + tag


def public(private):
    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def agreed(mine, other, resolver, beacon):
    shared = X25519PrivateKey.from_private_bytes(mine).exchange(X25519PublicKey.from_public_bytes(other))
    return HKDF(SHA256(), 16, resolver + beacon, b"").derive(shared)


def check():
    """Bellare, Rogaway and Wagner, 2004, appendix G: two of the vectors. And those of github.com/RadiusNetworks/ephemeral_calc."""
    one = eax(bytes.fromhex("91945D3F4DCBEE0BF45EF52255F095A4"), bytes.fromhex("BECAF043B0A23D843194BA972C66DEBD"),
              bytes.fromhex("FA3BFD4806EB53FA"), bytes.fromhex("F7FB"), 16)
    assert b"".join(one).hex().upper() == "19DD5C4C9331049D0BDAB0277408F67967E5"
    key = bytes.fromhex("0102030405060708090A111213141516")
    assert identifier(key, 10, 0).hex().upper() == "A9B76A71C5F89290"
    assert identifier(key, 10, 2000).hex().upper() == "4144413E45FEFA58"
    resolver = bytes.fromhex("61136adab1bf302f1c49e860196aeefd8fbaa41518b4c226372d6cc469c47278")
    beacon = bytes.fromhex("6ea13b5ef3cc642fd6102c1d85c096b510f56efc488114a4562a987bf4525628")
    pair = public(resolver), public(beacon)
    assert agreed(resolver, pair[1], *pair) == agreed(beacon, pair[0], *pair)
    assert agreed(resolver, pair[1], *pair).hex() == "f40d6f18e5882260e847e99ca33ac44f"


def vectors():
    draw = SplitMix64(0xBEAC)

    def some(count):
        return bytes(draw.next() >> 56 for _ in range(count))

    times = [0, 1, 0xFFFF, 0x10000, 0x7FFFFFFF, 0xFFFFFFFF]
    names, sealed, keys, boxes = [], [], [], []
    for exponent in range(16):
        key = some(16)
        for seconds in times + [draw.next() >> 32 for _ in range(2)]:
            names.append({"key": key.hex(), "exponent": exponent, "seconds": seconds,
                          "identifier": identifier(key, exponent, seconds).hex()})
        seconds, salt, fields = draw.next() >> 32, some(2), some(12)
        sealed.append({"key": key.hex(), "exponent": exponent, "seconds": seconds, "fields": fields.hex(),
                       "salt": int.from_bytes(salt, "big"),
                       "frame": telemetry(key, exponent, seconds, salt, fields).hex()})
    for _ in range(8):
        resolver, beacon = some(32), some(32)
        pair = public(resolver), public(beacon)
        assert agreed(resolver, pair[1], *pair) == agreed(beacon, pair[0], *pair)
        keys.append({"resolver": resolver.hex(), "beacon": beacon.hex(), "resolverPublic": pair[0].hex(),
                     "beaconPublic": pair[1].hex(), "key": agreed(resolver, pair[1], *pair).hex()})
    for count in (0, 1, 12, 15, 16, 17, 32, 50):
        key, nonce, associated, plaintext = some(16), some(count % 20 + 1), some(count // 2), some(count)
        ciphertext, tag = eax(key, nonce, associated, plaintext, 16)
        boxes.append({"key": key.hex(), "nonce": nonce.hex(), "associated": associated.hex(),
                      "plaintext": plaintext.hex(), "ciphertext": ciphertext.hex(), "tag": tag.hex()})
    return {"identifiers": names, "telemetry": sealed, "agreements": keys, "boxes": boxes, "madeBy": MADE_BY}


def text():
    """A case a line."""
    lists = {key: ",\n".join("    " + json.dumps(case) for case in value)
             for key, value in vectors().items() if key != "madeBy"}
    parts = [f'  "{key}": [\n{lines}\n  ]' for key, lines in lists.items()]
    return "{\n" + ",\n".join(parts + [f'  "madeBy": "{MADE_BY}"']) + "\n}\n"


def main():
    if sys.argv[1:] not in ([], ["--write"]):
        print("usage: beacons.py [--write]", file=sys.stderr)
        return 64
    check()
    if sys.argv[1:] == ["--write"]:
        FILE.parent.mkdir(parents=True, exist_ok=True)
        FILE.write_text(text())
    if not FILE.exists() or FILE.read_text() != text():
        print(f"{FILE.name} is not what this model gives", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
