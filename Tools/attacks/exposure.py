"""Rows 8 and 9: what a signal ends, and what the public port tells."""
import asyncio
import http.client
import re
import signal
import socket
import ssl
import time

from honest import Experience
from outcome import Outcome
from transport import certificate


# MARK: Row 8

async def hang_up(scene):
    with scene.victim() as victim:
        crowd = await victim.crowd(4)
        outcome = Outcome(8, "SIGHUP, ten times")
        outcome.attacked, outcome.alone = Experience(), await crowd.live(1)
        process = victim.server.process
        for _ in range(10):
            process.send_signal(signal.SIGHUP)
            outcome.attacked.merge(await crowd.live(0.3, rate=20, newcomers_per_second=0.1))
            if victim.has_ended:
                break
        outcome.must("the server lives, the same process", process.poll() is None, f"exit code {process.poll()}")
        outcome.must("honest devices notice nothing", outcome.attacked.unanswered + outcome.attacked.refused == 0,
                     f"{outcome.attacked.unanswered} unanswered, {outcome.attacked.refused} refused")
    return [outcome, await reload(scene)]


async def reload(scene):
    """As certbot's hook has it: new files at the same paths, and SIGHUP. Then files that are none."""
    with scene.victim_with_tls() as victim:
        outcome = Outcome(8, "SIGHUP after the certificate's files have changed")
        before, process = shown(victim.port), victim.server.process
        certificate(victim.folder)
        process.send_signal(signal.SIGHUP)
        after = await until(lambda: shown(victim.port), lambda one: one != before)
        outcome.must("new connections get the new certificate", after not in (None, before), f"exit code {process.poll()}")
        (victim.folder / "key.pem").write_text("no key\n")
        lines = victim.server.line_count
        process.send_signal(signal.SIGHUP)
        said = await until(lambda: victim.server.line_count, lambda count: count > lines)
        outcome.must("with a key that is none it keeps the old ones, and says so in a line",
                     process.poll() is None and shown(victim.port) == after and said and said == lines + 1,
                     f"exit code {process.poll()}, {(said or lines) - lines} lines")
        return outcome


def shown(port):
    """The certificate that a client is shown; None: no server."""
    try:
        return ssl.get_server_certificate(("127.0.0.1", port), timeout=5)
    except OSError:
        return None


async def until(ask, is_enough, seconds=5):
    """What `ask` says at last, asked again and again."""
    end = time.monotonic() + seconds
    while not is_enough(answer := ask()) and time.monotonic() < end:
        await asyncio.sleep(0.05)
    return answer


# MARK: Row 9

async def status_pages(scene):
    with scene.victim("--host", "0.0.0.0") as victim:
        outcome = Outcome(9, "`--host 0.0.0.0`: GET /metrics and /healthz")
        for path in ("/metrics", "/healthz"):
            status, body = get("127.0.0.1", victim.port, path, outcome)
            outcome.must(f"{path} is not on the public port", status in (404, 401), f"status {status}, {len(body)} bytes")
        line = await asyncio.to_thread(victim.server.line_with, "status at", 5)
        port = re.search(r"http://127\.0\.0\.1:(\d+)", line or "")
        outcome.must("a line says where they are", port is not None, line or "no line")
        if port:
            for path in ("/metrics", "/healthz"):
                status, _ = get("127.0.0.1", int(port[1]), path, outcome)
                outcome.must(f"{path} is there", status == 200, f"status {status}")
            outcome.must("from another address there is no way to them", is_closed("127.0.0.2", int(port[1])))
        return [outcome]


def get(host, port, path, outcome):
    connection = http.client.HTTPConnection(host, port, timeout=5)
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    outcome.cost.add(response.status, len(path))
    return response.status, body


def is_closed(host, port):
    with socket.socket() as one:
        one.settimeout(5)
        return one.connect_ex((host, port)) != 0
