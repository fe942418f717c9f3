"""Recordings of many tokens for the campaign, and what ffmpeg makes of them. Standard library."""
import array
import math
import random
import subprocess
import wave

from common import install
from conditions import BANDS, FULL_BAND_20_DB

RATE = 48_000


def tokens_and_recording(run, directory, condition, count, seed):
    """Tokens drawn from the seed, at random times, in noise of 20 dB SNR and perhaps music; (tokens, path)."""
    under = "" if condition.music is None else f"_music{condition.music}dB"
    path = directory / f"tokens_{condition.profile}{under}_seed{seed}_{count}.wav"
    draw = random.Random(seed)
    tokens = [draw.randbytes(8).hex() for _ in range(count)]
    if path.exists():
        return tokens, path
    clean, one = directory / "clean.wav", directory / "one.wav"
    with wave.open(str(clean), "wb") as track:
        track.setparams((1, 2, RATE, 0, "NONE", ""))
        for token in tokens:
            run(["encode", "--token", token, "--profile", condition.profile, "-o", one])
            with wave.open(str(one), "rb") as sound:
                track.writeframes(sound.readframes(sound.getnframes()))
            track.writeframes(bytes(2 * int(RATE * draw.uniform(0.3, 1))))
    if condition.music is not None:
        make_programmes(directory)
    level = FULL_BAND_20_DB[condition.profile]
    run(["channel", clean, "-o", path, "--ebn0", f"{level}", "--bits", str(64 * count), "--lead", "1", "--trail", "1",
         "--seed", str(seed), *([] if condition.music is None else ["--programme", f"music.wav:{condition.music}"])])
    clean.unlink()
    one.unlink()
    return tokens, path


def make_programmes(directory):
    """Half a minute each, with nothing above 16 kHz: a filter 60 dB down at its edges comes after."""
    install({"sox": ["sox"], "fluidsynth": ["fluidsynth", "fluid-soundfont-gm"]})
    pink, music = directory / "pink.wav", directory / "music.wav"
    below = ["sinc", "-a", "120", "-t", "500", "-15500"]
    form = ["-D", "-R", "-V1"]
    if not pink.exists():
        source = ["-n", "-r", str(RATE), "-c", "1", "-e", "floating-point", "-b", "32"]
        subprocess.run(["sox", *form, *source, pink, "synth", "30", "pinknoise", "gain", "-12", *below], check=True)
    if not music.exists():
        from sounds import render_music
        rendered = directory / "rendered.wav"
        render_music(random.Random(1), 30, rendered)
        written = ["-c", "1", "-e", "floating-point", "-b", "32"]
        subprocess.run(["sox", *form, rendered, *written, music, "gain", "-6", *below], check=True)
        rendered.unlink()


def coded(condition, recording, directory):
    """What an encoder and its decoder make of a recording."""
    between, back = directory / f"coded.{condition.suffix}", directory / "back.wav"
    mix = "pan=stereo|c0=c0|c1=c0" if condition.channels == 2 else "pan=mono|c0=c0"
    ffmpeg(["-i", recording, "-af", mix, *condition.encoder.split(), between])
    ffmpeg(["-i", between, "-ar", str(RATE), "-c:a", "pcm_f32le", back])
    between.unlink()
    return back


def ffmpeg(words):
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *words], check=True)


def band_level(path, profile):
    """Mean power in a profile's band, dB."""
    low, high = BANDS[profile]
    band = f"highpass=f={low}:p=2,highpass=f={low}:p=2,lowpass=f={high}:p=2,lowpass=f={high}:p=2"
    mono = ["-af", f"pan=mono|c0=c0,{band}", "-f", "f32le", "-"]
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-nostdin", "-i", path, *mono], check=True, stdout=subprocess.PIPE).stdout
    samples = array.array("f", raw)
    return 10 * math.log10(max(math.fsum(x * x for x in samples) / len(samples), 1e-20))
