"""Rows 1, 2 and 6: tokens that nobody has."""
import asyncio
import time

import sound
from attacker import Attacker, strays
from honest import Experience, found_in, ipv4
from outcome import Outcome
from server_world import Device, Line
from victim import must_hold_for_honest

# Observations that a report may name; the rest is cut off.
LONGEST = 2048


# So many strays a second use up what a device may name: who named them all may be guessing, and a token by one medium proves
# nothing. A box that is heard by sound and by Bluetooth is found all the same, another one with its next token.
BY_BOTH_MEDIA = 1000


# MARK: Row 1

class Listener:
    """A device in earshot of a loudspeaker that plays strays. It reports once a second, publishes, and wants tokens; beside
    it stands a true box, another one every few seconds."""

    def __init__(self, victim, number, rate):
        self.victim, self.number, self.rate = victim, number, rate
        self.experience, self.lacks, self.waiting, self.boxes = Experience(), [], None, 0

    async def live(self, seconds):
        line = Line(self.victim.port, ipv4(self.number))
        self.device = Device((await line.ask("/v1/devices", self.victim.key, {}))[1]["device"])
        await self.device.say(line, self.device.complete())
        start, frames = time.monotonic(), 0
        await self.new_box()
        for turn in range(int(seconds)):
            await asyncio.sleep(start + turn - time.monotonic())
            heard = int(self.rate * (turn + 1)) - frames
            frames += heard
            await self.report(line, strays(heard))
            if self.waiting is None and turn % 3 == 2:
                await self.new_box()
        if self.waiting is not None:
            self.experience.found_after.append(None)
        line.close()
        return frames

    async def new_box(self):
        self.boxes += 1
        line = Line(self.victim.port, ipv4(5000 + 100 * self.number + self.boxes))
        box = Device((await line.ask("/v1/devices", self.victim.key, {}))[1]["device"])
        media = ["audio"] if self.rate < BY_BOTH_MEDIA else ["ble", "audio"]
        await box.say(line, box.complete() | {"wantsTokens": media})
        line.close()
        self.true = [{"token": one["token"], "medium": one["medium"], "ageMillis": 0} for one in box.answer.get("grants", [])]
        self.true.sort(key=lambda one: media.index(one["medium"]))
        self.waiting, self.reports = time.monotonic(), 0

    async def report(self, line, heard):
        self.device.number += 1
        # The true one comes last, as one of random tokens might.
        body = self.device.change() | {"wantsTokens": ["audio"]}
        body["observations"] = heard[:LONGEST - len(self.true)] + self.true
        asked = time.monotonic()
        status = await self.device.say(line, body)
        self.experience.note(status, time.monotonic() - asked)
        if status == 200 and not self.device.answer.get("grants"):
            self.lacks.append("a token it wants")
        if self.waiting is None:
            return
        self.reports += 1
        if status == 200 and found_in(self.device.answer):
            self.experience.found_after.append(time.monotonic() - self.waiting)
            self.waiting = None
        elif self.reports == 2:
            self.lacks.append("the true box")


async def beside_a_true_one(scene):
    """Four listeners, each beside a loudspeaker that is quicker than the one before; and one that hears real sound."""
    outcomes = []
    with scene.victim() as victim:
        listeners = [Listener(victim, number, rate) for number, rate in enumerate((0, 1, 10, 100, 1000))]
        spent = victim.server.cpu_seconds()
        frames = await asyncio.gather(*(listener.live(scene.seconds) for listener in listeners))
        for listener, count in list(zip(listeners, frames))[1:]:
            outcome = Outcome(1, f"{listener.rate} strays a second beside a true box")
            outcome.alone, outcome.attacked = listeners[0].experience, listener.experience
            outcome.cost.frames = count
            outcome.victim_cpu_seconds = (victim.server.cpu_seconds() - spent) / (len(listeners) - 1)
            outcome.resident_bytes, outcome.log_lines = victim.server.resident_bytes(), victim.server.line_count
            must_hold_for_honest(outcome)
            lacks = ", ".join(sorted(set(listener.lacks))) or "nothing"
            outcome.must("each true box is found within two reports, and tokens are granted", not listener.lacks,
                         f"{len(listener.lacks)} times lacked {lacks}")
            outcomes.append(outcome)
    return [*outcomes, await sound.beside_a_loudspeaker(scene)]


# MARK: Row 2

# Strays of an attacker's device: a few more than it might once name. Later ones come in pairs, so that nothing comes back unspent.
STRAYS, FIRST_DEVICES, DEVICES_PER_SECOND = 61, 340, 3


async def empty_budget(cost, port, key, seconds):
    """340 devices of one address name 61 strays each; then 3 more devices a second do, two strays a report."""
    end = time.monotonic() + seconds
    line = Line(port, "127.66.0.1")

    async def device():
        status, answer = await line.ask("/v1/devices", key, {})
        cost.add(status, 200)
        return Device(answer["device"]) if status == 201 else None

    async def report(device, count):
        status = await device.say(line, {"isComplete": True, "observations": strays(count)})
        cost.add(status, 150 + 60 * count)

    for _ in range(FIRST_DEVICES):
        one = await device()
        if one and time.monotonic() < end:
            await report(one, STRAYS)
    start, pairs = time.monotonic(), STRAYS // 2
    for number in range(max(0, int((end - start) * DEVICES_PER_SECOND * pairs))):
        await asyncio.sleep(start + number / DEVICES_PER_SECOND / pairs - time.monotonic())
        if number % pairs == 0:
            one = await device()
        if one:
            await report(one, 2)


async def name_most(cost, port, key, seconds):
    """Eight devices at a time name as many as a report may have, as often as they may; then others do."""
    end = time.monotonic() + seconds

    async def one():
        line = Line(port, "127.66.0.1")
        while time.monotonic() < end:
            status, answer = await line.ask("/v1/devices", key, {})
            cost.add(status, 200)
            if status != 201:
                await asyncio.sleep(0.2)
                continue
            device = Device(answer["device"])
            for _ in range(30):
                status = await device.say(line, {"isComplete": True, "observations": strays(LONGEST)})
                cost.add(status, 150 + 60 * LONGEST)
                if status != 200 or time.monotonic() > end:
                    break

    await asyncio.gather(*(one() for _ in range(8)))


async def budget_of_a_project(scene):
    attacks = {"340 devices of one address name 61 strays each, then 3 devices a second": empty_budget,
               f"devices of one address name {LONGEST} strays a report, at full speed": name_most}
    outcomes = []
    for name, attack in attacks.items():
        with scene.victim() as victim:
            # Each honest device has heard one stray as well: that must not cost it its reports.
            crowd = await victim.crowd(20, strays=lambda: strays(1))
            outcomes.append(await victim.attacked(
                2, name, lambda: [Attacker(attack, victim.port, victim.key, scene.seconds)], crowd, rate=10))
            must_hold_for_honest(outcomes[-1])
    return outcomes


# MARK: Row 6

async def long_lists(scene):
    """A device that names more than a report may have: as many as it likes, and the true one among them."""
    with scene.victim() as victim:
        outcome = Outcome(6, "reports with 201 to 5000 observations")
        outcome.attacked, spent = Experience(), victim.server.cpu_seconds()
        cases = [(201, 200), (1000, 999), (2048, 2047), (2049, 0), (5000, 2047), (5000, 4000)]
        for number, (count, place) in enumerate(cases):
            await long_list(victim, outcome, number, count, place)
        outcome.victim_cpu_seconds = victim.server.cpu_seconds() - spent
        outcome.resident_bytes, outcome.log_lines = victim.server.resident_bytes(), victim.server.line_count
        return [outcome]


async def long_list(victim, outcome, number, count, place):
    lines = [Line(victim.port, ipv4(2 * number + n)) for n in range(2)]
    box, app = [Device((await line.ask("/v1/devices", victim.key, {}))[1]["device"]) for line in lines]
    await box.say(lines[0], box.complete())
    await app.say(lines[1], app.complete())
    heard = strays(count - 1)
    heard.insert(place, {"token": box.token, "medium": "audio", "ageMillis": 0})
    begun, reports, is_found = time.monotonic(), 0, False
    statuses = []
    while heard and reports < 2 and not is_found:
        asked = time.monotonic()
        app.number += 1
        statuses.append(await app.say(lines[1], app.change() | {"observations": heard}))
        outcome.attacked.note(statuses[-1], time.monotonic() - asked)
        outcome.cost.frames += len(heard)
        reports, is_found = reports + 1, statuses[-1] == 200 and found_in(app.answer)
        verdicts = app.answer.get("verdicts")
        if statuses[-1] == 200:
            named, heard = min(len(heard), LONGEST), heard[LONGEST:]
            outcome.must(f"{count}, the true one at {place}: a verdict for each of the first {LONGEST}",
                         verdicts is not None and len(verdicts) == named, f"{len(verdicts or [])} verdicts for {named}")
    outcome.attacked.found_after.append(time.monotonic() - begun if is_found else None)
    outcome.must(f"{count}, the true one at {place}: taken, and found within two reports",
                 is_found and set(statuses) == {200}, f"statuses {statuses}, {'' if is_found else 'not '}found")
    for line in lines:
        line.close()
