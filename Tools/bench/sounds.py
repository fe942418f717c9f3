"""Sounds that hold no token, out of system packages: music. Standard library."""
import os
import pathlib
import struct
import subprocess

SOUND_FONT = pathlib.Path(os.environ.get("SOUND_FONT", "/usr/share/sounds/sf2/FluidR3_GM.sf2"))


def render_music(draw, seconds, path):
    """A piece drawn by chance, played by the General MIDI sound font, as 48 kHz stereo."""
    score = path.with_suffix(".mid")
    score.write_bytes(midi(draw, seconds))
    subprocess.run(
        ["fluidsynth", "-q", "-n", "-i", "-g", "0.5", "-r", "48000", "-F", path, SOUND_FONT, score],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    score.unlink()


def midi(draw, seconds):
    """A standard MIDI file: chords, a bass, a melody and drums, each instrument and each tempo drawn."""
    ticks = 96
    tempo = draw.uniform(70, 180)
    beats = int(seconds * tempo / 60)
    scale = [0, 2, 4, 5, 7, 9, 11] if draw.random() < 0.5 else [0, 2, 3, 5, 7, 8, 10]
    key = 48 + draw.randrange(12)
    events = []

    def pitch(degree):
        return key + 12 * (degree // 7) + scale[degree % 7]

    def note(channel, number, loud, start, length):
        events.append((int(start * ticks), bytes([0x90 | channel, number & 127, loud])))
        events.append((int((start + length) * ticks), bytes([0x80 | channel, number & 127, 0])))

    for channel in range(3):
        events.append((0, bytes([0xC0 | channel, draw.randrange(120)])))
    degree = draw.randrange(7)
    drums = [(draw.choice([35, 36, 38, 39, 42, 44, 46, 49, 51, 54, 56, 69, 70, 75, 80, 81]), draw.choice([0.25, 0.5, 1, 2, 4]))
             for _ in range(draw.randrange(2, 6))]
    for beat in range(beats):
        if beat % 4 == 0:
            root = draw.choice([0, 3, 4, 5, 1])
            for third in (0, 2, 4):
                note(0, pitch(root + third), draw.randrange(40, 100), beat, 3.9)
        note(1, pitch(root) - 12, draw.randrange(60, 120), beat, 0.8)
        for part in range(draw.choice([1, 2, 4])):
            degree = max(5, min(23, degree + draw.randrange(-3, 4)))
            note(2, pitch(degree), draw.randrange(50, 127), beat + part / 4, 0.3)
        for number, every in drums:
            time = 0.0
            while time < 1:
                if (beat + time) % every == 0:
                    note(9, number, draw.randrange(50, 127), beat + time, 0.1)
                time += 0.25
    # A note ends before another begins at the same time.
    events.sort(key=lambda event: (event[0], event[1][0] & 0xF0 != 0xC0, event[1][0] & 0xF0 != 0x80))
    track = bytearray(b"\x00\xff\x51\x03" + int(60e6 / tempo).to_bytes(3, "big"))
    now = 0
    for time, event in events:
        track += length_of(time - now) + event
        now = time
    track += b"\x00\xff\x2f\x00"
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, ticks) + b"MTrk" + struct.pack(">I", len(track)) + bytes(track)


def length_of(value):
    """Seven bits a byte, the highest first; all but the last have the eighth bit set."""
    parts = [value & 127]
    while value := value >> 7:
        parts.append(128 | value & 127)
    return bytes(reversed(parts))
