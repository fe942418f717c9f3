"""Devices that ask a server over connections they keep, one request after the other; for server-instructions and server-memory."""
import base64
import json
import socket

EVERYWHERE = {"media": ["audio"], "mode": ["broadcast", "scan"]}


class Connection:
    """One kept connection, from an address of its own. `tls`: an ssl.SSLContext."""

    def __init__(self, port, address="127.0.5.1", tls=None):
        self.socket, self.received = socket.socket(), b""
        self.socket.settimeout(60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.bind((address, 0))
        self.socket.connect(("127.0.0.1", port))
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname="localhost")

    def fill(self):
        chunk = self.socket.recv(65536)
        if not chunk:
            raise SystemExit(f"server: it has closed a connection: {self.received[-500:]}")
        self.received += chunk

    def ask(self, method, path, bearer=None, body=None):
        """Status and answer."""
        text = b"" if body is None else json.dumps(body, separators=(",", ":")).encode()
        key = f"Authorization: Bearer {bearer}\r\n" if bearer else ""
        content = f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n" if text else ""
        self.socket.sendall(f"{method} {path} HTTP/1.1\r\nHost: nearby\r\n{key}{content}\r\n".encode() + text)
        if method == "GET" and path == "/v1/events":
            return None
        while b"\r\n\r\n" not in self.received:
            self.fill()
        head, _, self.received = self.received.partition(b"\r\n\r\n")
        lines = head.decode().lower().split("\r\n")
        length = next((int(line.split(":")[1]) for line in lines if line.startswith("content-length:")), 0)
        while len(self.received) < length:
            self.fill()
        answer, self.received = self.received[:length], self.received[length:]
        return int(lines[0].split()[1]), json.loads(answer or b"{}")

    def close(self):
        self.socket.close()


class Stream(Connection):
    """A device's stream of events, after its first ones."""

    def __init__(self, port, secret, address="127.0.5.1", tls=None):
        super().__init__(port, address, tls)
        self.ask("GET", "/v1/events", secret)
        self.wait_for(b"retryWithinSeconds")

    def wait_for(self, text, count=1):
        """Reads until the text has come so often, and drops all that has come."""
        while self.received.count(text) < count:
            self.fill()
        self.received = b""


class Device:
    """Publishes a message and subscribes to all of its type."""

    def __init__(self, connection, key, wants_tokens=True):
        self.wants, self.number, self.mailbox, self.taken, self.token = wants_tokens, 0, None, 0, None
        status, answer = connection.ask("POST", "/v1/devices", key)
        if status != 201:
            raise SystemExit(f"server: a registration has status {status}: {answer}")
        self.secret = answer["device"]

    def publication(self, number=0):
        content = base64.b64encode(f"{number:016d}".encode()).decode()
        return [{"id": 1, "message": {"type": "t", "content": content}, "strategy": EVERYWHERE}]

    def say_all(self, connection):
        self.report(
            connection, isComplete=True, publish=self.publication(), wantsTokens=["audio"] if self.wants else [],
            subscribe=[{"id": 2, "filter": [{"type": "t"}], "strategy": EVERYWHERE}])

    def playing(self):
        return [{"token": self.token, "medium": "audio", "periodMillis": 1350}]

    def hear(self, connection, other):
        """Reports all that it hears: that one."""
        heard = {"token": other.token, "medium": "audio", "ageMillis": 200, "snrDecibels": 12.5}
        return self.report(connection, observationsAreComplete=True, observations=[heard], playing=self.playing())

    def report(self, connection, **body):
        self.number += 1
        body["number"] = self.number
        if self.mailbox:
            body |= {"mailbox": self.mailbox, "takenNews": self.taken}
        status, answer = connection.ask("POST", "/v1/report", self.secret, body)
        if status != 200:
            raise SystemExit(f"server: a report has status {status}: {answer}")
        self.mailbox, self.taken = answer.get("mailbox", self.mailbox), answer.get("news", self.taken)
        for grant in answer.get("grants", []):
            self.token = grant["token"]
        return answer
