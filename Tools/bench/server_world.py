"""A PostgreSQL of its own, instances of `nearby serve` on it, and devices that report to them; for Tools/bench/server and server-load."""
import asyncio
import functools
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time

PROGRAMS = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), default=None)


class Postgres:
    """Durable as in real life: fsync is on. Refuses to run as root, so user postgres does it then."""

    def __init__(self):
        if PROGRAMS is None:
            raise SystemExit("server: /usr/lib/postgresql is missing: Tools/install installs it")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nearby-pg-", dir="/tmp"))
        self.folder.chmod(0o777)
        self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
        self.run("initdb", "-D", self.folder / "data", "-A", "trust", "-U", "nearby", "-E", "UTF8", "--locale=C")
        self.start()
        self.run("createdb", "-h", self.folder, "-U", "nearby", "nearby")
        self.url = f"postgresql:///nearby?host={self.folder}&user=nearby"
        self.store = ["--store", self.url]

    def run(self, name, *arguments):
        done = subprocess.run([*self.user, PROGRAMS / name, *map(str, arguments)], cwd="/tmp", check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return done.stdout

    def query(self, sql):
        return self.run("psql", "-qtA", "-c", sql, self.url).strip()

    def start(self):
        self.process = subprocess.Popen(
            [*self.user, PROGRAMS / "postgres", "-D", self.folder / "data", "-k", self.folder, "-c",
             "listen_addresses=", "-c", "max_connections=200"],
            cwd="/tmp", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while subprocess.run([PROGRAMS / "pg_isready", "-q", "-h", self.folder]).returncode:
            time.sleep(0.02)

    def crash(self):
        """At once, without a checkpoint."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()

    def end(self):
        self.crash()
        shutil.rmtree(self.folder)


class Server:
    """One process of `nearby serve`, that listens. Its lines on standard error are read as they come, and the first are kept."""

    KEPT_LINES = 1000

    def __init__(self, nearby, store, *options, port=None, log_level="error", wrapper=(), environment=None):
        """`wrapper` are words before the program, as `prlimit`; `environment` is added to this process's."""
        if "--status-port" in help_of(nearby) and "--status-port" not in options:
            # Next to its port there may be somebody else's.
            options += ("--status-port", "0")
        self.process = subprocess.Popen(
            [*wrapper, nearby, "serve", *store, "--port", str(port or 0), "--log-level", log_level, *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | (environment or {}))
        self.lines, self.line_count, self.changed, self.has_ended = [], 0, threading.Condition(), False
        threading.Thread(target=self.read_lines, daemon=True).start()
        line = self.line_with("listening on http", 60)
        if line is None:
            self.kill()
            raise SystemExit(f"server: {' '.join(self.lines) or 'it says nothing'}")
        self.port = int(line.rsplit(":", 1)[1])

    def read_lines(self):
        for line in self.process.stderr:
            with self.changed:
                self.line_count += 1
                if len(self.lines) < self.KEPT_LINES:
                    self.lines.append(line.rstrip("\n"))
                self.changed.notify_all()
        with self.changed:
            self.has_ended = True
            self.changed.notify_all()

    def line_with(self, text, seconds):
        """The first line with this text, None when there is none within so many seconds, or the process has ended."""
        def find():
            return next((line for line in self.lines if text in line), None)
        with self.changed:
            self.changed.wait_for(lambda: find() or self.has_ended, seconds)
            return find()

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self):
        return int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait()


@functools.cache
def help_of(nearby):
    """What `nearby serve --help` says: an older program lacks some options."""
    return subprocess.run([nearby, "serve", "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout


class Line:
    """One connection, kept; from an address of its own, as devices have them."""

    def __init__(self, port, address, host="127.0.0.1"):
        self.port, self.address, self.host, self.writer = port, address, host, None

    async def ask(self, path, bearer, body, patience=10, headers=""):
        """Status and answer; status 0 when there is no answer within `patience` seconds. `headers`: lines with CR LF."""
        try:
            return await asyncio.wait_for(self.exchange(path, bearer, body, headers), patience)
        except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError, ValueError):
            self.close()
            return 0, {}

    def close(self):
        if self.writer:
            self.writer.close()
        self.writer = None

    async def exchange(self, path, bearer, body, headers=""):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(
                self.host, self.port, local_addr=(self.address, 0))
        text = json.dumps(body).encode()
        self.writer.write(
            f"POST {path} HTTP/1.1\r\nHost: nearby\r\nAuthorization: Bearer {bearer}\r\n{headers}"
            f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n".encode() + text)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        length = next(int(line.split(":")[1]) for line in head.split("\r\n")
                      if line.lower().startswith("content-length"))
        answer = await self.reader.readexactly(length)
        if "connection: close" in head.lower():
            self.close()
        return int(head.split()[1]), json.loads(answer or b"{}")


class Device:
    """Publishes one message, subscribes to all, and hears a neighbour."""

    def __init__(self, secret):
        self.secret, self.number, self.acknowledged, self.mailbox, self.taken = secret, 0, 0, None, 0
        self.token, self.neighbour, self.told = None, None, {}
        self.answer = {}

    def complete(self):
        everything = {"media": ["audio"], "mode": ["broadcast", "scan"]}
        return {
            "isComplete": True, "wantsTokens": [] if self.token else ["audio"],
            "publish": [{"id": 1, "message": {"type": "t", "content": content(self.number)}, "strategy": everything}],
            "subscribe": [{"id": 2, "filter": [{}], "strategy": everything}],
        }

    def change(self):
        body = self.complete()
        return {"publish": body["publish"]}

    def heartbeat(self):
        if self.neighbour is None or self.neighbour.token is None:
            return {}
        return {"observations": [{"token": self.neighbour.token, "medium": "audio", "ageMillis": 0}]}

    async def say(self, line, body, patience=10):
        """Returns the status; 409 is answered by saying everything."""
        body = dict(body)
        if self.mailbox:
            body |= {"mailbox": self.mailbox, "takenNews": self.taken}
        number = self.number
        status, self.answer = await line.ask("/v1/report", self.secret, body, patience)
        if status == 409 and not body.get("isComplete"):
            heard = {"observations": body["observations"]} if "observations" in body else {}
            return await self.say(line, self.complete() | heard, patience)
        if status == 200:
            self.take(self.answer)
            if body.get("publish"):
                self.acknowledged = max(self.acknowledged, number)
        return status

    def take(self, answer):
        for grant in answer.get("grants", []):
            self.token = grant["token"]
        if answer.get("mailbox") != self.mailbox:
            self.mailbox, self.taken = answer.get("mailbox"), 0
        self.taken = max(self.taken, answer.get("news", 0))


def content(number):
    import base64
    return base64.b64encode(f"{number:032d}".encode()).decode()


async def register(count, key, ports, first_address=1):
    """Each instance bounds what one network may register: a hundred are of one, 127.x.y.0/24. The first `x` is `first_address`."""
    devices = []
    for block in range(0, count, 100):
        line = Line(random.choice(ports), f"127.{first_address + block // 25_000}.{block // 100 % 250}.1")
        for _ in range(min(100, count - block)):
            status, answer = await line.ask("/v1/devices", key, {})
            if status != 201:
                raise SystemExit(f"server: a registration has status {status}: {answer}")
            devices.append(Device(answer["device"]))
    for one, other in zip(devices, devices[1:]):
        one.neighbour = other
    return devices
