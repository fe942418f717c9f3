"""A PostgreSQL of its own, instances of `nearby serve` on it, and devices that report to them; for Tools/bench/server and server-load."""
import asyncio
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import tempfile
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
    """One process of `nearby serve`, that listens."""

    def __init__(self, nearby, store, *options, port=None):
        self.port = port or free_port()
        self.process = subprocess.Popen(
            [nearby, "serve", *store, "--port", str(self.port), "--log-level", "error", *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        if "listening on" not in line:
            raise SystemExit(f"server: {line}")

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self):
        return int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Line:
    """One connection, kept; from an address of its own, as devices have them."""

    def __init__(self, port, address):
        self.port, self.address, self.writer = port, address, None

    async def ask(self, path, bearer, body, patience=10):
        try:
            return await asyncio.wait_for(self.exchange(path, bearer, body), patience)
        except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError, ValueError):
            if self.writer:
                self.writer.close()
            self.writer = None
            return 0, {}

    async def exchange(self, path, bearer, body):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(self.address, 0))
        text = json.dumps(body).encode()
        self.writer.write(
            f"POST {path} HTTP/1.1\r\nHost: nearby\r\nAuthorization: Bearer {bearer}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n".encode() + text)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        length = next(int(line.split(":")[1]) for line in head.split("\r\n")
                      if line.lower().startswith("content-length"))
        answer = await self.reader.readexactly(length)
        return int(head.split()[1]), json.loads(answer or b"{}")


class Device:
    """Publishes one message, subscribes to all, and hears a neighbour."""

    def __init__(self, secret):
        self.secret, self.number, self.acknowledged, self.mailbox, self.taken = secret, 0, 0, None, 0
        self.token, self.neighbour, self.told = None, None, {}

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

    async def say(self, line, body):
        """Returns the status; 409 is answered by saying everything."""
        body = dict(body)
        if self.mailbox:
            body |= {"mailbox": self.mailbox, "takenNews": self.taken}
        number = self.number
        status, answer = await line.ask("/v1/report", self.secret, body)
        if status == 409 and not body.get("isComplete"):
            return await self.say(line, self.complete())
        if status == 200:
            self.take(answer)
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
    """Each instance bounds what one address may register."""
    devices = []
    for block in range(0, count, 200):
        line = Line(random.choice(ports), f"127.0.{first_address + block // 200 // 250}.{block // 200 % 250 + 1}")
        for _ in range(min(200, count - block)):
            status, answer = await line.ask("/v1/devices", key, {})
            if status != 201:
                raise SystemExit(f"server: a registration has status {status}: {answer}")
            devices.append(Device(answer["device"]))
    for one, other in zip(devices, devices[1:]):
        one.neighbour = other
    return devices
