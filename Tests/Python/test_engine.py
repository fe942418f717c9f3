"""The engine's client, against a real `nearby engine`: two engines, one token's way apart by a pipe of sound."""
import json
import os
import socket
import threading

import pytest

from conftest import engine, needs_nearby
from nearby_modem.engine import Engine, EngineError

pytestmark = needs_nearby


def until(events, name):
    return next(event for event in events if event["event"] == name)


def test_a_message_is_found_by_sound(tmp_path, key):
    air = tmp_path / "air.wav"
    os.mkfifo(air)
    here, there = (str(tmp_path / name) for name in ("here", "there"))
    with engine(here, "--offline", key, "--only-broadcast", "--playback", air), \
            engine(there, "--offline", key, "--only-scan", "--capture", air), \
            Engine(here, timeout=90) as publisher, Engine(there, timeout=90) as finder:
        place = publisher.publish(b"\x00open until six", type="place")
        finder.subscribe(["place"])
        assert until(publisher, "active")["operation"] == place
        found = until(finder, "found")
        assert (found["type"], found["content"]) == ("place", b"\x00open until six")
        publisher.end(place)
        assert until(publisher, "ended")["operation"] == place


def test_what_is_refused_says_why(tmp_path, key):
    with engine(str(tmp_path / "here"), "--offline", key, "--only-broadcast", "--playback", "/dev/null") as path, Engine(path) as one:
        one.end("7")
        with pytest.raises(EngineError, match="operation 7: expected "):
            next(one)


def test_where_no_engine_is(tmp_path):
    with pytest.raises(EngineError, match="expected a running engine at .*nearby engine --socket"):
        Engine(str(tmp_path / "nowhere"))


def test_lines_come_in_pieces_and_late(tmp_path):
    """A stand-in for the engine, as the real one cannot be made to write half a line."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "slow"))
        server.listen()
        opened = []
        accepting = threading.Thread(target=lambda: opened.append(server.accept()[0]))
        accepting.start()
        ready = threading.Thread(target=lambda: (accepting.join(), opened[0].sendall(b'{"event":"ready","version":"1"}\n{"event":"act')))
        ready.start()
        with Engine(str(tmp_path / "slow"), timeout=0.2) as one:
            ready.join()
            assert one.version == "1"
            with pytest.raises(TimeoutError):
                next(one)
            opened[0].sendall(b'ive","operation":"1"}\n')
            assert next(one) == {"event": "active", "operation": "1"}
            one.publish("text", namespace="here")
            assert json.loads(opened[0].recv(4096)) == {"operation": "1", "do": "publish", "text": "text", "namespace": "here"}
            opened[0].close()
            assert list(one) == []
