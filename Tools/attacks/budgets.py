"""Row 2: a project's budget for tokens that nobody has is emptied, with the public key of its apps."""
import asyncio
import time

from attacker import MOST_OBSERVATIONS, Attacker, strays
from server_world import Device, Line
from victim import must_hold_for_honest

# Strays of an attacker's device: a few more than it once might name. Later ones come in pairs: nothing comes back unspent.
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
                status = await device.say(line, {"isComplete": True, "observations": strays(MOST_OBSERVATIONS)})
                cost.add(status, 150 + 60 * MOST_OBSERVATIONS)
                if status != 200 or time.monotonic() > end:
                    break

    await asyncio.gather(*(one() for _ in range(8)))


async def of_a_project(scene):
    attacks = {"340 devices of one address name 61 strays each, then 3 devices a second": empty_budget,
               f"devices of one address name {MOST_OBSERVATIONS} strays a report, at full speed": name_most}
    outcomes = []
    for name, attack in attacks.items():
        with scene.victim() as victim:
            # Each honest device has heard one stray as well: that must not cost it its reports.
            crowd = await victim.crowd(20, strays=lambda: strays(1))
            outcomes.append(await victim.attacked(
                2, name, lambda: [Attacker(attack, victim.port, victim.key, scene.seconds)], crowd, rate=10))
            must_hold_for_honest(outcomes[-1])
    return outcomes
