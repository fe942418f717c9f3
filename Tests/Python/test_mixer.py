"""A mixer alone: what it fills, how often, how loud."""
import numpy
import pytest

import nearby_modem
from conftest import RATE, noise


@pytest.fixture
def mixer():
    with nearby_modem.Mixer() as one:
        yield one


def filled(mixer, seconds):
    sound = numpy.empty(round(seconds * RATE), dtype=numpy.float32)
    mixer.fill(sound)
    return sound


def test_it_is_silent_before_it_has_a_token_and_after_it_was_cleared(mixer):
    assert not filled(mixer, 1).any()
    mixer.set_token(b"abcd")
    assert filled(mixer, 0.5).any() and mixer.status.is_sounding
    mixer.clear()
    filled(mixer, 1)
    assert mixer.status.frames_sent == 1 and not filled(mixer, 1).any()


def test_fade_out_ends_a_frame_within_20_ms(mixer):
    mixer.set_token(b"abcd")
    filled(mixer, 0.5)
    mixer.fade_out()
    sound = filled(mixer, 1)
    assert sound[:100].any() and not sound[RATE // 50 + 1:].any()


def test_so_many_frames_and_no_more(mixer):
    mixer.set_token(b"abcd", frames=2)
    assert [one.token for one in nearby_modem.decode(filled(mixer, 6))] == [b"abcd"] * 2
    assert mixer.status.frames_sent == 2


def test_tokens_take_turns(mixer):
    mixer.set_tokens([b"one", bytearray(b"two")])
    assert [one.token for one in nearby_modem.decode(filled(mixer, 6))] == [b"one", b"two"] * 2


def test_level_is_the_peak_of_what_is_filled(mixer):
    mixer.set_level(ceiling_dbfs=-12)
    mixer.set_token(b"abcd")
    assert 20 * numpy.log10(numpy.abs(filled(mixer, 1.25)).max()) == pytest.approx(-12, abs=0.1)
    assert mixer.status.level_dbfs == pytest.approx(-12, abs=0.1)


@pytest.mark.parametrize("format,kind", [("int16", "<i2"), ("int32", "<i4"), ("int24_32", "<i4"), ("float32", "<f4")])
def test_formats(format, kind):
    # Any alignment will do: bytes, from the second on.
    with nearby_modem.Mixer(channels=2, format=format) as mixer:
        mixer.set_token(b"abcd")
        room = bytearray(1 + 3 * RATE * 2 * int(kind[2]))
        mixer.fill(memoryview(room)[1:])
    assert len(nearby_modem.decode(bytes(room[1:]), channels=2, channel=1, format=format)) == 2


def test_the_pause_is_as_asked():
    with nearby_modem.Mixer(every_seconds=2, jitter_seconds=0.5, seed=1) as mixer:
        mixer.set_token(b"abcd")
        starts = [one.start_seconds for one in nearby_modem.decode(filled(mixer, 12))]
    pauses = numpy.diff(starts)
    assert len(pauses) >= 3 and (pauses >= 1.999).all() and (pauses <= 2.501).all() and pauses.std() > 0.01


def test_a_programme_without_room_is_not_clipped(mixer):
    programme = numpy.clip(noise(3, level=0.5), -1, 1)
    mixer.set_token(b"abcd")
    mixer.mix(programme)
    assert numpy.abs(programme).max() <= 1
