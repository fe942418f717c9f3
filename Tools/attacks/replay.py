"""Row 7: true tokens where they are not true, and what the time of a verdict tells about them."""
import collections
import gc
import itertools
import random
import statistics
import time

from attacker import random_token
from honest import Experience, found_in, ipv4
from outcome import Outcome
from server_world import Device, Line

# Projects that ask for verdicts, each for a part: one's budget for invalid tokens is smaller than the whole.
PROJECTS = 6
# Milliseconds that a token was heard ago, too long for a verdict.
LATE = 20_000


def heard(token, medium="audio", age=0):
    return {"token": token, "medium": medium, "ageMillis": age}


class Cast:
    """Devices of one project: each comes from a network of its own."""

    def __init__(self, victim, key, first):
        self.victim, self.key, self.numbers = victim, key, itertools.count(first)

    async def device(self):
        """A new one, and its connection."""
        line = Line(self.victim.port, ipv4(next(self.numbers) % 25_000))
        status, answer = await line.ask("/v1/devices", self.key, {})
        if status != 201:
            raise SystemExit(f"attack: a registration has status {status}: {answer}")
        return Device(answer["device"]), line

    async def box(self):
        """A device with a token that is broadcast by sound, and its connection."""
        box, line = await self.device()
        await box.say(line, box.complete())
        return box, line


# MARK: The true one is found as fast

async def found_as_fast(scene):
    outcome = Outcome(7, "a true token replayed by BLE, late and from another project, then heard")
    outcome.alone, outcome.attacked = Experience(), Experience()
    with scene.victim() as victim:
        spent = victim.server.cpu_seconds()
        cast, others = Cast(victim, victim.key, 0), Cast(victim, victim.project("other"), 5000)
        foreign, _ = await others.box()
        replays = {
            "nothing": lambda token: [], "the other medium": lambda token: [heard(token, "ble")],
            "late": lambda token: [heard(token, age=LATE)], "another project": lambda token: [heard(foreign.token)],
            "all": lambda token: [heard(token, "ble"), heard(token, age=LATE), heard(foreign.token)]}
        for name, replay in replays.items():
            first, trials = 0, 6 if scene.is_quick else 50
            for number in range(trials):
                experience = outcome.attacked if name != "nothing" else outcome.alone
                first += await trial(cast, replay, experience, outcome, is_last=number % 2 == 0)
            outcome.must(f"after {name}: found in the first report that names it", first == trials, f"{first} of {trials}")
        outcome.victim_cpu_seconds = victim.server.cpu_seconds() - spent
        outcome.resident_bytes, outcome.log_lines = victim.server.resident_bytes(), victim.server.line_count
    return outcome


async def trial(cast, replay, experience, outcome, is_last):
    """Whether the app finds the box with the first report that names its token as it is. The same report has the replay again,
    before it (`is_last`) or after it."""
    (box, _), (app, line) = await cast.box(), await cast.device()
    await app.say(line, app.complete())
    for _ in range(3):
        await app.say(line, {"observations": replay(box.token)})
    begun, observations = time.monotonic(), replay(box.token) + [heard(box.token)]
    status = await app.say(line, {"observations": observations if is_last else observations[::-1]})
    outcome.cost.frames += 4 * len(replay(box.token))
    is_found = status == 200 and found_in(app.answer) and box.token in app.answer.get("valid", [])
    experience.note(status, time.monotonic() - begun)
    experience.found_after.append(time.monotonic() - begun if is_found else None)
    line.close()
    return is_found


# MARK: What time tells

async def kinds_of(cast, neighbour):
    """Observations that all are none, each with a reason of its own: name to a function that makes one."""
    true, gone = [(await cast.box())[0] for _ in range(20)], []
    foreign = [(await neighbour.box())[0].token for _ in range(20)]
    for _ in range(20):
        box, line = await cast.box()
        gone.append(box.token)
        await box.say(line, {"isFarewell": True})
        line.close()
    return {
        "unknown": lambda: heard(random_token()), "other project": lambda: heard(random.choice(foreign)),
        "other medium": lambda: heard(random.choice(true).token, "ble"), "gone": lambda: heard(random.choice(gone)),
        "late": lambda: heard(random.choice(true).token, age=LATE), "late and unknown": lambda: heard(random_token(), age=LATE)}


def verdict_of(answer, token):
    named = "valid" if token in answer.get("valid", []) else "invalid" if token in answer.get("invalid", []) else "none"
    # Numbers of mailboxes are random, and of one length.
    length = len(str({name: value for name, value in answer.items() if name != "news"}))
    return named, tuple(answer.get("verdicts", [])), length


async def ask(cast, kinds, count, seconds, said, outcome):
    """Each kind so often, in random order; a device is left when it gets no verdict any more."""
    order = [kind for kind in kinds for _ in range(count)]
    random.shuffle(order)
    device = None
    for kind in order:
        if device is None:
            device, line = await cast.device()
            await device.say(line, {})
            asked = 0
        one = kinds[kind]()
        begun = time.perf_counter()
        status = await device.say(line, {"observations": [one]})
        seconds[kind].append(time.perf_counter() - begun)
        verdict = verdict_of(device.answer, one["token"])
        said[kind][status, *verdict] += 1
        outcome.cost.add(status, 200)
        asked += 1
        # A device may report 50 times at once. What was heard late gets no verdict in any case.
        if asked == 45 or status != 200 or verdict[0] == "none" and not kind.startswith("late"):
            line.close()
            device = None


async def time_tells_nothing(scene):
    count, bound = (1000, 1.15) if scene.is_quick else (10_000, 1.05)
    outcome = Outcome(7, f"why a token is invalid, guessed by the time of its verdict, {count} of each kind")
    with scene.victim("--registrations-per-address", "100000") as victim:
        spent = victim.server.cpu_seconds()
        keys = [victim.key] + [victim.project(f"asks-{n}") for n in range(PROJECTS - 1)]
        casts = [Cast(victim, key, n * 4000) for n, key in enumerate(keys)]
        seconds, said = collections.defaultdict(list), collections.defaultdict(collections.Counter)
        gc.disable()
        for n, cast in enumerate(casts):
            kinds = await kinds_of(cast, casts[n - 1])
            await ask(cast, kinds, -(-count // PROJECTS), seconds, said, outcome)
        gc.enable()
        outcome.victim_cpu_seconds = victim.server.cpu_seconds() - spent
        outcome.resident_bytes, outcome.log_lines = victim.server.resident_bytes(), victim.server.line_count
    # Other work on the machine only ever adds time: the fastest tenth tells an attacker most (Crosby, Wallach and Riedi, Opportunities
    # and Limits of Remote Timing Attacks, §4), and us too.
    fastest = {kind: statistics.quantiles(times, n=10)[0] * 1e6 for kind, times in seconds.items()}
    shown = ", ".join(f"{kind} {time:.0f}" for kind, time in fastest.items())
    outcome.must(f"fastest tenths are within {bound - 1:.0%} of each other", max(fastest.values()) <= bound * min(fastest.values()),
                 f"µs: {shown}; the slowest is {max(fastest.values()) / min(fastest.values()) - 1:.1%} over the fastest")
    answers = {kind: most_common(counts) for kind, counts in said.items()}
    in_time = {answers[kind] for kind in ("unknown", "other project", "other medium", "gone")}
    outcome.must("the answers are alike", len(in_time) == 1 and answers["late"] == answers["late and unknown"],
                 "; ".join(f"{kind}: {answer}" for kind, answer in answers.items()))
    shares = [said[kind][answers[kind]] / sum(said[kind].values()) for kind in said]
    outcome.must("nine in ten got this answer, whatever the reason", min(shares) >= 0.9,
                 f"{min(shares):.0%} to {max(shares):.0%}")
    return outcome


def most_common(counts):
    return counts.most_common(1)[0][0]


async def elsewhere(scene):
    return [await found_as_fast(scene), await time_tells_nothing(scene)]
