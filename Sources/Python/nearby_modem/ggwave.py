"""ggwave's protocols by the names of PyPI's package `ggwave`: programs written for that run unchanged.

    from nearby_modem import ggwave                      # in place of: import ggwave
    python -m nearby_modem.ggwave PROGRAM [ARGUMENT …]   # runs a program whose `import ggwave` gets this module

Messages are heard in chunks of any size, several in one chunk too: each call returns one, the next calls the others. A message
is told 0.1 s after its end. sampleRate, samplesPerFrame and payloadLength must keep their defaults; so the mono-tone protocols 9
to 11, which need a fixed payloadLength, are not there. soundMarkerThreshold has no effect.
"""
from __future__ import annotations

import array
import sys
from collections import deque
from typing import TYPE_CHECKING, Any

from . import _profiles, _samples
from ._errors import ModemError
from ._mixer import encode as _encode_frame
from ._receiver import HeardToken, Receiver

if TYPE_CHECKING:
    from ._samples import Sound

__all__ = [
    "decode", "disableLog", "enableLog", "encode", "free", "getDefaultParameters", "init", "rxToggleProtocol", "txToggleProtocol",
]

#: By ggwave's numbers, 0 to 8.
_PROTOCOLS = [f"ggwave-{band}-{speed}" for band in ("audible", "ultrasound", "dt") for speed in ("normal", "fast", "fastest")]
_U8, _I8, _U16, _I16, _F32 = range(1, 6)
#: Letter of struct's, offset and full scale of integer formats.
_INTEGERS = {_U8: ("B", 128, 128), _I8: ("b", 0, 128), _U16: ("H", 32768, 32768), _I16: ("h", 0, 32768)}
_MODE_RX, _MODE_TX, _MODE_TONES, _MODE_DSS = 2, 4, 8, 16
#: No message is shorter, markers included. A longer chunk may hold a whole one.
_SHORTEST_SECONDS = 0.7
#: ggwave's table for DSS, which makes bytes look random: exclusive or.
_DSS = bytes.fromhex(
    "969fb4af1b91dec54575e82e0f324a5fb45695cb7f6a546a48f20b7bcdfb936d"
    "3c775ec33347c0f1713233273568471f4eac23425f0037a4506d4824917ca14e")

_rx_enabled = set(range(len(_PROTOCOLS)))
_tx_enabled = set(range(len(_PROTOCOLS)))


def getDefaultParameters() -> dict[str, Any]:
    return {
        "payloadLength": -1, "sampleRateInp": 48000.0, "sampleRateOut": 48000.0, "sampleRate": 48000.0, "samplesPerFrame": 1024,
        "soundMarkerThreshold": 3.0, "sampleFormatInp": _F32, "sampleFormatOut": _F32, "operatingMode": _MODE_RX | _MODE_TX,
    }


class _Instance:
    def __init__(self, parameters: dict[str, Any]) -> None:
        _check(parameters)
        self.mode = int(parameters["operatingMode"])
        self.input, self.output = parameters["sampleFormatInp"], parameters["sampleFormatOut"]
        self.input_rate = _whole("sampleRateInp", parameters["sampleRateInp"])
        self.output_rate = _whole("sampleRateOut", parameters["sampleRateOut"])
        self._names = [_PROTOCOLS[number] for number in sorted(_rx_enabled)]
        self._receiver: Receiver | None = None
        self._frames = 0
        self._waiting: deque[bytes] = deque()
        #: Messages that a long chunk told of already, and that the stream will tell of again.
        self._told: list[HeardToken] = []

    def decode(self, waveform: Sound) -> bytes | None:
        samples, count = _as_float32(waveform, self.input)
        start, self._frames = self._frames, self._frames + count
        found = self._open().push(samples)
        if count >= _SHORTEST_SECONDS * self.input_rate:
            found += self._whole_messages(samples, start, count)
        for one in found:
            if not self._is_told(one):
                self._told.append(one)
                self._waiting.append(self.scramble(one.token))
        # The stream tells of a message some seconds after its end at the latest.
        now = self._frames / self.input_rate
        self._told = [one for one in self._told if now - one.start_seconds - one.seconds_on_air < 30]
        return self._waiting.popleft() if self._waiting else None

    def encode(self, payload: bytes, protocol: int, volume: int) -> bytes:
        frame = _encode_frame(self.scramble(payload), _PROTOCOLS[protocol], self.output_rate)
        return _as_format([sample * volume / 100 for sample in frame], self.output)

    def scramble(self, payload: bytes) -> bytes:
        if not self.mode & _MODE_DSS:
            return payload
        return bytes(byte ^ _DSS[index % len(_DSS)] for index, byte in enumerate(payload))

    def close(self) -> None:
        if self._receiver:
            self._receiver.close()

    def _open(self) -> Receiver:
        if not self._receiver:
            self._receiver = self._new_receiver()
        return self._receiver

    def _new_receiver(self) -> Receiver:
        return Receiver(
            [name for name in self._names if _profiles.named(name).min_rate <= self.input_rate], self.input_rate)

    def _whole_messages(self, samples: Any, start: int, count: int) -> list[HeardToken]:
        """Messages that lie within a long chunk. The stream waits for more sound, of which a recording has none."""
        with self._new_receiver() as receiver:
            heard = receiver.push(samples) + receiver.finish()
        offset, end = start / self.input_rate, (start + count) / self.input_rate
        moved = [one._replace(start_seconds=one.start_seconds + offset) for one in heard]
        return [one for one in moved if one.start_seconds + one.seconds_on_air < end + 0.01]

    def _is_told(self, one: HeardToken) -> bool:
        return any(
            told.token == one.token and told.profile == one.profile and abs(told.start_seconds - one.start_seconds) < 0.1
            for told in self._told)


_instances: dict[int, _Instance] = {}


def init(parameters: dict[str, Any] | None = None) -> int:
    """Returns a number that stands for the instance. There may be any number of them; ggwave has four at most."""
    instance = _Instance(parameters or getDefaultParameters())
    number = next(number for number in range(len(_instances) + 1) if number not in _instances)
    _instances[number] = instance
    return number


def free(instance: int) -> None:
    _named(instance).close()
    del _instances[instance]


def encode(payload: bytes | str, protocolId: int = 1, volume: int = 10, instance: int | None = None) -> bytes:
    """Returns a message's samples, float32 unless `instance` has another sampleFormatOut. `volume` is 0 to 100."""
    if isinstance(payload, str):
        payload = payload.encode()
    sender = _Instance(getDefaultParameters()) if instance is None else _named(instance)
    if not sender.mode & _MODE_TX:
        raise ModemError("expected an instance that sends: add 4, TX, to its operatingMode")
    _check_protocol(protocolId)
    if protocolId not in _tx_enabled:
        raise ModemError(f"expected a protocol that is enabled, not {protocolId}: txToggleProtocol({protocolId}, 1) enables it")
    if not 0 <= volume <= 100:
        raise ModemError(f"expected 0 to 100 as volume, not {volume}")
    return sender.encode(payload, protocolId, volume)


def decode(instance: int, waveform: Sound) -> bytes | None:
    """Takes the next samples, of any number. Returns a message that was heard by now, or None."""
    receiver = _named(instance)
    if not receiver.mode & _MODE_RX:
        raise ModemError("expected an instance that receives: add 2, RX, to its operatingMode")
    return receiver.decode(waveform)


def disableLog() -> None:
    """Nothing is logged in any case: errors are raised."""


def enableLog() -> None:
    """Nothing is logged in any case: errors are raised."""


def rxToggleProtocol(protocolId: int, state: int) -> None:
    """Whether instances made from now on listen for a protocol."""
    _toggle(_rx_enabled, protocolId, state)


def txToggleProtocol(protocolId: int, state: int) -> None:
    """Whether encode() takes a protocol."""
    _toggle(_tx_enabled, protocolId, state)


def _toggle(enabled: set[int], protocol: int, state: int) -> None:
    if state:
        _check_protocol(protocol)
        enabled.add(protocol)
    else:
        # Programs switch off all but one, those that are not here included.
        enabled.discard(protocol)


def _check_protocol(number: int) -> None:
    if not 0 <= number < len(_PROTOCOLS):
        raise ModemError(f"expected 0 to {len(_PROTOCOLS) - 1} as protocolId, not {number}: this module has no others")


def _named(instance: int) -> _Instance:
    if instance not in _instances:
        raise ModemError(f"expected an instance from init(), not {instance!r}: it was freed, or never there")
    return _instances[instance]


def _check(parameters: dict[str, Any]) -> None:
    default = getDefaultParameters()
    if set(parameters) != set(default):
        different = sorted(set(parameters) ^ set(default))
        raise ModemError(f"expected the parameters of getDefaultParameters(), not others: check {', '.join(different)}")
    for name in ("sampleRate", "samplesPerFrame"):
        if parameters[name] != default[name]:
            raise ModemError(f"expected {default[name]} as {name}, not {parameters[name]}: this module has no other tones")
    if parameters["payloadLength"] > 0:
        raise ModemError(
            f"expected -1 as payloadLength, not {parameters['payloadLength']}: for that use `nearby-modem --fixed-length`")
    for name in ("sampleFormatInp", "sampleFormatOut"):
        if parameters[name] not in (*_INTEGERS, _F32):
            raise ModemError(f"expected 1 to 5 as {name}, not {parameters[name]}: U8, I8, U16, I16, F32")
    if parameters["operatingMode"] & _MODE_TONES:
        raise ModemError("expected an operatingMode without 8, TX_ONLY_TONES: this module makes samples")


def _whole(name: str, rate: float) -> int:
    if rate != int(rate):
        raise ModemError(f"expected a whole number of hertz as {name}, not {rate}")
    return _profiles.check_rate(int(rate), [])


def _as_float32(waveform: Sound, format: int) -> tuple[Any, int]:
    """Samples that a Receiver takes, and how many they are."""
    data = _samples.view_of(waveform).tobytes()
    letter, offset, scale = _INTEGERS.get(format, ("f", 0, 1))
    values = array.array(letter)
    if len(data) % values.itemsize:
        raise ModemError(f"expected whole samples of {values.itemsize} bytes, not {len(data)} bytes: see sampleFormatInp")
    if format == _F32:
        return data, len(data) // 4
    values.frombytes(data)
    return array.array("f", [(value - offset) / scale for value in values]), len(values)


def _as_format(samples: list[float], format: int) -> bytes:
    if format == _F32:
        return array.array("f", samples).tobytes()
    letter, offset, scale = _INTEGERS[format]
    return array.array(letter, [max(-scale, min(scale - 1, round(scale * sample))) + offset for sample in samples]).tobytes()


def _run_program() -> None:
    """Runs the program that the command line names, as `python PROGRAM` does, with this module as its `ggwave`."""
    import importlib
    import os
    import runpy

    if len(sys.argv) < 2:
        sys.exit("usage: python -m nearby_modem.ggwave PROGRAM [ARGUMENT …]")
    sys.modules["ggwave"] = importlib.import_module("nearby_modem.ggwave")
    del sys.argv[0]
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    _run_program()
