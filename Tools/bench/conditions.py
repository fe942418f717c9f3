"""What the campaign measures, family by family. Standard library."""
import math
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


class Disturbed(NamedTuple):
    """At least `reach` of the trials beside a sound of `disturbances.py`, `level` dB over the frame while it sounds."""
    name: str
    reach: float | None
    sound: str
    level: float
    ebn0: float
    options: str = ""
    trials: int = 200
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
    Threshold("two repeats at the standard gap, Eb/N0 of one frame", 0.3, "--repeats 2", 500),
    Threshold("four repeats, Eb/N0 of one frame", -1.5, "--repeats 4", 500),
    Threshold("four repeats searched as one, Eb/N0 of one frame", -1.5, "--repeats 4 --four-repeats", 500),
    Threshold("RT60 0.3 s, DRR 0 dB, static", 5.7, "--speed 0 --rt60 0.3 --drr 0"),
    Threshold("RT60 0.3 s, DRR −6 dB, static", 7.5, "--speed 0 --rt60 0.3 --drr -6"),
    Threshold("RT60 0.6 s, DRR −6 dB, static", 8.5, "--speed 0 --rt60 0.6 --drr -6"),
    Threshold("RT60 0.6 s, DRR −6 dB, walking 1 m/s", 11.5, "--walk 1 --rt60 0.6 --drr -6"),
    Threshold("the same, four repeats, Eb/N0 of one frame", 8.0, "--walk 1 --rt60 0.6 --drr -6 --repeats 4", 500),
    Threshold("the same, searched as one", 5.5, "--walk 1 --rt60 0.6 --drr -6 --repeats 4 --four-repeats", 500),
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

# Seconds of 8 bytes on air.
AIR_SECONDS = {
    "dsss-quick": 0.45, "dsss": 1.25, "dsss-far": 3.71, "fsk": 1.49, "fsk-long": 2.19, "fsk-audible": 1.6,
    "fsk-telephone": 1.6,
}
# Eb/N0 at which nine in ten are heard in white noise, of the waveforms that bangs are measured beside.
THRESHOLDS = {"dsss-quick": 3.71, "dsss": 2.83, "dsss-far": 3.53, "fsk": 3.84, "fsk-long": 4.0}
ROOM = "--rt60 0.3 --drr 0"


def in_band(profile, decibels):
    """Eb/N0 of an SNR in 18.5–20 kHz."""
    return round(decibels + 10 * math.log10(1500 * AIR_SECONDS[profile] / 64), 2)


def bangs(profile):
    at = in_band(profile, 10)
    for name, sound in (("a clap of 30 ms", "clap"), ("a jingle of 80 ms", "jingle")):
        for level in (24, 40):
            yield Disturbed(f"{name}, +{level} dB; SNR 10 dB in the band", 0.95, sound, level, at, profile=profile)
    yield Disturbed(
        "a clap of 30 ms, +40 dB; 1 dB over the threshold", 0.85, "clap", 40, round(THRESHOLDS[profile] + 1, 2),
        profile=profile)


def in_a_room(profile):
    rows = [("pulses of 5 ms, 3/s", "pulses-3", 20, 0.95), ("pulses of 5 ms, 3/s", "pulses-3", 40, 0.95),
            ("pulses of 5 ms, 10/s", "pulses-10", 20, 0.95), ("pulses of 5 ms, 10/s", "pulses-10", 40, 0.95),
            ("keys, 25/s, mean", "keys", 20, 0.95), ("a door, 150 ms", "door", 30, 0.95),
            ("a glass that rings", "glass", 20, 0.95), ("plosives", "plosives", 20, 0.95),
            ("a vacuum cleaner", "vacuum", 3, 0.95),
            *(("FMCW, 18.5–20 kHz in 20 ms", "sweeps", level, 0.95) for level in (4, 10, 20)),
            ("foreign MSK", "msk", 6, 0.98), ("foreign MSK", "msk", 9, 0.70), ("foreign PSK", "chips", 6, None)]
    for name, sound, level, reach in rows:
        yield Disturbed(
            f"{name}, +{level} dB; RT60 0.3 s, DRR 0 dB, Eb/N0 15 dB", reach, sound, level, 15, ROOM, profile=profile)


DISTURBED = [
    *(row for profile in THRESHOLDS for row in bangs(profile)),
    Disturbed("typing, 6 strokes/s, +30 dB; SNR 6 dB in the band", 0.95, "typing", 30, in_band("dsss", 6)),
    Disturbed("typing, 6 strokes/s, +30 dB; SNR 6 dB in the band", 0.85, "typing", 30, in_band("dsss-quick", 6),
              profile="dsss-quick"),
    *in_a_room("dsss"), *in_a_room("fsk"),
]

# Eb/N0 is that of each microphone.
MICROPHONES = [
    Threshold("two microphones, white noise", 0.8, "--microphones 2"),
    Threshold("two microphones, RT60 0.3 s, DRR 0 dB, static", 3.8, "--microphones 2 --speed 0 --rt60 0.3 --drr 0"),
    Threshold("two microphones, RT60 0.6 s, DRR −6 dB, static", 6.6, "--microphones 2 --speed 0 --rt60 0.6 --drr -6"),
    Threshold("two microphones, RT60 0.6 s, DRR −6 dB, walking 1 m/s", 8.7, "--microphones 2 --walk 1 --rt60 0.6 --drr -6"),
    Threshold("four microphones, white noise", -1.8, "--microphones 4", 500),
    Threshold("four microphones, RT60 0.6 s, DRR −6 dB, walking 1 m/s", 6.8, "--microphones 4 --walk 1 --rt60 0.6 --drr -6", 500),
]

ROOM_OF_CROWDS = "--speed 0 --rt60 0.4 --drr 0"
CROWDS = [
    Share("50 senders in 10 s, over 10 dB, RT60 0.4 s, DRR 0 dB: tokens", 0.90,
          f"--senders 50 --window 10 --spread 10 {ROOM_OF_CROWDS}", 20, of="tokens_heard"),
    Share("16 senders in 2 s, equally loud: tokens", 15 / 16, "--senders 16 --window 2 --speed 0", 50, of="tokens_heard"),
    Share("16 senders in 2 s, over 10 dB, RT60 0.4 s, DRR 0 dB: tokens", None,
          f"--senders 16 --window 2 --spread 10 {ROOM_OF_CROWDS}", 50, of="tokens_heard"),
    Share("two senders, 12 dB apart, RT60 0.4 s, DRR 0 dB: both", 0.95, f"--senders 2 --spread 12 {ROOM_OF_CROWDS}", 300),
    Share("two senders, 24 dB apart, RT60 0.4 s, DRR 0 dB: both", 0.90, f"--senders 2 --spread 24 {ROOM_OF_CROWDS}", 300),
    Share("two senders in the hand (0.02 m/s), 12 dB apart, the same room: both", 0.75,
          "--senders 2 --spread 12 --walk 0.02 --rt60 0.4 --drr 0", 300),
    Share("two senders, 30 dB apart, RT60 0.3 s, DRR +12 dB, as one's own speaker: both", 0.90,
          "--senders 2 --spread 30 --speed 0 --rt60 0.3 --drr 12", 300),
    Share("the same, the speaker tilted by −4 dB/kHz and distorting by 3 %: both", 0.60,
          "--senders 2 --spread 30 --speed 0 --rt60 0.3 --drr 12 --tilt -4 --distortion 3", 300),
]

# The frame after two strong ones renews their token.
RENEWALS = [
    Threshold("white noise", -2.5, "--renew", 500),
    Threshold("RT60 0.3 s, DRR 0 dB, static", 0.0, "--renew --speed 0 --rt60 0.3 --drr 0", 500),
    Threshold("RT60 0.6 s, DRR −6 dB, static", 3.0, "--renew --speed 0 --rt60 0.6 --drr -6", 500),
    Threshold("RT60 0.6 s, DRR −6 dB, walking 1 m/s", 4.5, "--renew --walk 1 --rt60 0.6 --drr -6", 500),
    Threshold("two microphones, white noise", -4.5, "--renew --microphones 2", 500),
]

FAMILIES = {
    "dsss": DSSS, "fsk": FSK, "disturbed": DISTURBED, "microphones": MICROPHONES, "crowds": CROWDS, "renewals": RENEWALS,
}
