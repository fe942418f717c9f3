"""Row 1 by sound: a loudspeaker plays strays, and `nearby subscribe` is to find the box that sounds beside it."""
import asyncio
import base64
import pathlib
import subprocess
import time
import wave

from attacker import random_token
from honest import Experience
from outcome import Outcome
from server_world import Device, Line

SAMPLE_RATE_HZ = 48_000
# Strays that are played before the box is switched on, in 170 s: more than a device may name, and what comes back meanwhile.
FRAMES_BEFORE = 130
# True frames after that, each followed by a stray.
FRAMES_BESIDE = 12
# Seconds between two frames.
GAP = 0.05


class Sounds:
    """Frames as `nearby-modem encode` makes them, 16 bits, mono."""

    def __init__(self, modem, folder):
        self.modem, self.path = modem, folder / "frame.wav"

    def frame(self, token):
        text = base64.urlsafe_b64decode(token + "=").hex()
        subprocess.run([self.modem, "encode", "--token", text, "-o", self.path], check=True, capture_output=True)
        with wave.open(str(self.path)) as file:
            return file.readframes(file.getnframes()) + silence(GAP)


def silence(seconds):
    return bytes(2 * int(seconds * SAMPLE_RATE_HZ))


def room(path, pieces):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE_HZ)
        for piece in pieces:
            file.writeframes(piece)


async def found_after(scene, victim, path, switched_on):
    """Seconds from when the box is switched on until the app has found it; None: never. Recordings are heard in real time."""
    lasts = path.stat().st_size / 2 / SAMPLE_RATE_HZ
    process = await asyncio.create_subprocess_exec(
        scene.binary, "subscribe", "--type", "t", "--server", f"http://127.0.0.1:{victim.port}", "--capture", path,
        "--playback", f"{path}.played.wav", "--only-scan", "--seconds", str(lasts), env={"NEARBY_KEY": victim.key},
        stdout=subprocess.PIPE)
    begun = time.monotonic()
    line = await process.stdout.readline()
    took = time.monotonic() - begun - switched_on
    if process.returncode is None:
        process.kill()
    await process.wait()
    return took if line.startswith(b"found") else None


async def beside_a_loudspeaker(scene):
    outcome = Outcome(1, f"{FRAMES_BEFORE} strays by sound, then one after each frame of a true box")
    modem = scene.binary.parent / "nearby-modem"
    if scene.is_quick:
        outcome.skipped = "it takes three minutes"
    elif not modem.is_file():
        outcome.skipped = f"there is no {modem.name} beside {scene.binary.name}: build it"
    if outcome.skipped:
        return outcome
    with scene.victim() as victim:
        line = Line(victim.port, "127.0.0.1")
        box = Device((await line.ask("/v1/devices", victim.key, {}))[1]["device"])
        await box.say(line, box.complete())
        line.close()
        sounds = Sounds(modem, victim.folder)
        true, before = sounds.frame(box.token), [sounds.frame(random_token()) for _ in range(FRAMES_BEFORE)]
        beside = [sounds.frame(random_token()) for _ in range(FRAMES_BESIDE)]
        seconds = sum(map(len, before)) / 2 / SAMPLE_RATE_HZ
        paths = [pathlib.Path(victim.folder, name) for name in ("alone.wav", "attacked.wav")]
        room(paths[0], [bytes(len(one)) for one in before] + [piece for one in beside for piece in (true, bytes(len(one)))])
        room(paths[1], before + [piece for one in beside for piece in (true, one)])
        spent = victim.server.cpu_seconds()
        alone, attacked = await asyncio.gather(*(found_after(scene, victim, path, seconds) for path in paths))
        outcome.victim_cpu_seconds = victim.server.cpu_seconds() - spent
        outcome.resident_bytes, outcome.log_lines = victim.server.resident_bytes(), victim.server.line_count
    outcome.cost.frames = FRAMES_BEFORE + FRAMES_BESIDE
    outcome.alone, outcome.attacked = Experience(), Experience()
    outcome.alone.found_after, outcome.attacked.found_after = [alone], [attacked]
    frame = len(true) / 2 / SAMPLE_RATE_HZ
    outcome.must("it is found in 1.5 times the time without strays, or a frame later",
                 alone is not None and attacked is not None and attacked <= 1.5 * alone + frame,
                 f"{outcome.attacked.found()}; without strays {outcome.alone.found()}")
    return outcome
