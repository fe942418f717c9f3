#!/usr/bin/env python3
"""Reads HCI captures as btmon and Wireshark write them (BlueZ, doc/btsnoop.txt), independently of what writes ours.

    Tools/reference/btsnoop.py FILE      a line for each packet: seconds since 1970, < to or > from the controller, H4 bytes

Ends with 65 when the file is none.
"""
import datetime
import struct
import sys

H4 = 1002
COMMAND, ACL, SCO, EVENT, ISO = 1, 2, 3, 4, 5
# Header bytes after H4's type, and where and how the payload's length stands in them.
LENGTHS = {COMMAND: (3, 2, "<B", 0xFF), ACL: (4, 2, "<H", 0xFFFF), SCO: (3, 2, "<B", 0xFF), EVENT: (2, 1, "<B", 0xFF),
           ISO: (4, 2, "<H", 0x3FFF)}
# "Microseconds since the year 0", by a calendar that is twelve days off: BlueZ and Wireshark both have this for the year 2000.
AT_2000 = 0x00E03AB44A676000


def read(data: bytes) -> list[tuple[datetime.datetime, bool, bytes]]:
    """Time, whether it came from the controller, H4 packet. Raises ValueError for what is no such file, or is cut short."""
    if data[:8] != b"btsnoop\0":
        raise ValueError("no btsnoop file")
    version, datalink = struct.unpack(">II", data[8:16])
    if (version, datalink) != (1, H4):
        raise ValueError(f"version 1 of H4 was expected, not {version} of {datalink}")
    at, packets = 16, []
    while at < len(data):
        if len(data) - at < 24:
            raise ValueError("a record is cut short")
        length, kept, flags, lost, time = struct.unpack(">IIIIQ", data[at:at + 24])
        packet = data[at + 24:at + 24 + kept]
        if length != kept or lost or len(packet) != kept:
            raise ValueError("a packet is cut short, or lost")
        check(packet, flags)
        moment = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(microseconds=time - AT_2000)
        packets.append((moment, bool(flags & 1), packet))
        at += 24 + kept
    return packets


def check(packet: bytes, flags: int) -> None:
    """The flags say what the packet says, and it is as long as it says."""
    kind = packet[0]
    header, at, form, mask = LENGTHS[kind]
    count, = struct.unpack_from(form, packet, 1 + at)
    if len(packet) != 1 + header + (count & mask):
        raise ValueError("a packet is not as long as it says")
    if bool(flags & 2) != (kind in (COMMAND, EVENT)):
        raise ValueError("flags do not go with the packet")
    if kind in (COMMAND, EVENT) and bool(flags & 1) != (kind == EVENT):
        raise ValueError("a command from a controller, or an event to it")


def main() -> int:
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    try:
        packets = read(data)
    except (ValueError, KeyError, IndexError, struct.error) as error:
        print(f"{sys.argv[1]}: {error}", file=sys.stderr)
        return 65
    for moment, is_received, packet in packets:
        print(f"{moment.timestamp():.6f} {'>' if is_received else '<'} {packet.hex()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
