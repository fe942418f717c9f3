"""What the tests share. They run on the installed wheel; Tools/check-python says where the programs to compare it with are."""
import contextlib
import os
import pathlib
import random
import subprocess
import sys
import threading

import numpy
import pytest

import nearby_modem

ROOT = pathlib.Path(__file__).resolve().parents[2]
RATE = 48_000
ALSA = "/usr/share/alsa/alsa.conf"
NEARBY = pathlib.Path(os.environ["NEARBY_MODEM"]).with_name("nearby")
needs_nearby = pytest.mark.skipif(not NEARBY.exists(), reason="there is no command nearby beside nearby-modem")
sys.path.append(str(ROOT / "Tools/bench"))
import virtual_air  # noqa: E402


@pytest.fixture(scope="session")
def command():
    """Runs `nearby-modem`, the command in Swift."""
    program = os.environ["NEARBY_MODEM"]
    return lambda *arguments, **options: subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, **options).stdout


@pytest.fixture(scope="session")
def c_examples(tmp_path_factory):
    """The folder of the C library's example programs, compiled against the same library."""
    folder, prefix = tmp_path_factory.mktemp("c"), ROOT / ".build/c-library"
    for name in ("play_token", "hear_tokens"):
        subprocess.run([
            "gcc", "-std=c99", ROOT / f"Sources/NearbyModemC/examples/{name}.c", "-o", folder / name, f"-I{prefix}/include",
            f"-L{prefix}/lib", "-lnearbymodem", f"-Wl,-rpath,{prefix}/lib"], check=True)
    return folder


@pytest.fixture(scope="session")
def peer():
    """Runs PyPI's ggwave."""
    python = ROOT / ".build/peers/bin/python"
    if not python.exists() or subprocess.run([python, "-c", "import ggwave"], stderr=subprocess.DEVNULL).returncode:
        pytest.skip("PyPI's ggwave is not installed: Tools/peers/install could not")
    return lambda *arguments, **options: subprocess.run(
        [python, ROOT / "Tools/peers/ggwave_peer.py", *arguments], check=True, stdout=subprocess.PIPE, **options).stdout


@pytest.fixture(scope="session")
def recording():
    """Twelve seconds of quiet noise with eight dsss tokens in it, float32."""
    return noise(12) + with_tokens([b"token %d" % index for index in range(8)], "dsss")


def noise(seconds, level=0.005, seed=5):
    return numpy.random.default_rng(seed).normal(0, level, seconds * RATE).astype(numpy.float32)


def with_tokens(tokens, profile, seconds=12, level=0.1):
    """A frame each 1.45 s."""
    sound = numpy.zeros(seconds * RATE, dtype=numpy.float32)
    for index, token in enumerate(tokens):
        frame = nearby_modem.encode(token, profile)
        start = round((0.1 + 1.45 * index) * RATE)
        sound[start:start + len(frame)] += level * numpy.asarray(frame)
    return sound


def chunks(sound, sizes):
    """The sound in parts: of one size, or of sizes drawn from several."""
    draw, start = random.Random(1), 0
    while start < len(sound):
        size = draw.choice(sizes)
        yield sound[start:start + size]
        start += size


def wav(path):
    """The samples of a WAV file of 16 bits that `nearby-modem encode` wrote."""
    return numpy.frombuffer(pathlib.Path(path).read_bytes()[44:], dtype="<i2")


@contextlib.contextmanager
def engine(path, *arguments):
    """Runs `nearby engine`, from when it listens at a path, which it gives, until the end."""
    command = [NEARBY, "engine", "--socket", path, *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert any("listening at " in line for line in iter(running.stderr.readline, ""))
            # What it says later must not fill the pipe.
            threading.Thread(target=running.stderr.read, daemon=True).start()
            yield path
        finally:
            running.terminate()
            assert running.wait(timeout=30) == 0


@pytest.fixture
def key(tmp_path):
    """The key file of a project without a server."""
    subprocess.run([NEARBY, "offline", "create", "shop", "-o", tmp_path / "shop.key"], check=True, capture_output=True)
    return tmp_path / "shop.key"


@contextlib.contextmanager
def running(*command, **options):
    """A program that runs meanwhile, and is ended then."""
    with subprocess.Popen(command, **options) as program:
        try:
            yield program
        finally:
            program.kill()


@contextlib.contextmanager
def killed_after(seconds, program):
    """Ends a program that hangs, so that the test fails in place of hanging too."""
    timer = threading.Timer(seconds, program.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@pytest.fixture
def played(tmp_path):
    """The file that the default device of `file_device` plays into: raw samples in the format of the program that played."""
    return tmp_path / "played"


@pytest.fixture
def file_device(tmp_path, played):
    """An environment in which the default sound device plays into a file, as fast as it can."""
    (tmp_path / "asound.conf").write_text(
        f'pcm.!default {{ type file slave.pcm {{ type null }} file "{played}" format raw }}\n')
    return {**os.environ, "ALSA_CONFIG_PATH": f"{ALSA}:{tmp_path}/asound.conf"}


@pytest.fixture(scope="session")
def air(tmp_path_factory):
    """An environment in which the default microphone hears what the default loudspeaker plays, in real time."""
    own = tmp_path_factory.mktemp("air") / "asound.conf"
    own.write_text('pcm.!default { type asym playback.pcm "air_out" capture.pcm "air_in" }\n')
    with virtual_air.VirtualAir() as one:
        # Python's own packages are in no home folder here.
        yield {**one.environment, "HOME": os.environ["HOME"],
               "ALSA_CONFIG_PATH": f"{one.environment['ALSA_CONFIG_PATH']}:{own}"}
