#!/usr/bin/env python3
"""Writes Fixtures/beacons/peers.json: what others make of the same random advertisements.

    .build/peers/bin/python Tools/peers/beacon_peers.py [--write]      (after Tools/peers/install)

PyPI bluetooth-data-tools (Home Assistant's parser) reads the structures, PyPI TheengsDecoder knows iBeacons and vendors' frames
under Eddystone's UUID. Without --write, compares what is in the folder with what they say and exits with 1 where it differs,
with 75 where TheengsDecoder could not be built.

No length and no type is 0 but in the padding at an end: there bluetooth-data-tools goes on, against the specification, and a type
of 0 it skips. Nor is a manufacturer's data longer than an iBeacon: there TheengsDecoder takes none.
"""
import json
import pathlib
import sys

from bluetooth_data_tools import parse_advertisement_data_bytes

try:
    from TheengsDecoder import decodeBLE
except ImportError:
    print("beacon_peers.py: TheengsDecoder is not there, nothing is compared: see Tools/peers/install", file=sys.stderr)
    sys.exit(75)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "reference"))
from splitmix64 import SplitMix64  # noqa: E402

FILE = pathlib.Path(__file__).resolve().parents[2] / "Fixtures" / "beacons" / "peers.json"
SEED, REPORT_COUNT = 0xB1EE, 400
EDDYSTONE = "0000feaa-0000-1000-8000-00805f9b34fb"
TYPES = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x16, 0x16, 0x16, 0x19, 0x20, 0x21, 0xFF, 0xFF]
# The last three: frames of KKM's and BlueCharm's sensors, as TheengsDecoder's rules for them begin.
STARTS = [bytes.fromhex(start) for start in (
    "", "", "aafe00", "aafe10", "aafe2000", "aafe30", "4c000215", "4c000215", "4c0010", "1801beac", "aafe21010b", "aafe21010f", "aafe210107")]
COUNTS = {"4c000215": (23, 24, 25, 25, 25), "1801beac": (25, 26), "aafe21010b": (15,), "aafe21010f": (17,), "aafe210107": (11,)}


class Draw(SplitMix64):
    def below(self, bound):
        return self.next() % bound

    def of(self, items):
        return items[self.below(len(items))]

    def some(self, count):
        return bytes(self.next() >> 56 for _ in range(count))


def structure(draw):
    start = draw.of(STARTS)
    count = draw.of(COUNTS.get(start.hex(), range(20)))
    kind = draw.of(TYPES)
    if start.hex() in COUNTS:
        kind = 0x16 if start[:2] == b"\xaa\xfe" else 0xFF
    elif kind == 0xFF:
        count = min(count, 22)
    if kind in (0x08, 0x09):
        start, count = b"", count + 1
        return bytes([count + 1, kind]) + bytes(0x41 + draw.below(26) for _ in range(count))
    body = start + draw.some(max(count - len(start), 0))
    return bytes([len(body) + 1, kind]) + body


def report(draw):
    whole = b"".join(structure(draw) for _ in range(draw.below(5)))
    end = draw.below(4)
    # Whole, padded, cut off, or with a length that promises more.
    return [whole, whole + bytes(draw.below(4)), whole[:len(whole) - draw.below(6)], whole + bytes([200, 0x16])][end]


def decoded(**fields):
    said = decodeBLE(json.dumps(dict(fields, id="00:11:22:33:44:55")))
    return json.loads(said) if said else {}


def case(data):
    name, services, service_data, manufacturer_data, power = parse_advertisement_data_bytes(data)
    beacons = []
    for company, payload in manufacturer_data.items():
        said = decoded(manufacturerdata=(company.to_bytes(2, "little") + payload).hex())
        if said.get("model_id") == "IBEACON":
            beacons.append({"uuid": said["uuid"], "major": said["major"] & 0xFFFF, "minor": said["minor"] & 0xFFFF,
                            "power": said.get("txpower")})
    vendor = [said["model_id"] for uuid, payload in service_data.items() if uuid == EDDYSTONE
              for said in [decoded(servicedata=payload.hex(), servicedatauuid="feaa", uuid="feaa")] if said]
    return {"report": data.hex(), "name": name, "services": services,
            "serviceData": {uuid: payload.hex() for uuid, payload in service_data.items()},
            "manufacturerData": {str(company): payload.hex() for company, payload in manufacturer_data.items()},
            "txPower": power, "iBeacons": beacons, "vendorFrames": vendor}


def text():
    """A report a line."""
    draw = Draw(SEED)
    lines = ",\n".join("  " + json.dumps(case(report(draw))) for _ in range(REPORT_COUNT))
    return f"[\n{lines}\n]\n"


def main():
    if sys.argv[1:] not in ([], ["--write"]):
        print("usage: beacon_peers.py [--write]", file=sys.stderr)
        return 64
    if sys.argv[1:] == ["--write"]:
        FILE.write_text(text())
    if not FILE.exists() or FILE.read_text() != text():
        print(f"{FILE.name} is not what the peers say", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
