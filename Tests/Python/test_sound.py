"""Sound devices, through sounddevice and PortAudio: ALSA's, which here are a file, or a server's virtual air."""
import json
import signal
import subprocess
import sys

import numpy
import pytest

import nearby_modem
from conftest import RATE, running

needs_sounddevice = pytest.mark.skipif(
    subprocess.run([sys.executable, "-c", "import sounddevice"], stderr=subprocess.DEVNULL).returncode != 0,
    reason="sounddevice is not installed: Tools/check-python could not")


def run(*arguments, environment, **options):
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, timeout=60, **options)


@needs_sounddevice
def test_so_many_frames_are_played_as_loud_as_asked(file_device, played):
    ended = run("-m", "nearby_modem", "transmit", "--text", "room 4", "--count", "3", "--level", "-12", environment=file_device)
    assert (ended.returncode, ended.stdout) == (0, b"")
    sound = numpy.frombuffer(played.read_bytes(), dtype="<f4")
    assert [one.token for one in nearby_modem.decode(sound)] == [b"room 4"] * 3
    assert numpy.abs(sound).max() == pytest.approx(10 ** (-12 / 20), rel=0.01)


@needs_sounddevice
def test_time_ends_sending(file_device, played):
    program = "import nearby_modem; print(nearby_modem.transmit(b'x', frames=0, seconds=3))"
    # Two frames of 1.25 s and their pauses.
    assert run("-c", program, environment=file_device).stdout == b"2\n"
    assert len(played.read_bytes()) == pytest.approx(4 * 3 * RATE, rel=0.1)


@needs_sounddevice
def test_what_is_played_is_heard(air):
    module = [sys.executable, "-m", "nearby_modem"]
    with running(*module, "transmit", "--text", "room 4", env=air, stderr=subprocess.DEVNULL) as transmitter:
        ended = run("-m", "nearby_modem", "listen", "--json", "--profile", "dsss", "--count", "2", environment=air)
        transmitter.send_signal(signal.SIGINT)
        assert transmitter.wait(30) == 0
    heard = [json.loads(line) for line in ended.stdout.splitlines()]
    assert ended.returncode == 0 and [one["text"] for one in heard] == ["room 4"] * 2
    assert heard[1]["startSeconds"] - heard[0]["startSeconds"] == pytest.approx(1.45, abs=0.01)


@needs_sounddevice
def test_time_ends_listening_to_silence(air):
    ended = run("-m", "nearby_modem", "listen", "--for", "1", environment=air)
    assert (ended.returncode, ended.stdout) == (1, b"")


@needs_sounddevice
def test_a_device_that_is_not_there_is_one_line(file_device):
    for command in (["transmit", "--text", "x"], ["listen"]):
        ended = run("-m", "nearby_modem", *command, "--device", "nix", environment=file_device)
        assert ended.returncode == 69 and ended.stdout == b""
        words = ended.stderr.decode().splitlines()[-1]
        assert words.startswith("nearby_modem: expected a sound device that works, but the device 'nix' does not: ")
        assert words.endswith("'python -m sounddevice' lists them")


def test_without_sounddevice_the_error_says_what_to_install(file_device):
    # -S leaves out the folders of installed packages; the wheel's is named.
    folder = nearby_modem.__path__[0].rpartition("/")[0]
    program = "import sys; sys.modules['sounddevice'] = None; from nearby_modem._command import main; sys.exit(main(['listen']))"
    ended = run("-S", "-c", program, environment={**file_device, "PYTHONPATH": folder})
    assert ended.returncode == 69
    words = "expected the package sounddevice, which is not installed: pip install 'nearby-modem[sound]'"
    assert ended.stderr.decode() == f"nearby_modem: {words}\n"
