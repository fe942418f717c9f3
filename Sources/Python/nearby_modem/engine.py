"""Publishes and finds messages over a running `nearby engine --socket PATH`.

    with Engine("/run/user/1000/nearby") as engine:
        engine.publish("open until six", type="place")
        engine.subscribe(types=["place"])
        for event in engine:
            print(event["event"], event.get("text"))

Needs the command `nearby` on the same machine. Events are dictionaries as the engine's page describes them: "starting", "active", "inactive", "found", "updated", "lost", "ended".
"""
from __future__ import annotations

import base64
import json
import socket
from typing import Any, Dict, Iterator, Optional, Sequence, Union

__all__ = ["Engine", "EngineError"]

Event = Dict[str, Any]


class EngineError(Exception):
    """The engine refused a request, or cannot be reached. The message says why."""


class Engine:
    """A connection. What it began ends when it is closed. One thread at a time may use it."""

    def __init__(self, path: str, timeout: Optional[float] = None) -> None:
        """timeout: the seconds that iterating waits for the next event before it raises TimeoutError; None waits for ever."""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            raise EngineError(f"expected a running engine at {path}: {error.strerror}; start it: nearby engine --socket {path}") from None
        self._socket.settimeout(timeout)
        self._unread = b""
        self._operations = 0
        try:
            ready = self._read()
            if ready is None or ready.get("event") != "ready":
                raise EngineError(f"expected the socket of an engine at {path}; it answered {ready}")
        except BaseException:
            self._socket.close()
            raise
        #: The engine's version.
        self.version: str = ready["version"]

    def publish(self, content: Union[str, bytes], *, type: str = "", namespace: str = "") -> str:
        """Publishes text, or bytes as they are. Returns the operation's name."""
        return self._begin({"do": "publish", **_content(content)}, type=type, namespace=namespace)

    def update(self, operation: str, content: Union[str, bytes]) -> None:
        """Gives a publication other content."""
        self._write({"operation": operation, "do": "update", **_content(content)})

    def subscribe(self, types: Sequence[str] = (), *, namespace: str = "") -> str:
        """Finds messages of these types; of all types where none is given. Returns the operation's name."""
        return self._begin({"do": "subscribe", **({"types": list(types)} if types else {})}, namespace=namespace)

    def end(self, operation: str) -> None:
        """Ends a publication or a subscription; "ended" is its last event."""
        self._write({"operation": operation, "do": "end"})

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        """Returns the next event, with the content of a message as bytes. Raises EngineError for what was refused."""
        event = self._read()
        if event is None:
            raise StopIteration
        if event.get("event") == "refused":
            raise EngineError(f"operation {event.get('operation', 'without a name')}: {event.get('reason')}")
        if "content" in event:
            event["content"] = base64.b64decode(event["content"])
        return event

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin(self, request: Event, **options: str) -> str:
        self._operations += 1
        operation = str(self._operations)
        self._write({"operation": operation, **request, **{name: value for name, value in options.items() if value}})
        return operation

    def _write(self, request: Event) -> None:
        try:
            self._socket.sendall(json.dumps(request).encode() + b"\n")
        except OSError as error:
            raise EngineError(f"expected an engine that reads; it has gone: {error.strerror}") from None

    def _read(self) -> Optional[Event]:
        """A line that a timeout cuts off is not lost: the next call reads on."""
        while b"\n" not in self._unread:
            try:
                piece = self._socket.recv(65536)
            except socket.timeout:
                raise TimeoutError("no event within the engine's timeout") from None
            except OSError as error:
                raise EngineError(f"expected an engine that writes; it has gone: {error.strerror}") from None
            if not piece:
                return None
            self._unread += piece
        line, _, self._unread = self._unread.partition(b"\n")
        event: Event = json.loads(line)
        return event


def _content(content: Union[str, bytes]) -> Event:
    if isinstance(content, str):
        return {"text": content}
    return {"content": base64.b64encode(content).decode()}
