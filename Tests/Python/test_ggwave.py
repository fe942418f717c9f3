"""nearby_modem.ggwave and PyPI's ggwave hear each other, and ggwave's own programs run on ours unchanged."""
import re
import subprocess
import sys

import numpy
import pytest

from conftest import ROOT, chunks, noise
from nearby_modem import ModemError, ggwave

PROTOCOLS = range(9)
MESSAGES = [b"a", b"hello python", bytes(range(200, 240))]
FORMATS = {1: ("u1", 128, 128), 2: ("i1", 0, 128), 3: ("<u2", 32768, 32768), 4: ("<i2", 0, 32768)}


@pytest.fixture(autouse=True)
def no_instance_is_left():
    yield
    for number in list(ggwave._instances):
        ggwave.free(number)


def with_pause(waveform):
    return waveform + bytes(4 * 48_000)


def heard(waveform, size=None, **parameters):
    instance = ggwave.init({**ggwave.getDefaultParameters(), **parameters})
    parts = chunks(waveform, [size]) if size else [waveform, b""]
    return [message for message in (ggwave.decode(instance, part) for part in parts) if message is not None]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_pypi_hears_ours(peer, protocol):
    # Bytes of parity are all that ggwave tells speeds apart by: of one byte, in its fast protocols, it reads another now and then.
    sent = MESSAGES[1:]
    sound = b"".join(with_pause(ggwave.encode(message, protocol)) for message in sent)
    assert peer("decode", input=sound).decode().split() == [message.hex() for message in sent]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_ours_hears_pypi(peer, protocol):
    for message in MESSAGES:
        assert heard(with_pause(peer("encode", str(protocol), message.hex())), 1024 * 4) == [message]


def test_scrambled_messages_both_ways(peer):
    instance = ggwave.init({**ggwave.getDefaultParameters(), "operatingMode": 2 | 4 | 16})
    message = bytes(range(70))
    assert peer("decode", "--dss", input=ggwave.encode(message, 1, 10, instance)).split() == [message.hex().encode()]
    assert heard(with_pause(peer("encode", "1", message.hex(), "--dss")), operatingMode=2 | 4 | 16) == [message]


def test_volume_and_parameters_are_pypi_s(peer):
    theirs = numpy.frombuffer(peer("encode", "1", b"hello python".hex(), "--volume", "25"), dtype="<f4")
    ours = numpy.frombuffer(ggwave.encode("hello python", 1, 25), dtype="<f4")
    assert len(ours) == len(theirs)
    assert numpy.sqrt(numpy.mean(ours ** 2)) == pytest.approx(numpy.sqrt(numpy.mean(theirs ** 2)), rel=0.05)
    script = "import ggwave; ggwave.disableLog(); print(ggwave.getDefaultParameters())"
    said = subprocess.run([ROOT / ".build/peers/bin/python", "-c", script], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert said == f"{ggwave.getDefaultParameters()}\n"


@pytest.mark.parametrize("size", [77 * 4, 960 * 4, 1024 * 4, 4096 * 4])
def test_chunks_do_not_matter(size):
    sound = noise(1, 0.001).tobytes() + ggwave.encode("one") + ggwave.encode(b"two", 4) + noise(2, 0.001).tobytes()
    assert heard(sound, size) == [b"one", b"two"]


def test_a_whole_recording_gives_one_message_a_call():
    instance, sound = ggwave.init(), ggwave.encode("one") + ggwave.encode("two")
    assert [ggwave.decode(instance, part) for part in (sound, b"", b"", bytes(8 * 48_000))] == [b"one", b"two", None, None]
    # The same words, sent later, are another message.
    assert ggwave.decode(instance, sound) == b"one"


def test_a_message_cut_by_long_chunks_is_heard_once():
    sound = noise(1, 0.001).tobytes() + ggwave.encode("one") + noise(5, 0.001).tobytes()
    for cut in (48_000, 80_000, 120_000):
        assert heard(sound, 4 * cut) == [b"one"]


@pytest.mark.parametrize("format", FORMATS)
def test_integer_formats(format):
    kind, offset, scale = FORMATS[format]
    instance = ggwave.init({**ggwave.getDefaultParameters(), "sampleFormatInp": format, "sampleFormatOut": format})
    waveform = ggwave.encode("formats", 1, 50, instance)
    values = (numpy.frombuffer(waveform, dtype=kind).astype(float) - offset) / scale
    full = numpy.frombuffer(ggwave.encode("formats", 1, 50), dtype="<f4")
    assert numpy.abs(values - full).max() <= 0.501 / scale
    assert ggwave.decode(instance, waveform) == b"formats"


def test_other_rates():
    instance = ggwave.init({**ggwave.getDefaultParameters(), "sampleRateInp": 16000.0, "sampleRateOut": 16000.0})
    waveform = ggwave.encode("slow", 1, 50, instance)
    assert len(waveform) < len(ggwave.encode("slow")) / 2.9 and ggwave.decode(instance, waveform) == b"slow"


def test_protocols_are_switched_off():
    for protocol in range(12):
        ggwave.rxToggleProtocol(protocol, 0)
        ggwave.txToggleProtocol(protocol, 0)
    ggwave.rxToggleProtocol(2, 1)
    with pytest.raises(ModemError, match="expected a protocol that is enabled, not 1"):
        ggwave.encode("x")
    for protocol in PROTOCOLS:
        ggwave.txToggleProtocol(protocol, 1)
    assert heard(ggwave.encode("fast", 1)) == [] and heard(ggwave.encode("fastest", 2)) == [b"fastest"]
    for protocol in PROTOCOLS:
        ggwave.rxToggleProtocol(protocol, 1)


@pytest.mark.parametrize("call,words", [
    (lambda: ggwave.encode(b""), "expected a token of 1 to 140 bytes for ggwave-audible-fast, not 0"),
    (lambda: ggwave.encode("x" * 141), "not 141"),
    (lambda: ggwave.encode("x", 9), "expected 0 to 8 as protocolId, not 9"),
    (lambda: ggwave.encode("x", 1, 101), "expected 0 to 100 as volume, not 101"),
    (lambda: ggwave.decode(7, b""), "expected an instance from init(), not 7"),
    (lambda: ggwave.decode(ggwave.init(), bytes(3)), "expected whole samples of 4 bytes, not 3 bytes"),
    (lambda: heard(b"", payloadLength=8), "expected -1 as payloadLength, not 8"),
    (lambda: heard(b"", samplesPerFrame=512), "expected 1024 as samplesPerFrame, not 512"),
    (lambda: heard(b"", sampleFormatInp=0), "expected 1 to 5 as sampleFormatInp, not 0"),
    (lambda: heard(b"", operatingMode=4), "expected an instance that receives"),
    (lambda: heard(b"", sampleRateInp=44100.5), "expected a whole number of hertz as sampleRateInp"),
    (lambda: heard(b"", samplerate=1), "check samplerate"),
])
def test_what_it_does_not_take_is_one_line(call, words):
    with pytest.raises(ModemError) as caught:
        call()
    assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.fixture(scope="module")
def programs(peer, tmp_path_factory):
    """The programs on the page of PyPI's ggwave, as they stand there."""
    [page] = ROOT.glob(".build/peers/lib/python3*/site-packages/ggwave-*.dist-info/METADATA")
    blocks = re.findall(r"\.\. code:: python\n\n((?:    .*\n|\s*\n)+)", page.read_text())
    whole = ["".join(line[4:] or "\n" for line in block.splitlines(keepends=True)) for block in blocks if "pyaudio" in block]
    folder = tmp_path_factory.mktemp("ggwave")
    for name, text in zip(("send.py", "receive.py"), whole):
        (folder / name).write_text(text)
    assert len(whole) == 2
    return folder


#: Its microphone is standard input; at its end the user types Ctrl-C. PyAudio's own buffer is so small that it loses sound of
#: devices that are no hardware, now and then: what is heard then would be chance.
PYAUDIO = """
import sys
paFloat32 = 1
class PyAudio:
    def open(self, **options):
        assert options == dict(format=1, channels=1, rate=48000, input=True, frames_per_buffer=1024)
        return self
    def read(self, frames, exception_on_overflow):
        part = sys.stdin.buffer.read(4 * frames)
        if not part:
            raise KeyboardInterrupt
        return part
    def stop_stream(self): pass
    close = terminate = stop_stream
"""


def test_ggwave_s_own_programs_hear_each_other(programs, file_device, played, tmp_path):
    pytest.importorskip("pyaudio", reason="PyAudio is not installed: Debian's python3-pyaudio")
    run = [sys.executable, "-m", "nearby_modem.ggwave"]
    subprocess.run([*run, programs / "send.py"], check=True, env=file_device, stdout=subprocess.DEVNULL, timeout=30)
    (tmp_path / "pyaudio.py").write_text(PYAUDIO)
    heard = subprocess.run([*run, programs / "receive.py"], input=played.read_bytes() + bytes(4 * 48_000), check=True, timeout=30,
                           env={**file_device, "PYTHONPATH": str(tmp_path)}, stdout=subprocess.PIPE).stdout
    assert heard.decode().splitlines() == ["Listening ... Press Ctrl+C to stop", "Received text: hello python"]
