"""An attacker is a process: its cost is its own. It has the lowest priority, for it would have a processor of its own."""
import asyncio
import base64
import ctypes
import json
import multiprocessing
import os
import pathlib
import random
import subprocess
import time

from outcome import Cost

FORK = multiprocessing.get_context("fork")
# Observations that the protocol takes in a report; the rest is cut off.
MOST_OBSERVATIONS = 2560
CLONE_NEWUSER, CLONE_NEWNET = 0x1000_0000, 0x4000_0000


class Attacker:
    """Runs `attack(cost, *arguments)`, a coroutine function, until it returns; `stop` ends it earlier."""

    def __init__(self, attack, *arguments, niceness=19):
        self.receiver, sender = FORK.Pipe(duplex=False)
        self.process = FORK.Process(target=self.run, args=(sender, niceness, attack, arguments), daemon=True)
        self.process.start()
        sender.close()

    @staticmethod
    def run(sender, niceness, attack, arguments):
        os.nice(niceness)
        cost, begun = Cost(), time.process_time()
        asyncio.run(attack(cost, *arguments))
        cost.cpu_seconds = time.process_time() - begun
        sender.send(cost)

    async def cost(self, patience):
        """What it spent. Raises `SystemExit` when it does not end, or fails."""
        if not await asyncio.to_thread(self.receiver.poll, patience):
            self.process.kill()
            raise SystemExit(f"attack: an attacker did not end within {patience:.0f} s")
        try:
            return self.receiver.recv()
        except EOFError:
            raise SystemExit("attack: an attacker failed; its error is above") from None
        finally:
            self.process.join()


class NotHere(Exception):
    """This machine does not let us try it; says why."""


def in_own_network(function, *arguments):
    """Runs `function`, a coroutine function, in a process with a network of its own, where 2001:db8::/32 is this machine.

    The kernel removes the network with the process. Raises `NotHere` where there may be none.
    """
    receiver, sender = FORK.Pipe(duplex=False)
    process = FORK.Process(target=run_in_own_network, args=(sender, function, arguments))
    process.start()
    sender.close()
    try:
        result = receiver.recv()
    except EOFError:
        raise SystemExit("attack: a row in a network of its own failed; its error is above") from None
    finally:
        process.join()
    if isinstance(result, NotHere):
        raise result
    return result


def run_in_own_network(sender, function, arguments):
    try:
        enter_own_network()
    except (OSError, subprocess.CalledProcessError) as error:
        sender.send(NotHere(f"no network namespace with IPv6: {error}"))
        return
    sender.send(asyncio.run(function(*arguments)))


def enter_own_network():
    library, user, group = ctypes.CDLL(None, use_errno=True), os.getuid(), os.getgid()
    if library.unshare(CLONE_NEWNET) != 0:
        if library.unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        for name, text in ("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1"):
            pathlib.Path("/proc/self", name).write_text(text)
    for words in ("ip link set lo up", "ip -6 route add local 2001:db8::/32 dev lo"):
        subprocess.run(words.split(), check=True, capture_output=True)
    # Any address of the route may be a connection's own.
    pathlib.Path("/proc/sys/net/ipv6/ip_nonlocal_bind").write_text("1")


def random_token():
    """Eight random bytes as the protocol writes them: 64 bits in base64url."""
    return base64.urlsafe_b64encode(random.randbytes(8)).decode().rstrip("=")


def strays(count, medium="audio"):
    """Observations of tokens that nobody has, the smallest first: an attacker chooses its bits."""
    tokens = sorted(random_token() for _ in range(count))
    return [{"token": token, "medium": medium, "ageMillis": 0} for token in tokens]


def request(path, bearer, body=b"", headers=""):
    """A POST as bytes. `body`: bytes, or what becomes JSON."""
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    authorization = f"Authorization: Bearer {bearer}\r\n" if bearer else ""
    return (f"POST {path} HTTP/1.1\r\nHost: nearby\r\n{authorization}{headers}"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body


async def hammer(cost, make, port, address, seconds, host="127.0.0.1", pause=0.0):
    """One connection after the other from one address, as fast as the answers come: `make()` gives a request's bytes."""
    end, writer = time.monotonic() + seconds, None
    while time.monotonic() < end:
        data, status = make(), 0
        try:
            if writer is None:
                reader, writer = await asyncio.wait_for(
                    asyncio.open_connection(host, port, local_addr=(address, 0)), 10)
            status, is_kept = await asyncio.wait_for(exchange(reader, writer, data), 10)
        except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.TimeoutError):
            is_kept = False
        cost.add(status, len(data))
        if not is_kept and writer:
            writer.transport.abort()
            writer = None
        # Refused connections must not become a loop without a pause on the attacker's side.
        await asyncio.sleep(pause if status else max(pause, 0.01))


async def exchange(reader, writer, data):
    """Status, and whether the connection may be used again. The answer may come before all is sent."""
    writer.write(data)
    sending = asyncio.create_task(writer.drain())
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = next((int(line.split(":")[1]) for line in head.split("\r\n") if line.startswith("content-length")), 0)
        await reader.readexactly(length)
    finally:
        is_sent = sending.done()
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
    return int(head.split()[1]), is_sent and "connection: close" not in head
