"""Row 6: reports that name more tokens than a report may."""
import time

from attacker import MOST_OBSERVATIONS, strays
from honest import Experience, found_in, ipv4
from outcome import Outcome
from server_world import Device, Line


async def cut(scene):
    """A device that names more than a report may have: as many as it likes, and the true one among them."""
    with scene.victim() as victim:
        outcome = Outcome(6, "reports with 201 to 5000 observations")
        outcome.attacked, spent = Experience(), victim.server.cpu_seconds()
        cases = [(201, 200), (1000, 999), (2560, 2559), (2561, 0), (4097, 4096), (5000, 2559), (5000, 4000)]
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
            named, heard = min(len(heard), MOST_OBSERVATIONS), heard[MOST_OBSERVATIONS:]
            outcome.must(f"{count}, the true one at {place}: a verdict for each of the first {MOST_OBSERVATIONS}",
                         verdicts is not None and len(verdicts) == named, f"{len(verdicts or [])} verdicts for {named}")
    outcome.attacked.found_after.append(time.monotonic() - begun if is_found else None)
    outcome.must(f"{count}, the true one at {place}: taken, and found within two reports",
                 is_found and set(statuses) == {200}, f"statuses {statuses}, {'' if is_found else 'not '}found")
    for line in lines:
        line.close()
