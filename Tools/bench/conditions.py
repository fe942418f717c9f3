"""What the campaign measures, family by family. Standard library."""
from typing import NamedTuple

# Eb/N0 at which a frame of 8 bytes has 20 dB of SNR in 0-24 kHz; `channel --ebn0` says both.
FULL_BAND_20_DB = {
    "dsss": 46.33, "dsss-far": 51.05, "fsk": 47.48, "fsk-long": 49.13, "fsk-audible": 47.78, "fsk-telephone": 47.78,
}
# Hz, for what a codec does to it.
BANDS = {
    "dsss": (18_500, 20_000), "dsss-far": (18_500, 20_000), "fsk": (18_500, 20_000), "fsk-long": (18_500, 20_000),
    "fsk-audible": (1_250, 5_750), "fsk-telephone": (350, 3_350),
}


class Threshold(NamedTuple):
    """90 % of the trials at no more than `reach` dB of Eb/N0."""
    name: str
    reach: float
    options: str
    trials: int = 1000
    profile: str = "dsss"


class Share(NamedTuple):
    """At least `reach` of the trials at 20 dB of full-band SNR; None: nothing is asked."""
    name: str
    reach: float | None
    options: str
    trials: int = 1000
    of: str = "heard"
    profile: str = "dsss"


class Codec(NamedTuple):
    """At least `reach` of the tokens after an encoder and its decoder, alone or under music; None: nothing is asked."""
    name: str
    reach: float | None
    encoder: str
    suffix: str
    trials: int = 500
    music: int | None = None  # dB over the tokens
    profile: str = "dsss"
    channels: int = 2


DSSS = [
    Threshold("white noise, any speed to ±1.5 m/s", 2.9, "", 2000),
    Threshold("white noise, static", 2.7, "--speed 0", 2000),
    Threshold("RT60 0.3 s, DRR 0 dB, static", 5.7, "--speed 0 --rt60 0.3 --drr 0"),
    Threshold("RT60 0.3 s, DRR −6 dB, static", 7.5, "--speed 0 --rt60 0.3 --drr -6"),
    Threshold("RT60 0.6 s, DRR −6 dB, static", 8.5, "--speed 0 --rt60 0.6 --drr -6"),
    Threshold("RT60 0.6 s, DRR −6 dB, walking 1 m/s", 11.5, "--walk 1 --rt60 0.6 --drr -6"),
    Threshold("the same, four repeats, Eb/N0 of one frame", 8.0, "--walk 1 --rt60 0.6 --drr -6 --repeats 4", 500),
    Threshold("RT60 0.6 s, DRR −6 dB, walking 1 m/s", 11.5, "--walk 1 --rt60 0.6 --drr -6", 500, "dsss-far"),
    Share("no more than noise, any speed to ±1.5 m/s", 0.99, ""),
    Share("RT60 1.0 s, DRR −6 dB, static", 0.99, "--speed 0 --rt60 1 --drr -6"),
    Share("clock skew +1000 ppm", 0.99, "--skew 1000"),
    Share("clock skew −1000 ppm", 0.99, "--skew -1000"),
    Share("speed +2.5 m/s", 0.99, "--speed 2.5"),
    Share("speed −2.5 m/s", 0.99, "--speed -2.5"),
    Share("25 % of the samples clipped", 0.99, "--clip 0.25"),
    Share("tilt −20 dB/kHz", 0.99, "--tilt -20"),
    Share("50 ms dropout anywhere", 0.99, "--dropout random:0.05"),
    Share("first 100 ms missing", 0.99, "--cut-head 0.1"),
    Share("44.1 kHz in random chunks", 0.99, "--rate 44100 --chunks random"),
    Share("tone in the band, +10 dB", 0.95, "--tone random:10"),
    Share("tone in the band, +20 dB", 0.80, "--tone random:20"),
    Share("pink noise to 16 kHz, +30 dB", 0.99, "--programme pink.wav:30"),
    Share("music to 16 kHz, +30 dB", 0.99, "--programme music.wav:30"),
    Share("two senders, equally loud: both", 0.90, "--senders 2"),
    Share("two senders, 6 dB apart: the louder", 0.99, "--senders 2 --spread 6", of="loudest_heard"),
    Share("four senders, equally loud: all four", 0.80, "--senders 4"),
    Codec("AAC 256 kbit/s", 0.95, "-c:a aac -b:a 256k", "m4a"),
    Codec("AC-3 192 kbit/s", 0.95, "-c:a ac3 -b:a 192k", "ac3"),
    Codec("Opus 128 kbit/s", 0.95, "-c:a libopus -b:a 128k", "opus"),
    Codec("MP3 320 kbit/s", 0.95, "-c:a libmp3lame -b:a 320k", "mp3"),
    Codec("AAC 256 kbit/s, music +20 dB", None, "-c:a aac -b:a 256k", "m4a", music=20),
    Codec("AC-3 192 kbit/s, music +20 dB", None, "-c:a ac3 -b:a 192k", "ac3", music=20),
    Codec("Opus 128 kbit/s, music +20 dB", None, "-c:a libopus -b:a 128k", "opus", music=20),
    Codec("MP3 320 kbit/s, music +20 dB", None, "-c:a libmp3lame -b:a 320k", "mp3", music=20),
]

NEAR_ULTRASONIC_CODECS = [
    ("AC-3 192 kbit/s", "-c:a ac3 -b:a 192k", "ac3"),
    ("AAC 192 kbit/s", "-c:a aac -b:a 192k", "m4a"),
    ("AAC 256 kbit/s", "-c:a aac -b:a 256k", "m4a"),
    ("Opus 96 kbit/s", "-c:a libopus -b:a 96k", "opus"),
    ("Opus 128 kbit/s", "-c:a libopus -b:a 128k", "opus"),
    ("MP3 320 kbit/s", "-c:a libmp3lame -b:a 320k", "mp3"),
]
SPEECH = "-c:a libopus -b:a 12k -application voip"
DIFFUSE = "--rt60 0.6 --drr -6"

FSK = [
    Threshold("white noise, any speed to ±1.5 m/s", 4.0, "", 2000, "fsk"),
    Threshold("tone in the band, +10 dB", 6.0, "--tone random:10", profile="fsk"),
    Threshold("RT60 0.6 s, DRR −6 dB, static", 9.5, f"--speed 0 {DIFFUSE}", profile="fsk-long"),
    Threshold("RT60 0.6 s, DRR −6 dB, walking 1.5 m/s", 13.5, f"--walk 1.5 {DIFFUSE}", profile="fsk-long"),
    Threshold("the same, four repeats, Eb/N0 of one frame", 9.0, f"--walk 1.5 {DIFFUSE} --repeats 4", 500, "fsk-long"),
    Share("RT60 0.6 s, DRR −6 dB, walking 1.5 m/s", 0.98, f"--walk 1.5 {DIFFUSE}", profile="fsk-long"),
    Share("RT60 0.6 s, DRR −6 dB, walking 1.5 m/s", None, f"--walk 1.5 {DIFFUSE}", profile="fsk"),
    Share("RT60 1.0 s, DRR −6 dB, static", 0.98, "--speed 0 --rt60 1 --drr -6", profile="fsk-long"),
    Share("RT60 1.0 s, DRR −6 dB, static", 0.98, "--speed 0 --rt60 1 --drr -6", profile="fsk"),
    Share("clock skew +1000 ppm", 0.98, "--skew 1000", profile="fsk"),
    Share("clock skew −1000 ppm", 0.98, "--skew -1000", profile="fsk"),
    Share("50 ms dropout anywhere", 0.98, "--dropout random:0.05", profile="fsk"),
    Share("first 100 ms missing", 0.98, "--cut-head 0.1", profile="fsk"),
    *(Codec(name, 0.95, encoder, suffix, profile=profile)
      for profile in ("fsk", "fsk-long") for name, encoder, suffix in NEAR_ULTRASONIC_CODECS),
    Codec("AAC 64 kbit/s", 0.95, "-c:a aac -b:a 64k", "m4a", profile="fsk-audible"),
    Codec("µ-law, 8 kHz", 0.95, "-ar 8000 -c:a pcm_mulaw", "wav", profile="fsk-telephone", channels=1),
    Codec("Opus for speech 12 kbit/s", 0.95, SPEECH, "opus", profile="fsk-telephone", channels=1),
    Codec("Opus for speech 12 kbit/s, 8 kHz", 0.95, f"-ar 8000 {SPEECH}", "opus", profile="fsk-telephone", channels=1),
]

FAMILIES = {"dsss": DSSS, "fsk": FSK}
