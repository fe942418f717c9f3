"""Honest devices beside an attack: a steady crowd, and newcomers that look for a true box."""
import asyncio
import collections
import time

from server_world import Device, Line

# Seconds. An answer that takes longer is late.
LATE = 1.0
# Seconds that a newcomer looks for its box, and between its tries.
PATIENCE, RETRY = 10.0, 0.5


def ipv4(number):
    """Each in a network of its own, /24; `number` under 50 000."""
    return f"127.{100 + number // 250}.{number % 250}.1"


def ipv6(number):
    """Each in a /48 of its own."""
    return f"2001:db8:{0x1000 + number:x}::1"


class Experience:
    """What honest devices went through."""

    def __init__(self):
        self.seconds, self.statuses, self.found_after, self.late = [], collections.Counter(), [], 0

    def note(self, status, seconds):
        self.seconds.append(seconds)
        self.statuses[status] += 1
        self.late += status == 0 or seconds > LATE

    def merge(self, other):
        self.seconds += other.seconds
        self.statuses += other.statuses
        self.found_after += other.found_after
        self.late += other.late
        return self

    @property
    def asked(self):
        return sum(self.statuses.values())

    @property
    def unanswered(self):
        return self.statuses[0]

    @property
    def refused(self):
        return sum(count for status, count in self.statuses.items() if status not in (0, 200, 201, 409))

    def refusals(self):
        kinds = [f"{count} × {status}" for status, count in sorted(self.statuses.items()) if status not in (0, 200, 201, 409)]
        return ", ".join(kinds) or "0"

    def at(self, share):
        """Milliseconds that so large a share waits at most."""
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float("nan")

    def waits(self):
        return f"{self.at(0.5):.1f} / {self.at(0.99):.1f}"

    @property
    def missed(self):
        return self.found_after.count(None)

    def found(self):
        """Median and slowest of those that found their box, and how many did not."""
        times = sorted(seconds for seconds in self.found_after if seconds is not None)
        if not self.found_after:
            return "–"
        spread = f"{times[len(times) // 2]:.2f} (worst {times[-1]:.2f})" if times else "never"
        return f"{spread}, {len(times)} of {len(self.found_after)}"


class Crowd:
    """Devices in pairs, each in a network of its own; the second of a pair hears the first."""

    def __init__(self, port, key, address=ipv4, host="127.0.0.1", strays=lambda: []):
        """`strays()`: observations that each device names before its true one."""
        self.port, self.key, self.address, self.host, self.strays = port, key, address, host, strays
        self.devices, self.newcomers = [], 0

    def line(self, number):
        return Line(self.port, self.address(number), self.host)

    async def settle(self, count):
        """Registers so many. Raises `SystemExit` when one is refused: nothing attacks yet."""
        for number in range(count):
            line = self.line(number)
            status, answer = await line.ask("/v1/devices", self.key, {})
            if status != 201:
                raise SystemExit(f"attack: an honest device was refused before the attack: {status} {answer}")
            device = Device(answer["device"])
            device.neighbour = self.devices[-1][0] if number % 2 else None
            if await device.say(line, device.complete()) != 200:
                raise SystemExit(f"attack: an honest report was refused before the attack: {device.answer}")
            self.devices.append((device, line, asyncio.Lock()))

    async def live(self, seconds, rate=40, newcomers_per_second=1.0):
        """So long, at that rate of reports, whatever the answers take: who waits for a free connection waits as well."""
        experience, start, tasks = Experience(), time.monotonic(), []

        async def report(number, due):
            device, line, lock = self.devices[number % len(self.devices)]
            async with lock:
                body = self.heard(device)
                if number // len(self.devices) % 5 == 0:
                    device.number += 1
                    body |= device.change() | {"wantsTokens": ["audio"]}
                status = await device.say(line, body)
            experience.note(status, time.monotonic() - due)

        async def reports():
            for number in range(int(rate * seconds)):
                due = start + number / rate
                await asyncio.sleep(due - time.monotonic())
                tasks.append(asyncio.create_task(report(number, due)))

        async def newcomers():
            for number in range(int(newcomers_per_second * seconds) or 1):
                await asyncio.sleep(start + (number + 0.5) / newcomers_per_second - time.monotonic())
                tasks.append(asyncio.create_task(self.newcomer(experience)))

        await asyncio.gather(reports(), newcomers())
        await asyncio.gather(*tasks)
        return experience

    def heard(self, device):
        true = device.heartbeat().get("observations", [])
        return {"observations": self.strays() + true} if true else {}

    async def newcomer(self, experience):
        """A box and an app come, and the app is to find the box. Refusals are asked again, as clients do."""
        start, number = time.monotonic(), self.newcomers
        self.newcomers += 1
        lines = [self.line(1000 + 2 * number + n) for n in range(2)]
        # What is refused again and again ends with the app's patience.
        found = await self.look(lines, experience, start + PATIENCE)
        experience.found_after.append(time.monotonic() - start if found else None)
        for line in lines:
            line.close()

    async def look(self, lines, experience, end):
        box, app = [await self.join(line, experience, end) for line in lines]
        if not box or not app or not await self.insist(box, lines[0], box.complete(), experience, end):
            return False
        app.neighbour = box
        body = app.complete() | self.heard(app)
        while await self.insist(app, lines[1], body, experience, end):
            if found_in(app.answer):
                return True
            body = self.heard(app)
            await asyncio.sleep(RETRY)
        return False

    async def join(self, line, experience, end):
        """A new device; None when it was refused until the end."""
        while time.monotonic() < end:
            asked = time.monotonic()
            status, answer = await line.ask("/v1/devices", self.key, {}, PATIENCE)
            experience.note(status, time.monotonic() - asked)
            if status == 201:
                return Device(answer["device"])
            await asyncio.sleep(RETRY)
        return None

    async def insist(self, device, line, body, experience, end):
        """Whether the report was taken before the end."""
        while time.monotonic() < end:
            asked = time.monotonic()
            status = await device.say(line, body, PATIENCE)
            experience.note(status, time.monotonic() - asked)
            if status == 200:
                return True
            await asyncio.sleep(RETRY)
        return False


def found_in(answer):
    return any(news["change"] == "found" for news in answer.get("deliveries", []))
