"""Tokens of 1 to 32 bytes as near-ultrasonic sound, and back.

    samples = nearby_modem.encode(b"room 4")              # float32, 48 kHz
    for heard in nearby_modem.decode(samples): print(heard.token, heard.snr_decibels)

Receiver takes sound in chunks, Mixer puts a token into a programme, transmit() and listen() use this machine's sound devices;
`nearby_modem.ggwave` speaks ggwave's protocols by its own function names. `python -m nearby_modem` is a command.
"""
from ._errors import ModemError, SoundError
from ._mixer import Mixer, MixerStatus, encode
from ._profiles import Profile, profiles
from ._receiver import HeardToken, Receiver, decode
from ._sound import listen, transmit

__version__ = "@VERSION@"
__all__ = [
    "HeardToken", "Mixer", "MixerStatus", "ModemError", "Profile", "Receiver", "SoundError", "decode", "encode", "listen",
    "profiles", "transmit",
]
