"""What is sent is heard: every profile, rate, lane and kind of array."""
import array

import numpy
import pytest

import nearby_modem
from conftest import RATE, chunks, noise, with_tokens

PROFILES = nearby_modem.profiles()


def quiet_second(rate=RATE):
    return numpy.zeros(rate, dtype=numpy.float32)


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
@pytest.mark.parametrize("end", ["shortest", "longest"])
def test_every_profile_carries_its_shortest_and_longest_token(profile, end):
    count = profile.min_token_bytes if end == "shortest" else profile.max_token_bytes
    token = bytes((37 * index + 11) % 256 for index in range(count))
    samples = nearby_modem.encode(token, profile.name)
    assert numpy.abs(samples).max() <= 1.0001
    [heard] = nearby_modem.decode(numpy.concatenate([quiet_second(), samples, quiet_second()]), profiles=profile.name)
    assert (heard.token, heard.profile, heard.is_checked) == (token, profile.name, profile.is_checked)
    assert heard.start_seconds == pytest.approx(1, abs=0.02)
    assert heard.seconds_on_air == pytest.approx(len(samples) / RATE, abs=0.01)


@pytest.mark.parametrize("rate", [42_000, 44_100, 48_000, 96_000])
@pytest.mark.parametrize("lane", range(4))
def test_rates_and_lanes(rate, lane):
    [heard] = nearby_modem.decode(nearby_modem.encode(b"lane", rate=rate, lane=lane), rate)
    assert (heard.token, heard.lane) == (b"lane", lane)


def test_auto_hears_each_profile_but_the_optional_one():
    for profile in ("dsss", "fsk", "ggwave-dt-fastest"):
        [heard] = nearby_modem.decode(nearby_modem.encode(b"auto", profile), profiles="auto")
        assert heard.profile == profile
    assert nearby_modem.decode(nearby_modem.encode(b"auto", "dsss-wide"), profiles="auto") == []


def test_text_is_told_where_it_is_text():
    [text] = nearby_modem.decode(nearby_modem.encode("Zürich".encode()))
    [bytes_] = nearby_modem.decode(nearby_modem.encode(b"\xff\x00\x01"))
    assert (text.text, bytes_.text) == ("Zürich", None)


@pytest.mark.parametrize("sizes", [[960], [1], [77, 4096, 3], [48_000 * 5]], ids=["20 ms", "one", "mixed", "seconds"])
def test_chunks_do_not_matter(recording, sizes):
    recording = recording[:2 * RATE] if sizes == [1] else recording
    whole = nearby_modem.decode(recording)
    assert [heard.token for heard in whole] == [b"token %d" % index for index in range(len(whole))] and whole
    receiver = nearby_modem.Receiver()
    heard = [one for part in chunks(recording, sizes) for one in receiver.push(part)] + receiver.finish()
    assert heard == whole
    # After finish() it begins anew.
    assert receiver.push(recording) + receiver.finish() == whole


KINDS = {
    "int16": lambda sound: (32767 * sound).astype(numpy.int16), "int32": lambda sound: (2147483000 * sound).astype(numpy.int32),
    "float64": lambda sound: sound.astype(numpy.float64), "array of float32": lambda sound: array.array("f", sound),
    "array of float64": lambda sound: array.array("d", sound), "array of int16": lambda sound: array.array("h", KINDS["int16"](sound)),
    "read-only": lambda sound: numpy.frombuffer(sound.tobytes(), dtype=numpy.float32),
    "every second element": lambda sound: numpy.repeat(sound, 2)[::2], "bytes of int16": lambda sound: KINDS["int16"](sound).tobytes(),
    "memoryview": lambda sound: memoryview(KINDS["int16"](sound).tobytes()),
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_arrays(recording, kind):
    assert len(nearby_modem.decode(KINDS[kind](recording))) == 8


def test_channels(recording):
    stereo = numpy.stack([noise(12, seed=6), recording], axis=1)
    assert nearby_modem.decode(stereo) == []
    assert len(nearby_modem.decode(stereo, channel=1)) == 8
    assert nearby_modem.decode(stereo[:, 1]) == [one._replace(channel=0) for one in nearby_modem.decode(stereo, channel=1)]
    assert [one.channel for one in nearby_modem.decode(stereo, channel=None)] == 8 * [1]
    assert nearby_modem.decode(stereo.reshape(-1), channels=2, channel=1) == nearby_modem.decode(stereo, channel=1)
    packed = (8388607 * stereo.reshape(-1)).astype("<i4").view(numpy.uint8).reshape(-1, 4)[:, :3].tobytes()
    assert len(nearby_modem.decode(packed, channels=2, channel=1, format="int24")) == 8


def test_lost_sound_keeps_its_time(recording):
    receiver = nearby_modem.Receiver()
    # The middle of a pause between frames.
    cut = 5 * 145 * RATE // 100
    heard = receiver.push(recording[:cut]) + receiver.skip(1000 * RATE) + receiver.push(recording[cut:]) + receiver.finish()
    starts = [0.1 + 1.45 * index + (1000 if index >= 5 else 0) for index in range(8)]
    assert [one.start_seconds for one in heard] == pytest.approx(starts, abs=0.01)


def test_silence_and_nothing_bring_nothing():
    assert nearby_modem.decode(b"") == nearby_modem.decode(numpy.zeros(0)) == []
    assert nearby_modem.decode(numpy.full(RATE, numpy.nan, dtype=numpy.float32)) == []


