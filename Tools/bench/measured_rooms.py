"""Rooms that others measured and published in Python packages, as WAV files of one impulse response a channel.

    measured_rooms.py DIRECTORY

Run by `Tools/bench/rooms` in an environment that has numpy, scipy and soundfile. Only sound is taken out of the packages.
Prints a line of JSON for each room: its file, what it is, and what it does at 18.5 to 20 kHz.
"""
import io
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import zipfile

import numpy
import soundfile
from scipy import fft, signal

RATE_HZ = 48_000
BAND_HZ = (18_500, 20_000)
# Kept of a response before its strongest sample, and in all: what comes later is the recording's own noise.
LEAD_SECONDS = 0.005
KEPT_SECONDS = 0.35
# What arrives this near to the strongest sound is direct.
DIRECT_SECONDS = 0.0015

SOURCES = {
    "flamo": ("flamo==0.2.20", "no-binary", "8c3807e52f47f0a5d40ee7029e86d1a98bf1c6e7fb9bd43b9416153dd8390e34"),
    "impulcifer": (
        "impulcifer-py313==2.10.0", "only-binary", "79a20ee11c9417f822668b8d8e4cc45a5ace5168e8d99dd0a548b5caab0e0788"),
    "scene-rir": ("scene-rir==1.3.0", "no-binary", "1498fbcbac80f1c7b911def48ff63c1ef8b23c9c878b14ffba8a6b5e197777e4"),
}


def sounds(name):
    """The WAV files of a package, path in it -> bytes."""
    wanted, kind, digest = SOURCES[name]
    with tempfile.TemporaryDirectory() as directory:
        # pip compares the hash before it opens the file: an archive of sources is run to tell its name.
        wishes = pathlib.Path(directory, "wishes.txt")
        wishes.write_text(f"{wanted} --hash=sha256:{digest}\n")
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--require-hashes", f"--{kind}", ":all:",
             "-d", directory, "-r", wishes], check=True, stdout=sys.stderr)
        wishes.unlink()
        [path] = pathlib.Path(directory).iterdir()
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as archive:
                return {one: archive.read(one) for one in archive.namelist() if one.endswith(".wav")}
        with tarfile.open(path) as archive:
            return {
                one.name.split("/", 1)[1]: archive.extractfile(one).read()
                for one in archive if one.isfile() and one.name.endswith(".wav")}


def read(data):
    """([n][channel], sample rate)"""
    return soundfile.read(io.BytesIO(data), always_2d=True)


def response(recorded, sweep):
    """Of a recorded sweep, the impulse response: their spectra's ratio, where the sweep has any."""
    count = fft.next_fast_len(len(recorded) + len(sweep))
    reference = fft.rfft(sweep, count)
    power = abs(reference) ** 2
    return fft.irfft(fft.rfft(recorded, count) * reference.conj() / (power + 1e-9 * power.max()), count)


def kept(samples, rate_hz):
    """From shortly before the strongest sample on, at 48 kHz, of energy 1."""
    if rate_hz != RATE_HZ:
        samples = signal.resample_poly(samples, 160, 147)  # 44.1 kHz
    first = int(abs(samples).argmax()) - int(LEAD_SECONDS * RATE_HZ)
    samples = numpy.roll(samples, -first)[:int(KEPT_SECONDS * RATE_HZ)]
    return samples / numpy.sqrt((samples ** 2).sum())


def otala():
    for name, data in sorted(sounds("flamo").items()):
        if name.startswith("rirs/Otala"):
            samples, rate_hz = read(data)
            yield kept(samples[:, 0], rate_hz)


def arni():
    samples, rate_hz = read(sounds("flamo")["rirs/arni_35_3541_4_2.wav"])
    yield kept(samples[:, 0], rate_hz)


def home(is_room):
    """Each speaker in turn: two seconds of silence, the sweep; at last two seconds more."""
    found = sounds("impulcifer")
    sweep = read(found["data/sweep-6.15s-48000Hz-32bit-2.93Hz-24000Hz.wav"])[0][:, 0]
    pause = 2 * RATE_HZ
    for name, data in sorted(found.items()):
        words = pathlib.PurePath(name).stem.removeprefix("room-")
        if not name.startswith("data/demo/") or words == "headphones" or ("room-" in name) != is_room:
            continue
        samples, rate_hz = read(data)
        assert rate_hz == RATE_HZ
        for speaker in range(len(words.split("-")[0].split(","))):
            first = speaker * (len(sweep) + pause)
            for channel in samples[first:first + len(sweep) + 2 * pause].T:
                yield kept(response(channel, sweep)[pause:pause + RATE_HZ], RATE_HZ)


def laboratories():
    found = sounds("scene-rir")
    sweep = read(found["tests/input-other/Sweep(10-22000Hz,10s-0.2s).wav"])[0][:, 0]
    for name in ("GrCLab1SSRPos2", "GrCLab2SSRPos1Src1", "GrCLab2SSRPos1Src2"):
        samples, rate_hz = read(found[f"tests/input-other/{name}.wav"])
        yield kept(response(samples[:, 0], sweep), rate_hz)


ROOMS = {
    "otala": ("listening room, loudspeakers (`flamo`)", otala),
    "home": ("home, loudspeakers (`impulcifer-py313`)", lambda: home(True)),
    "ears": ("the same, in a listener's ears", lambda: home(False)),
    "laboratories": ("two laboratories (`scene-rir`)", laboratories),
    "arni": ("a hall of variable acoustics (`flamo`)", arni),
}


def in_band(place):
    """(reverberation time in s, direct over reverberant energy in dB) of the band."""
    power = signal.sosfiltfilt(signal.butter(4, BAND_HZ, "bandpass", fs=RATE_HZ, output="sos"), place) ** 2
    peak = int(power.argmax())
    power -= power[-len(power) // 10:].mean()  # the recording's noise
    reach = int(DIRECT_SECONDS * RATE_HZ)
    direct = power[max(0, peak - reach):peak + reach].sum()
    decay = power[peak:][::-1].cumsum()[::-1]
    level = 10 * numpy.log10(numpy.maximum(decay / decay[0], 1e-9))
    first, last = (int((level < edge).argmax()) for edge in (-5, -25))
    return (last - first) * 3 / RATE_HZ, 10 * numpy.log10(direct / (power.sum() - direct))


def main():
    [directory] = map(pathlib.Path, sys.argv[1:])
    directory.mkdir(parents=True, exist_ok=True)
    for name, (words, places) in ROOMS.items():
        found = list(places())
        path = directory / f"{name}.wav"
        soundfile.write(path, numpy.array(found).T, RATE_HZ, subtype="FLOAT", format="WAV")
        decays, ratios = zip(*map(in_band, found))
        print(json.dumps({
            "file": str(path), "name": words, "places": len(found), "rt60Seconds": float(numpy.median(decays)),
            "drrDecibels": [float(min(ratios)), float(numpy.median(ratios)), float(max(ratios))]}), flush=True)


if __name__ == "__main__":
    main()
