"""Row 3: registrations with a project's public key, from many addresses."""
import asyncio
import itertools
import json
import time

from attacker import Attacker, NotHere, in_own_network, request, strays
from honest import ipv4, ipv6
from outcome import Outcome
from victim import must_hold_for_honest

# Connections of an attacker at one time.
CONNECTIONS = 16


async def flood(cost, host, port, key, seconds, addresses):
    """Registers from each address in turn as fast as the answers come; each new device names 61 strays."""
    end, taken_in_turn = time.monotonic() + seconds, itertools.cycle(addresses)

    async def one():
        while time.monotonic() < end:
            address = next(taken_in_turn)
            try:
                await asyncio.wait_for(visit(address), 10)
            except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.TimeoutError):
                cost.add(0, 0)
                await asyncio.sleep(0.01)

    async def visit(address):
        """A few requests from one address: connections are not what is attacked here."""
        reader, writer = await asyncio.open_connection(host, port, local_addr=(address, 0))
        try:
            for _ in range(8):
                status, answer = await ask(reader, writer, request("/v1/devices", key))
                if status != 201:
                    return
                status, _ = await ask(reader, writer, request("/v1/report", answer["device"], {
                    "isComplete": True, "observations": strays(61)}))
        finally:
            writer.transport.abort()

    async def ask(reader, writer, data):
        writer.write(data)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = next(int(line.split(":")[1]) for line in head.split("\r\n") if line.startswith("content-length"))
        answer, status = json.loads(await reader.readexactly(length) or b"{}"), int(head.split()[1])
        cost.add(status, len(data))
        return status, answer

    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))


async def attack(scene, name, listen, host, addresses, networks, refused_share, per_second=None):
    """`networks`: so many networks' registrations may be taken in all, None: any number. `per_second`: of one network; None: as
    the server has it."""
    options = ["--host", listen]
    options += ["--registrations-per-address", str(per_second)] if per_second else []
    with scene.victim(*options) as victim:
        crowd = await victim.crowd(20, host=host, address=ipv6 if ":" in host else ipv4)
        outcome = await victim.attacked(
            3, name, lambda: [Attacker(flood, host, victim.port, victim.key, scene.seconds, addresses)], crowd, rate=10)
        must_hold_for_honest(outcome, refused_share)
        if networks:
            # 25 seconds' worth at once, and some seconds more while the attack ends.
            most, taken = networks * (per_second or 20) * (25 + scene.seconds + 5), outcome.cost.count(201)
            outcome.must(f"at most {most:.0f} registrations are taken", taken <= most, f"{taken} taken")
        return outcome


async def from_ipv6(scene, bits, per_second):
    if bits == 64:
        name, networks = "registrations from 101 addresses of one /64", 1
        addresses = [f"2001:db8:666:1::{n:x}" for n in range(1, 102)]
    else:
        # A /48 may do more than a /64, and much less than all of its /64 together.
        name, networks = "registrations from 256 /64 of one /48", 25
        addresses = [f"2001:db8:666:{n:x}::1" for n in range(256)]
    return await attack(scene, name, "::", "2001:db8::1", addresses, networks, 0, per_second)


async def from_mapped(scene, per_second):
    """A server on :: sees IPv4 clients as ::ffff:127.x.y.z: they must not be one network."""
    return await attack(scene, "registrations from one IPv4 address, on a server that listens on ::", "::", "127.0.0.1",
                        ["127.66.0.1"], 1, 0, per_second)


async def registrations(scene):
    # In a short attack one network has little, so that what is taken beyond its share shows soon.
    per_second, outcomes = 0.4 if scene.is_quick else None, []
    for name, function, arguments in (
            ("registrations from one /64", from_ipv6, (64,)), ("registrations from one /48", from_ipv6, (48,)),
            ("registrations from one IPv4 address, on ::", from_mapped, ())):
        try:
            outcomes.append(await asyncio.to_thread(in_own_network, function, scene, *arguments, per_second))
        except NotHere as reason:
            outcomes.append(Outcome(3, name, skipped=str(reason)))
    outcomes.append(await attack(scene, "registrations from 100 networks", "127.0.0.1", "127.0.0.1",
                                 [f"127.66.{n}.1" for n in range(100)], None, 0.01))
    return outcomes
