"""A wrong argument ends in one line: what was expected, what came."""
import threading

import numpy
import pytest

import nearby_modem
from nearby_modem import Mixer, ModemError, Receiver, decode, encode

CASES = [
    (lambda: encode(b""), "expected a token of 1 to 32 bytes for dsss, not 0"),
    (lambda: encode(bytes(33)), "expected a token of 1 to 32 bytes for dsss, not 33"),
    (lambda: encode(b"x", "nix"), "expected a profile's name, not 'nix': there are dsss, dsss-quick"),
    (lambda: encode(b"x", lane=4), "expected 0 to 3 as lane, not 4"),
    (lambda: encode(b"x", rate=7999), "expected 8000 to 384000 as rate, not 7999"),
    (lambda: encode(b"x", rate=22_050), "expected a rate of 42000 Hz or more for dsss, not 22050"),
    (lambda: decode(numpy.zeros((2, 2, 2))), "expected an array of samples, or of frames × channels, not one of 3 dimensions"),
    (lambda: decode(numpy.zeros((9, 2)), channels=3), "expected the array's 2 channels, not channels=3"),
    (lambda: decode(numpy.zeros((9, 2)), channel=2), "expected 0 to 1 as channel, not 2"),
    (lambda: decode(numpy.zeros((2, 9))), "expected 1 to 8 as channels, not 9"),
    (lambda: decode(numpy.zeros(9, dtype=numpy.int64)), "expected int16, int32, float32 or float64 samples, or bytes, not int64"),
    (lambda: decode(numpy.zeros(9, dtype=">f4")), "expected int16, int32, float32 or float64 samples, or bytes, not '>f'"),
    (lambda: Receiver().push(numpy.zeros(9, dtype=numpy.int32)), "not int32: convert them, or make this with format='int32'"),
    (lambda: decode(bytes(3)), "expected whole frames of 2 bytes, not 3 bytes"),
    (lambda: decode(bytes(4), format="s16"), "expected int16, int24, int24_32, int32, float32 as format, not 's16'"),
    (lambda: decode(bytes(4), profiles=[]), "expected one profile or more, not none"),
    (lambda: Receiver().push(numpy.zeros(9)), "expected float32 samples or bytes, not float64"),
    (lambda: Receiver().skip(-1), "expected 0 to 9007199254740992 as frames, not -1"),
    (lambda: Mixer(every_seconds=3601), "expected 0 to 3600 as every_seconds, not 3601"),
    (lambda: Mixer(channels=0), "expected 1 to 8 as channels, not 0"),
    (lambda: Mixer().set_level(ceiling_dbfs=1), "expected -90 to 0 as ceiling_dbfs, not 1"),
    (lambda: Mixer().set_level(floor_dbfs=float("nan")), "expected -90 to 0 as floor_dbfs, not nan"),
    (lambda: Mixer().set_level(floor_dbfs=-10, ceiling_dbfs=-20), "floor"),
    (lambda: Mixer().set_tokens([]), "expected one token or more, not none"),
    (lambda: Mixer().fill(bytearray(3)), "expected whole frames of 4 bytes, not 3 bytes"),
]
TYPES = [
    (lambda: encode("text"), "expected the token as bytes, not str: encode it"),
    (lambda: encode(5), "expected the token as bytes, not int"),
    (lambda: encode(b"x", 5), "expected a profile's name, such as 'dsss', not int"),
    (lambda: encode(b"x", lane=1.5), "expected a whole number as lane, not 1.5"),
    (lambda: decode([0.0, 1.0]), "expected samples as a NumPy array, array.array or bytes, not list: array.array"),
    (lambda: Mixer().fill(bytes(8)), "expected samples that can be changed, not read-only bytes"),
    (lambda: Mixer().fill(numpy.zeros(8, dtype=numpy.float32)[::2]), "expected samples that lie one after another"),
    (lambda: Mixer(jitter_seconds="long"), "expected a number as jitter_seconds, not 'long'"),
]


@pytest.mark.parametrize("call,words", CASES, ids=[words for _, words in CASES])
def test_values(call, words):
    with pytest.raises(ModemError) as caught:
        call()
    assert words in str(caught.value) and "\n" not in str(caught.value)
    assert caught.value.code > 0 and isinstance(caught.value, ValueError)


@pytest.mark.parametrize("call,words", TYPES, ids=[words for _, words in TYPES])
def test_types(call, words):
    with pytest.raises(TypeError) as caught:
        call()
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_what_is_closed_takes_nothing_more():
    receiver, mixer = Receiver(), Mixer()
    for one in (receiver, mixer):
        one.close()
        one.close()
    with pytest.raises(ModemError, match="expected an open receiver"):
        receiver.push(bytes(4))
    with pytest.raises(ModemError, match="expected an open mixer"):
        mixer.fill(bytearray(4))


def test_a_rate_that_is_whole_may_be_a_float():
    assert decode(encode(b"x", rate=48_000.0), 48_000.0)[0].token == b"x"


def test_other_threads_run_while_the_library_works(recording):
    heard, counted = [], 0
    worker = threading.Thread(target=lambda: heard.extend(decode(numpy.tile(recording, 4))))
    worker.start()
    while worker.is_alive():
        counted += 1
    assert len(heard) == 32 and counted > 1000


def test_a_receiver_that_threads_share_loses_nothing(recording):
    receiver, heard = Receiver(), []

    def push():
        for start in range(0, len(silence), 480):
            heard.extend(receiver.push(silence[start:start + 480]))

    silence = numpy.zeros(48_000, dtype=numpy.float32)
    workers = [threading.Thread(target=push) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    heard += receiver.push(recording) + receiver.finish()
    assert len(heard) == 8 and heard[0].start_seconds == pytest.approx(4.1, abs=0.01)
    assert nearby_modem.decode(recording)[0].token == heard[0].token
