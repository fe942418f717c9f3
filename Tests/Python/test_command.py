"""`python -m nearby_modem`: what it prints, where, and how it ends."""
import json
import os
import subprocess
import sys

import numpy
import pytest

import nearby_modem
from conftest import RATE, killed_after


def run(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "nearby_modem", *arguments], capture_output=True, **options)


def encoded(*arguments):
    ended = run("encode", *arguments)
    assert (ended.returncode, ended.stderr) == (0, b"")
    return ended.stdout


def test_encode_writes_what_decode_reads(tmp_path):
    (tmp_path / "token.wav").write_bytes(encoded("--text", "room 4", "--level", "-20"))
    ended = run("decode", "token.wav", cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout.decode().startswith('token.wav  0.000 s  dsss  726f6f6d2034  "room 4"  SNR ')


def test_it_prints_what_nearby_modem_prints(command, tmp_path):
    for profile in ("dsss", "fsk", "ggwave-audible-fast"):
        command("encode", "--token", "cafe0123", "--profile", profile, "-o", "sound.wav", cwd=tmp_path)
        decode = ["decode", "--profile", profile, "sound.wav"]
        assert run(*decode, cwd=tmp_path).stdout == command(*decode, cwd=tmp_path)
        [ours] = map(json.loads, run(*decode, "--json", cwd=tmp_path).stdout.splitlines())
        [theirs] = map(json.loads, command(*decode, "--json", cwd=tmp_path).splitlines())
        assert ours == theirs


def test_kinds_of_sound(tmp_path, command):
    command("encode", "--token", "cafe0123", "--rate", "44100", "-o", "a.wav", cwd=tmp_path)
    sound = encoded("--token", "cafe0123")
    stereo = numpy.zeros((len(sound) // 2 - 22, 2), dtype="<i2")
    stereo[:, 1] = numpy.frombuffer(sound[44:], dtype="<i2")
    raw = ["--raw", "s16", "--channels", "2"]
    for arguments, given in [
        (["a.wav"], b""), (["-"], sound), (["-", *raw, "--channel", "2"], stereo.tobytes()),
        (["-", *raw, "--channel", "all"], stereo.tobytes()),
        (["-", "--raw", "f32"], (stereo[:, 1] / 32768).astype("<f4").tobytes()),
    ]:
        ended = run("decode", *arguments, input=given, cwd=tmp_path)
        assert ended.returncode == 0 and b"cafe0123" in ended.stdout
    ended = run("decode", "-", *raw, input=stereo.tobytes())
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, b"", b"-: no token found\n")


def test_a_pipe_s_tokens_are_printed_as_they_come():
    with subprocess.Popen([sys.executable, "-m", "nearby_modem", "decode", "--profile", "dsss", "-"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as program, killed_after(30, program):
        program.stdin.write(encoded("--token", "cafe0123") + bytes(2 * 3 * RATE))
        program.stdin.flush()
        # The pipe stays open: a line that waited for its end would never come.
        assert b"cafe0123" in program.stdout.readline()
        program.stdin.close()
        assert program.wait() == 0


def test_profiles_are_listed():
    lines = run("profiles").stdout.decode().splitlines()
    assert [line.split()[0] for line in lines] == [profile.name for profile in nearby_modem.profiles()]
    assert json.loads(run("profiles", "--json").stdout.splitlines()[0]) == nearby_modem.profiles()[0]._asdict()


def wav_head(code, bits):
    return b"RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0" + numpy.array([code, 1], "<u2").tobytes() \
        + numpy.array([RATE, RATE * bits // 8], "<u4").tobytes() + numpy.array([bits // 8, bits], "<u2").tobytes() + b"data\0\0\0\0"


@pytest.mark.parametrize("arguments,given,status,words", [
    (["encode", "--token", "xyz"], b"", 64, "expected hexadecimal digits, such as 48656c6c6f, not 'xyz'; for text use --text"),
    (["encode", "--text", ""], b"", 64, "expected a token of 1 to 32 bytes for dsss, not 0"),
    (["encode", "--text", "a", "--level", "1"], b"", 64, "expected -90 to 0 as --level, not 1"),
    (["encode", "--text", "a", "-o", "no/such/folder"], b"", 73, "no/such/folder: No such file or directory; name a file"),
    (["encode"], b"", 64, "one of the arguments --token --text is required (--help tells more)"),
    (["decode", "no-such-file"], b"", 66, "no-such-file: No such file or directory; check the name"),
    (["decode", "--profile", "nix", "-"], b"", 64, "expected a profile's name, not 'nix'"),
    (["decode", "-"], b"no sound at all", 65, "-: expected a WAV file; convert it, or for headerless samples say --raw"),
    (["decode", "-"], wav_head(1, 16)[:30], 65, "-: expected 16 bytes or more of format in the WAV file, not 10"),
    (["decode", "-"], wav_head(1, 16)[:-8], 65, "-: expected samples in the WAV file, which ends before them"),
    (["decode", "-"], wav_head(7, 8), 65, "-: expected samples of 16, 24 or 32 bits or float32, not WAV format 7 with 8 bits"),
    (["decode", "--channel", "2", "-"], wav_head(1, 16), 64, "expected 1 to 1 as --channel, not 2"),
    (["decode", "--channels", "2", "-"], b"", 64, "--channels needs --raw"),
    ([], b"", 64, "the following arguments are required: COMMAND"),
])
def test_what_it_does_not_take_is_one_line(arguments, given, status, words, tmp_path):
    ended = run(*arguments, input=given, cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (status, b"")
    assert words in ended.stderr.decode() and ended.stderr.count(b"\n") == 1


def test_other_files_are_read_all_the_same(tmp_path):
    (tmp_path / "good.wav").write_bytes(encoded("--token", "cafe0123"))
    ended = run("decode", "missing.wav", "good.wav", cwd=tmp_path)
    assert ended.returncode == 66 and b"cafe0123" in ended.stdout and ended.stderr.startswith(b"nearby_modem: missing.wav: ")


def test_a_reader_that_has_gone_ends_it_without_a_word():
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run([sys.executable, "-m", "nearby_modem", "profiles"], stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, b"")
