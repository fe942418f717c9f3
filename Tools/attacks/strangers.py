"""Row 4: who has no secret sends much, and often, from eight connections of one address."""
import asyncio
import functools
import random
import sys
import time

from attacker import Attacker, exchange, hammer, request
from honest import Experience
from outcome import Outcome

CONNECTIONS = 8
# So many times in turn: honest devices alone, and beside the attack.
WINDOWS = 4
# A short run has few answers, on a machine that does other work: under this its slowest prove nothing.
QUICK_MILLISECONDS = 60

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def secret(kind, project=1):
    """Looks like one, and is none."""
    return f"{kind}_{project}_{''.join(random.choices(LETTERS, k=44))}"


@functools.cache
def ones(length):
    """A report's body of this length."""
    return b'{"end":[1' + b",1" * ((length - 11) // 2) + b"]}"


@functools.cache
def nested(length):
    return b"[" * length


def wrong_secret():
    return request("/v1/report", secret("nbd"), {})


@functools.cache
def chunks(length):
    """A report of this length that does not say how long it is."""
    head = "POST /v1/report HTTP/1.1\r\nHost: nearby\r\nAuthorization: Bearer nbd_1_x\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head.encode() + b"%x\r\n%s\r\n" % (len(ones(65_536)), ones(65_536)) * (length // 65_536) + b"0\r\n\r\n"


# What each sends: a name, and how to make a request.
KINDS = [
    ("bodies of 8 MB, `Bearer nbd_1_x`", lambda: request("/v1/report", "nbd_1_x", ones(8 << 20))),
    ("bodies of 2 MB, `Bearer nbd_1_x`", lambda: request("/v1/report", "nbd_1_x", ones(2 << 20))),
    ("bodies of 8 MB in chunks", lambda: chunks(8 << 20)),
    ("bodies of 2 MB of brackets, wrong secrets", lambda: request("/v1/report", secret("nbd"), nested(2_000_000))),
    ("wrong secrets of a known project", wrong_secret),
    ("wrong secrets of unknown projects", lambda: request("/v1/report", secret("nbd", random.randint(2, 1 << 40)), {})),
    ("wrong API keys", lambda: request("/v1/devices", secret("nbk"))),
    ("no secret, unknown paths", lambda: request(f"/v1/{random.random()}", "")),
]


async def at_full_speed_of(cost, make, port, seconds):
    await asyncio.gather(*(hammer(cost, make, port, "127.66.0.1", seconds) for _ in range(CONNECTIONS)))


async def one_kind(scene, name, make):
    with scene.victim() as victim:
        crowd = await victim.crowd(40)
        outcome = Outcome(4, f"8 connections: {name}")
        outcome.alone, outcome.attacked = Experience(), Experience()
        lines, seconds = victim.server.line_count, max(1.0, scene.seconds / WINDOWS)
        # Everyone's first request opens a connection: not measured.
        await crowd.live(1, rate=80)
        for _ in range(WINDOWS):
            outcome.alone.merge(await crowd.live(seconds, rate=80))
            spent = victim.server.cpu_seconds()
            attacker = Attacker(at_full_speed_of, make, victim.port, seconds)
            outcome.attacked.merge(await crowd.live(seconds, rate=80))
            outcome.cost.merge(await attacker.cost(seconds + 60))
            outcome.victim_cpu_seconds += victim.server.cpu_seconds() - spent
            # What the attack has left behind is not what honest devices wait for when they are alone.
            await victim.calm()
        outcome.resident_bytes, outcome.log_lines = victim.server.resident_bytes(), victim.server.line_count - lines
    alone, attacked = outcome.alone.at(0.99), outcome.attacked.at(0.99)
    bound = max(3 * alone, QUICK_MILLISECONDS) if scene.is_quick else 3 * alone
    outcome.must("honest p99 is at most 3 times what it is alone" + (
        f", or {QUICK_MILLISECONDS} ms" if scene.is_quick else ""), attacked <= bound, f"{attacked:.1f} and {alone:.1f} ms")
    refused, unanswered = outcome.attacked.refused, outcome.attacked.unanswered
    outcome.must("honest requests are neither refused nor unanswered", refused + unanswered == 0,
                 f"{refused} refused, {unanswered} unanswered")
    outcome.must("no stranger is let in", outcome.cost.count(200, 201) == 0, f"statuses {outcome.cost.statuses}")
    outcome.must("strangers are refused as unknown before their bodies are judged", outcome.cost.count(400) == 0,
                 f"{outcome.cost.count(400)} × 400")
    return outcome


async def spent_budget(scene):
    """Each wrong secret spends of its address's budget: more and more slowly it is answered, and later told to wait. The answers do not
    tell which projects there are."""
    with scene.victim("--registrations-per-address", "1") as victim:
        seconds = 5 if scene.is_quick else 30
        outcome, said = Outcome(4, f"one address guesses secrets on 8 connections for {seconds} s"), []
        for number, project in enumerate((1, 4711)):
            attacker = Attacker(guess, victim.port, f"127.66.{number}.1", project, seconds)
            cost = await attacker.cost(seconds + 60)
            said.append(cost.statuses)
            outcome.cost.merge(cost)
        most = 60 + 12 * seconds
        outcome.must(f"no address guesses more than {most} times", all(sum(one.values()) <= most for one in said),
                     f"{[sum(one.values()) for one in said]} times")
        outcome.must("all of them are refused", all(set(one) <= {401, 429} for one in said), f"statuses {said}")
        # Budgets come back with time: one guess more or less tells nothing.
        is_alike = all(abs(said[0].get(status, 0) - said[1].get(status, 0)) <= 20 for status in (401, 429))
        outcome.must("a project that is there is answered as one that is not", is_alike, f"{said[0]} and {said[1]}")
        return outcome


async def guess(cost, port, address, project, seconds):
    """From eight connections at a time, each guess on a new one."""
    end = time.monotonic() + seconds
    await asyncio.gather(*(guess_on_one(cost, port, address, project, end) for _ in range(CONNECTIONS)))


async def guess_on_one(cost, port, address, project, end):
    while time.monotonic() < end:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
        data, status = request("/v1/report", secret("nbd", project), {}), 0
        try:
            status, _ = await asyncio.wait_for(exchange(reader, writer, data), 20)
        except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError) as error:
            print(f"attack: row 4: a guess got no answer: {type(error).__name__}", file=sys.stderr)
        writer.transport.abort()
        cost.add(status, len(data))


async def at_full_speed(scene):
    kinds = [KINDS[n] for n in (0, 1, 4)] if scene.is_quick else KINDS
    return [await one_kind(scene, *kind) for kind in kinds] + [await spent_budget(scene)]
