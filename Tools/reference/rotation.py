#!/usr/bin/env python3
"""Whether a new token ever went out under an old one's address, by the order of HCI commands in a capture (btsnoop), independently
of the host that gave them.

    Tools/reference/rotation.py FILE [COUNT]     tokens on air, and how often one was under an address that another one had had;
                                                 with 1 when that is more than never, or there are fewer than COUNT tokens

A command counts when its answer says that it was carried out. A token is on air while advertising is enabled with its data; so is
what is put under a running advertisement. Only advertisements of the Nearby service count; one from the public address counts as
wrong. Ends with 65 when the file is none.
"""
import dataclasses
import sys

import btsnoop

SERVICE = bytes.fromhex("8431075b93084754a472fe0df2bcd6cd")[::-1]
OLD_SET = 0x100
PUBLIC = b"public"


def token_in(data: bytes) -> bytes | None:
    """The frame in service data of 128 bits, after its version."""
    at = 0
    while at < len(data) and data[at]:
        field = data[at + 1:at + 1 + data[at]]
        if field[:1] == b"\x21" and field[1:17] == SERVICE and len(field) > 18:
            return field[18:]
        at += 1 + data[at]
    return None


@dataclasses.dataclass
class Set:
    """One set of advertisements; the old commands have one, with the controller's own address."""
    address: bytes = b""
    is_public: bool = False
    data: bytes = b""
    is_on: bool = False


class Order:
    def __init__(self):
        self.sets: dict[int, Set] = {}
        self.pending: bytes | None = None
        self.owner: dict[bytes, bytes] = {}
        self.tokens: set[bytes] = set()
        self.wrong: list[str] = []

    def take(self, is_received: bool, packet: bytes) -> None:
        if not is_received:
            if packet[0] == btsnoop.COMMAND:
                self.pending = packet[1:]
        elif packet[:2] == b"\x04\x0e" and self.pending and packet[4:6] == self.pending[:2]:
            command, self.pending = self.pending, None
            if packet[6:7] == b"\0":
                self.carry_out(int.from_bytes(command[:2], "little"), command[3:])
        elif packet[:2] == b"\x04\x3e" and packet[3:4] == b"\x12" and packet[5] in self.sets:
            self.sets[packet[5]].is_on = False

    def carry_out(self, code: int, body: bytes) -> None:
        old = self.sets.setdefault(OLD_SET, Set())
        one = self.sets.setdefault(body[0], Set()) if 0x2035 <= code <= 0x2038 else old
        match code:
            case 0x0C03:
                self.sets = {}
            case 0x2005:
                old.address = body
            case 0x2006:
                old.is_public = body[5] in (0, 2)
            case 0x2008:
                old.data = body[1:1 + body[0]]
            case 0x200A:
                old.is_on = body[0] == 1
            case 0x2035:
                one.address = body[1:]
            case 0x2036:
                one.is_public = body[10] in (0, 2)
            case 0x2037:
                # First, or all; else a piece more.
                one.data = body[4:4 + body[3]] if body[1] in (1, 3) else one.data + body[4:4 + body[3]]
            case 0x2039:
                for at in range(body[1]):
                    self.sets.setdefault(body[2 + 4 * at], Set()).is_on = body[0] == 1
                if not body[1] and not body[0]:
                    for each in self.sets.values():
                        each.is_on = False
            case 0x203C:
                self.sets.pop(body[0], None)
            case 0x203D:
                self.sets = {OLD_SET: old}
        for each in self.sets.values():
            self.judge(each)

    def judge(self, one: Set) -> None:
        token = token_in(one.data) if one.is_on else None
        if token is None:
            return
        self.tokens.add(token)
        address = PUBLIC if one.is_public else one.address
        if address == PUBLIC or self.owner.setdefault(address, token) != token:
            self.wrong.append(f"{token.hex()} from {address.hex()}")
            self.owner[address] = token


def judge(packets) -> Order:
    order = Order()
    for _, is_received, packet in packets:
        order.take(is_received, packet)
    return order


def main() -> int:
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    try:
        order = judge(btsnoop.read(data))
    except (ValueError, KeyError, IndexError) as error:
        print(f"{sys.argv[1]}: {error}", file=sys.stderr)
        return 65
    print(f"{len(order.tokens)} tokens on air, {len(order.owner)} addresses, {len(order.wrong)} under an old address")
    for words in order.wrong[:5]:
        print(f"wrong: {words}", file=sys.stderr)
    return 1 if order.wrong or len(order.tokens) < int(sys.argv[2] if len(sys.argv) > 2 else 1) else 0


if __name__ == "__main__":
    sys.exit(main())
