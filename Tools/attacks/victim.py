"""A server with a store of its own, that is attacked."""
import asyncio
import contextlib
import pathlib
import signal
import subprocess
import tempfile
import time

from honest import Crowd
from outcome import Outcome
from server_world import Server
from transport import certificate


class Scene:
    """How the attacks are run: which program, and how long."""

    def __init__(self, binary, seconds, is_quick):
        self.binary, self.seconds, self.is_quick = binary, seconds, is_quick

    def run(self, *words, **options):
        """Runs `nearby` to its end, and returns what it printed."""
        return subprocess.run([self.binary, *words], check=True, stdout=subprocess.PIPE, text=True, **options).stdout.strip()

    @contextlib.contextmanager
    def victim(self, *options, **more):
        """A `Victim` with an empty database of SQLite."""
        with tempfile.TemporaryDirectory(prefix="nearby-attack-") as folder:
            victim = Victim(self, pathlib.Path(folder), *options, **more)
            try:
                yield victim
            finally:
                victim.server.kill(signal.SIGKILL)


    @contextlib.contextmanager
    def victim_with_tls(self):
        """A `Victim` that speaks TLS, with cert.pem and key.pem in its folder."""
        with tempfile.TemporaryDirectory(prefix="nearby-attack-") as name:
            folder = pathlib.Path(name)
            certificate(folder)
            victim = Victim(self, folder, "--certificate", str(folder / "cert.pem"), "--private-key", str(folder / "key.pem"))
            try:
                yield victim
            finally:
                victim.server.kill(signal.SIGKILL)


class Victim:
    """The server, its first project's key, and what it has spent."""

    def __init__(self, scene, folder, *options, **more):
        self.scene, self.folder, self.store = scene, folder, ["--data", str(folder)]
        self.key = self.project("attacked")
        self.server = Server(scene.binary, self.store, *options, log_level="info", **more)
        self.port = self.server.port

    def project(self, name):
        """Makes a project, and returns its key. While the server runs it finds it with the next request."""
        return self.scene.run("projects", "create", name, *self.store)

    async def attacked(self, row, attack, attackers, crowd, **more):
        """Honest devices alone, and then beside `attackers()`, which starts them and returns them. The whole is one `Outcome`.

        `more`: of `Crowd.live`.
        """
        outcome = Outcome(row, attack)
        outcome.alone = await crowd.live(max(1.0, self.scene.seconds / 4), **more)
        spent, lines = self.server.cpu_seconds(), self.server.line_count
        running = attackers()
        outcome.attacked = await crowd.live(self.scene.seconds, **more)
        for attacker in running:
            outcome.cost.merge(await attacker.cost(self.scene.seconds + 60))
        outcome.victim_cpu_seconds = self.server.cpu_seconds() - spent
        outcome.resident_bytes = self.server.resident_bytes()
        outcome.log_lines = self.server.line_count - lines
        if self.has_ended:
            said = self.server.lines[-1][:200] if self.server.lines else "nothing"
            outcome.must("the server lives", False, f"exit code {self.server.process.returncode}; it said: {said}")
        return outcome

    async def crowd(self, count, **options):
        """So many honest devices, registered."""
        crowd = Crowd(self.port, self.key, **options)
        await crowd.settle(count)
        return crowd

    async def calm(self, seconds=60):
        """Until the server does next to nothing, or so long."""
        end, spent = time.monotonic() + seconds, -1.0
        while self.server.cpu_seconds() - spent > 0.02 and time.monotonic() < end:
            spent = self.server.cpu_seconds()
            await asyncio.sleep(0.2)

    @property
    def has_ended(self):
        return self.server.process.poll() is not None


def must_hold_for_honest(outcome, refused_share=0.0):
    """What every attack leaves alone."""
    experience = outcome.attacked
    share = experience.refused / max(1, experience.asked)
    outcome.must(f"honest requests are {'not refused' if refused_share == 0 else f'refused to {refused_share:.0%} at most'}",
                 share <= refused_share, f"{experience.refused} of {experience.asked}")
    outcome.must("every honest request is answered", experience.unanswered == 0, f"{experience.unanswered} are not")
    outcome.must("every newcomer finds its true box", experience.missed == 0, experience.found())
