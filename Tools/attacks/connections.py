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
# Ports are chosen when a socket connects: an address has more of them then. Linux's <linux/in.h>.
IP_BIND_ADDRESS_NO_PORT = 24


class Held:
    """One connection. It says nothing, or a request's head without its end, or a head with it; and then a byte each time."""

    # What each kind says, and how much of that at once.
    TEXTS = {"idle": (b"", 0), "head": (HEAD + b"X-Slow: " + b"x" * 4000, len(HEAD)), "body": (BODY + b"x" * 4000, len(BODY))}

    def __init__(self, port, address, kind):
        self.text, self.next = self.TEXTS[kind]
        self.sent = 0
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
        self.socket.bind((address, 0))
        # It goes on without us: EINPROGRESS.
        self.socket.connect_ex(("127.0.0.1", port))

    def drip(self):
        """Says the next bytes. Returns whether the connection is still there."""
        try:
            if self.sent < self.next:
                self.sent += self.socket.send(self.text[self.sent:self.next])
            self.next = min(len(self.text), self.sent + 1)
            return self.socket.recv(4096) != b""
        except BlockingIOError:
            return True
        except OSError:
            # Reset, or refused: it comes again.
            return False


async def occupy(cost, port, count, addresses, seconds):
    """Holds so many connections, in turn of each kind and from each address; who is closed comes again."""
    end, connections, kinds = time.monotonic() + seconds, {}, list(Held.TEXTS)
    while time.monotonic() < end:
        for number in range(count):
            one = connections.get(number)
            if one is None:
                connections[number] = Held(port, addresses[number % len(addresses)], kinds[number % len(kinds)])
                cost.add(0, 0)
            else:
                before = one.sent
                if not one.drip():
                    one.socket.close()
                    del connections[number]
                cost.sent_bytes += one.sent - before
            if number % 200 == 199:
                await asyncio.sleep(0.02)
        await asyncio.sleep(min(2, max(0, end - time.monotonic())))
    for one in connections.values():
        one.socket.close()


async def held(scene, count, addresses, name, limit=None):
    """`limit`: descriptors that the server may have, at most; None: as this process."""
    wrapper = ["prlimit", f"--nofile={limit}:{limit}"] if limit else []
    with scene.victim(wrapper=wrapper) as victim:
        crowd = await victim.crowd(20)
        outcome = await victim.attacked(
            5, f"{count} connections, idle and dripping, from {name}", lambda: [
                Attacker(occupy, victim.port, count, addresses, scene.seconds)], crowd, rate=20)
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
