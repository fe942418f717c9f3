"""The examples on the wheel's page do what the page says, run verbatim."""
import os
import pathlib
import re
import subprocess
import sys

import numpy
import pytest

import nearby_modem
from conftest import RATE, ROOT, engine, needs_nearby, running
from nearby_modem.engine import Engine

PAGE = (ROOT / "Sources/Python/README.md").read_text()
BLOCKS = {title: (language, text) for title, language, text in re.findall(
    r"^## ([^\n]+)\n(?:(?!^## ).)*?^```(python|sh)\n(.*?)^```", PAGE, re.S | re.M)}


@pytest.fixture
def run(tmp_path, air):
    """Runs a section's example in an empty folder, on the virtual air."""
    environment = {**air, "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}

    def run(title, **options):
        language, text = BLOCKS[title]
        program = [sys.executable, "-c", text] if language == "python" else ["sh", "-euc", text]
        return subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True, check=True, timeout=60, **options).stdout

    return run


def test_for_a_data_scientist(run):
    assert re.fullmatch(r"room 4 1\.000 -?\d+\.\d dB\n", run("In a notebook").decode())


def test_for_a_maker_of_boxes(run):
    programme = (1000 * numpy.random.default_rng(3).normal(0, 1, (5 * RATE, 2))).astype("<i2")
    mixed = run("In a box", input=programme.tobytes())
    heard = nearby_modem.decode(numpy.frombuffer(mixed, dtype="<i2").reshape(-1, 2))
    # Three frames, and a fourth one that is cut.
    assert len(heard) >= 3 and {one.token.hex() for one in heard} == {"0123456789abcdef"}


def test_live(run, air):
    pytest.importorskip("sounddevice", reason="sounddevice is not installed: Tools/check-python could not")
    with running(sys.executable, "-m", "nearby_modem", "transmit", "--text", "another", env=air, stderr=subprocess.DEVNULL):
        assert b"another " in run("By loudspeaker and microphone")


def test_a_stream(run):
    silence = numpy.zeros(2 * RATE, dtype=numpy.float32)
    sound = numpy.concatenate([silence, nearby_modem.encode(b"room 4"), silence])
    assert run("In a stream of your own", input=sound.tobytes()).decode() == "2.0 s: 726f6f6d2034\n"


def test_at_a_shell(run):
    assert b'token.wav  0.000 s  dsss  726f6f6d2034  "room 4"' in run("At a shell")


@needs_nearby
def test_with_the_engine(run, tmp_path, key):
    """The page's program finds what another engine publishes, by a pipe of sound."""
    os.mkfifo(tmp_path / "air.wav")
    with engine(tmp_path / "here", "--offline", key, "--only-broadcast", "--playback", tmp_path / "air.wav") as here, \
            engine(tmp_path / "engine.socket", "--offline", key, "--only-scan", "--capture", tmp_path / "air.wav"), \
            Engine(str(here)) as publisher:
        publisher.publish("open until six", type="place")
        assert re.fullmatch(r"\S+ open until six\n", run("With the engine").decode())


def test_ggwave(run):
    assert run("With ggwave") == b"hello python\n"


def test_no_example_is_without_a_test():
    assert len(BLOCKS) == len(re.findall(r"^```(?:python|sh)$", PAGE, re.M)) == 7
