"""The same samples and the same tokens as the command in Swift and the C library's example programs."""
import json
import re
import subprocess

import numpy
import pytest

import nearby_modem
from conftest import RATE, wav

NAMES = [profile.name for profile in nearby_modem.profiles()]


@pytest.mark.parametrize("name", NAMES)
def test_encode_has_the_command_s_samples(name, command, tmp_path):
    command("encode", "--token", "0123456789abcdef", "--profile", name, "--level", "-6", "-o", tmp_path / "its.wav")
    samples = nearby_modem.encode(bytes.fromhex("0123456789abcdef"), name)
    ours = numpy.asarray(samples, dtype=float) * 10 ** (-6 / 20) * 32768
    # The command rounds to 16 bits, and computes with floats: a thousandth of a step.
    assert numpy.abs(ours - wav(tmp_path / "its.wav")).max() <= 0.501


def test_decode_says_what_the_command_says(recording, command, tmp_path):
    (tmp_path / "sound").write_bytes(recording.tobytes())
    said = command("decode", "--profile", "dsss", "--raw", "f32", "--json", tmp_path / "sound").splitlines()
    ours = nearby_modem.decode(recording)
    assert len(ours) == len(said) == 8
    for line, heard in zip(map(json.loads, said), ours):
        assert (line["token"], line["profile"], line["lane"]) == (heard.token.hex(), heard.profile, heard.lane)
        assert line["startSeconds"] == pytest.approx(heard.start_seconds, abs=1e-5)
        assert line["snrDecibels"] == pytest.approx(heard.snr_decibels, abs=0.02)
        assert line["ebN0Decibels"] == pytest.approx(heard.ebn0_decibels, abs=0.02)
        assert line["speedMetersPerSecond"] == pytest.approx(heard.speed_meters_per_second, abs=0.002)


def test_mixer_has_play_token_s_samples(c_examples):
    programme = (3000 * numpy.random.default_rng(2).normal(0, 1, (5 * RATE, 2))).astype(numpy.int16)
    theirs = subprocess.run([c_examples / "play_token", "cafe0123"], input=programme.tobytes(), check=True,
                            stdout=subprocess.PIPE).stdout
    with nearby_modem.Mixer(channels=2, format="int16") as mixer:
        mixer.set_token(bytes.fromhex("cafe0123"))
        for start in range(0, len(programme), 700):
            # Part of an array is changed in place.
            mixer.mix(programme[start:start + 700])
        assert mixer.status.frames_sent == 3
    assert programme.tobytes() == theirs


def test_receiver_hears_what_hear_tokens_hears(c_examples, recording):
    sound = (32767 * recording).astype(numpy.int16)
    lines = subprocess.run([c_examples / "hear_tokens"], input=sound.tobytes(), check=True, stdout=subprocess.PIPE).stdout
    heard = nearby_modem.decode(sound)
    assert re.findall(r" ([0-9a-f]+)  dsss,", lines.decode()) == [one.token.hex() for one in heard]
    assert len(heard) == 8
