#!/usr/bin/env python3
"""ggwave as a peer: runs PyPI ggwave 0.4.3, a fresh instance for every message. Needs Tools/peers/install.

    ggwave_peer.py encode PROTOCOL HEX [--volume V] [--fixed-length N] [--dss] [--format f32|s16] > samples
    ggwave_peer.py decode [--fixed-length N] [--dss] [--format f32|s16] < samples

PROTOCOL is ggwave's number, 0 to 11. Samples are raw, 48 kHz, mono, little-endian. decode prints what it heard in
hexadecimal, one message a line.
"""
import argparse
import sys

import ggwave

ggwave.disableLog()
FORMATS = {"f32": (5, 4), "s16": (4, 2)}
FRAME = 1024
DSS = 1 << 4


def instance(fixed_length=None, dss=False, sample_format="f32"):
    parameters = ggwave.getDefaultParameters()
    parameters["sampleFormatInp"] = parameters["sampleFormatOut"] = FORMATS[sample_format][0]
    parameters["payloadLength"] = fixed_length or -1
    if dss:
        parameters["operatingMode"] |= DSS
    return ggwave.init(parameters)


def encode(payload, protocol, volume=10, **options):
    """Raw samples."""
    one = instance(**options)
    try:
        return ggwave.encode(payload, protocolId=protocol, volume=volume, instance=one)
    finally:
        ggwave.free(one)


def decode(samples, **options):
    """Payloads heard in raw samples. Silence is added: ggwave reads a message only when more sound comes."""
    one = instance(**options)
    size = FRAME * FORMATS[options.get("sample_format", "f32")][1]
    heard = []
    try:
        for start in range(0, len(samples), size):
            frame = samples[start:start + size]
            result = ggwave.decode(one, frame + bytes(size - len(frame)))
            if result is not None:
                heard.append(bytes(result))
        for _ in range(40):
            result = ggwave.decode(one, bytes(size))
            if result is not None:
                heard.append(bytes(result))
    finally:
        ggwave.free(one)
    return heard


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    encoder, decoder = commands.add_parser("encode"), commands.add_parser("decode")
    encoder.add_argument("protocol", type=int)
    encoder.add_argument("payload", type=bytes.fromhex)
    encoder.add_argument("--volume", type=int, default=10)
    for command in (encoder, decoder):
        command.add_argument("--fixed-length", type=int)
        command.add_argument("--dss", action="store_true")
        command.add_argument("--format", choices=FORMATS, default="f32", dest="sample_format")
    options = vars(parser.parse_args())
    if options.pop("command") == "encode":
        payload, protocol = options.pop("payload"), options.pop("protocol")
        sys.stdout.buffer.write(encode(payload, protocol, **options))
    else:
        for payload in decode(sys.stdin.buffer.read(), **options):
            print(payload.hex())


if __name__ == "__main__":
    main()
