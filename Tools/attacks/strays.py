"""Row 1: a loudspeaker plays tokens that nobody has, beside a true box."""
import asyncio
import time

import sound
from attacker import MOST_OBSERVATIONS, strays
from honest import Experience, found_in, ipv4
from outcome import Outcome
from server_world import Device, Line
from victim import must_hold_for_honest

# So many strays a second use up what a device may name: who named them all may be guessing, and a token by one medium proves
# nothing. A box that is heard by sound and by Bluetooth is found all the same, another one with its next token.
BY_BOTH_MEDIA = 1000


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
            # The last one has time for two reports.
            if self.waiting is None and turn % 3 == 2 and turn + 3 < seconds:
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
        body["observations"] = heard[:MOST_OBSERVATIONS - len(self.true)] + self.true
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
            lacks = ", ".join(f"{listener.lacks.count(one)} times {one}" for one in sorted(set(listener.lacks)))
            outcome.must("each true box is found within two reports, and tokens are granted", not listener.lacks,
                         f"it lacked {lacks or 'nothing'}")
            outcomes.append(outcome)
    return [*outcomes, await sound.beside_a_loudspeaker(scene)]
