"""Row 5: connections that say nothing, or a byte now and then."""
import asyncio
import math
import resource
import socket
import time

from attacker import Attacker
from victim import must_hold_for_honest

# Bytes of the server, with any number of connections: a few kB each of 10 000, and what it weighs anyway.
MOST_RESIDENT_BYTES = 600_000_000
HEAD = b"POST /v1/report HTTP/1.1\r\nHost: nearby\r\nAuthorization: Bearer nbd_1_x\r\n"
BODY = HEAD + b"Content-Length: 100000\r\n\r\n"


async def occupy(cost, port, count, addresses, seconds, kinds):
    """Holds so many connections, in turn of each kind and from each address; who is closed comes again."""
    end, held = time.monotonic() + seconds, {}

    def connect(number):
        one = socket.socket()
        one.setblocking(False)
        # Ports are chosen when it connects: an address has more of them then.
        one.setsockopt(socket.IPPROTO_IP, 24, 1)
        one.bind((addresses[number % len(addresses)], 0))
        try:
            one.connect(("127.0.0.1", port))
        except BlockingIOError:
            pass
        held[number] = one

    turn = 0
    while time.monotonic() < end:
        for number in range(count):
            try:
                if number not in held:
                    cost.add(0, 0)
                    connect(number)
                elif kind_of(number, kinds, turn, held[number], cost):
                    held.pop(number).close()
            except OSError:
                if number in held:
                    held.pop(number).close()
            if number % 200 == 199:
                await asyncio.sleep(0.02)
        turn += 1
        await asyncio.sleep(min(2, max(0, end - time.monotonic())))
    for one in held.values():
        one.close()


def kind_of(number, kinds, turn, one, cost):
    """Says the next byte of a connection that drips; returns whether the other side has closed it."""
    text = {"idle": b"", "head": HEAD, "body": BODY + b"x" * 100_000}[kinds[number % len(kinds)]]
    # The first time all but the end of the head, and then a byte each time.
    first = len(text) - 1 if text is HEAD else len(BODY) if text else 0
    piece = text[:first] if turn == 1 else text[first + turn:first + turn + 1]
    if piece:
        cost.sent_bytes += one.send(piece)
    try:
        return one.recv(4096) == b""
    except BlockingIOError:
        return False


async def held(scene, count, addresses, name, limit=None):
    """`limit`: descriptors that the server may have, at most; None: as this process."""
    wrapper = ["prlimit", f"--nofile={limit}:{limit}"] if limit else []
    kinds = ("idle", "head", "body")
    with scene.victim(wrapper=wrapper) as victim:
        crowd = await victim.crowd(20)
        outcome = await victim.attacked(
            5, f"{count} connections, idle and dripping, from {name}", lambda: [
                Attacker(occupy, victim.port, count, addresses, scene.seconds, kinds)], crowd, rate=20)
        must_hold_for_honest(outcome)
        outcome.must("honest answers come within 1 s", outcome.attacked.late == 0,
                     f"{outcome.attacked.late} late, p99 {outcome.attacked.at(0.99):.0f} ms")
        outcome.must(f"the server stays under {MOST_RESIDENT_BYTES / 1e6:.0f} MB", outcome.resident_bytes < MOST_RESIDENT_BYTES,
                     f"{outcome.resident_bytes / 1e6:.0f} MB")
        most = math.ceil(scene.seconds / 60) + 1
        outcome.must("it logs a line a minute at most", outcome.log_lines <= most, f"{outcome.log_lines} lines")
        return outcome


async def idle(scene):
    many = [f"127.66.{n}.{m}" for n in range(10) for m in range(1, 11)]
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    outcomes = [await held(scene, 2000, many, "100 addresses, 1024 descriptors", limit=1024)]
    for count, addresses, name in ((2000, many[:1], "one address"), (10_000, many[:1], "one address"),
                                   (10_000, many, "100 addresses")):
        if scene.is_quick and count > 2000:
            continue
        # Those that the server closed may still be with the kernel.
        count = min(count, descriptors - 1000)
        outcomes.append(await held(scene, count, addresses, name))
    return outcomes
