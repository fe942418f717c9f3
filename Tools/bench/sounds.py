"""Sounds that hold no token, made by ffmpeg, sox, espeak-ng and fluidsynth. Standard library."""
import os
import pathlib
import struct
import subprocess
import wave

import disturbances

RATE = 48_000
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
    kit = [35, 36, 38, 39, 42, 44, 46, 49, 51, 54, 56, 69, 70, 75, 80, 81]
    drums = [(draw.choice(kit), draw.choice([0.25, 0.5, 1, 2, 4])) for _ in range(draw.randrange(2, 6))]
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


class Sound:
    """A stretch of sound without a token, drawn from `draw`: what ffmpeg reads and what it does with it.

    `inputs` are ffmpeg's words for each input, `chain` its filters for each; they are added up, with a noise floor.
    """

    def __init__(self, draw, seconds, directory):
        self.draw, self.seconds, self.directory = draw, seconds, directory
        self.inputs, self.chains = [], []

    def command(self):
        """Writes raw samples to standard output; (words, encoding)."""
        draw = self.draw
        self.noise(draw.choice(["white", "pink"]), f"volume={draw.uniform(-110, -40):.1f}dB")
        steps = [f"[{n}:a]{chain}[s{n}]" for n, chain in enumerate(self.chains)]
        # Full scale is beyond the loudest in some: they are clipped.
        encoding = draw.choice(["s16", "f32"])
        steps.append(
            "".join(f"[s{n}]" for n in range(len(self.chains)))
            + f"amix=inputs={len(self.chains)}:normalize=0:duration=longest,volume={draw.uniform(-30, 10):.1f}dB[out]")
        words = ["ffmpeg", "-v", "error", "-nostdin"]
        for given in self.inputs:
            words += given
        return [*words, "-filter_complex", ";".join(steps), "-map", "[out]", "-t", str(self.seconds), "-ac", "1",
                "-ar", str(RATE), "-f", f"{encoding}le", "-"], encoding

    def noise(self, colour, chain):
        source = f"anoisesrc=r={RATE}:d={self.seconds}:c={colour}:seed={self.draw.randrange(2**31)}"
        self.inputs.append(["-f", "lavfi", "-i", source])
        self.chains.append(chain)

    def looped(self, path, seconds, rate_hz):
        """From a place of its own on, again and again: as it is, faster, or moved up into the band; louder or not."""
        draw = self.draw
        self.inputs.append(["-ss", f"{draw.uniform(0, seconds / 2):.3f}", "-i", str(path)])
        kind = draw.randrange(3)
        speed = 2 ** draw.uniform(-0.3, 0.3) if kind != 1 else 2 ** draw.uniform(0.5, 2)
        chain = "aformat=channel_layouts=mono,aloop=loop=-1:size=2000000000"
        chain += f",asetrate={int(rate_hz * speed)},aresample={RATE}"
        if kind == 2:
            chain += f",afreqshift=shift={draw.uniform(14_000, 19_500):.1f}"
        self.chains.append(f"{chain},volume={draw.uniform(-20, 0):.1f}dB,atrim=duration={self.seconds}")

    def raw(self, samples, encoding):
        """Samples made here, as they are."""
        path = self.directory / f"made{len(self.inputs)}.raw"
        path.write_bytes(samples)
        self.inputs.append(["-f", f"{encoding}le", "-ar", str(RATE), "-ac", "1", "-i", str(path)])
        self.chains.append("anull")


def pink(sound):
    """noise of four colours, as wide as it is or as a band about ours, steady or swelling"""
    draw = sound.draw
    for _ in range(draw.randrange(1, 4)):
        chain = f"volume={draw.uniform(-25, 0):.1f}dB"
        if draw.random() < 0.5:
            chain += f",bandpass=f={draw.uniform(18_000, 20_500):.1f}:width_type=h:w={2 ** draw.uniform(5, 11):.1f}"
        if draw.random() < 0.5:
            chain += f",tremolo=f={10 ** draw.uniform(-0.9, 2):.2f}:d={draw.uniform(0.3, 1):.2f}"
        sound.noise(draw.choice(["pink", "brown", "blue", "violet"]), chain)


def clicks(sound):
    """single samples, edges and short bursts, at random times or as regular as a clock"""
    draw = sound.draw
    track = bytearray(2 * RATE * sound.seconds)
    for _ in range(draw.randrange(1, 4)):
        shapes = [click(draw) for _ in range(8)]
        every = 10 ** draw.uniform(-2.5, 0.7)
        jitter = draw.choice([0, 0, 0.02, 1])
        time = draw.random()
        while time < sound.seconds - 1:
            shape = draw.choice(shapes) if jitter else shapes[0]
            at = 2 * int(time * RATE)
            track[at:at + len(shape)] = shape
            wait = draw.expovariate(1 / every) if jitter == 1 else every * draw.gauss(1, jitter)
            time += max(0.001, wait)
    sound.raw(track, "s16")


def click(draw):
    """16-bit samples."""
    count = int(10 ** draw.uniform(0, 2.7))
    loud = int(32767 * 10 ** (draw.uniform(-30, 0) / 20))
    kind = draw.randrange(3)
    if kind == 0:
        values = [loud] * count
    elif kind == 1:
        values = [draw.uniform(-loud, loud) * 2.0 ** (-6 * n / count) for n in range(count)]
    else:
        pitch = draw.uniform(0.3, 0.45)
        values = [loud * (1 if n * pitch % 1 < 0.5 else -1) * 2.0 ** (-6 * n / count) for n in range(count)]
    return struct.pack(f"<{count}h", *map(int, values))


TEXT = ("room door light window morning answer river table paper seven music garden yellow winter silence market "
        "second shoes slowly please this sister always station chess fresh six rice success whisper yes").split()
VOICES = [voice + variant for voice in ("en-us", "en-gb", "de", "fr-fr", "es", "ru", "it", "pl", "tr", "sv", "nl", "pt")
          for variant in ("", "+f2", "+f4", "+m3", "+m7", "+croak", "+whisper")]


def speech(sound):
    """two streams of talk in twelve languages, as they are, sped up, or moved up into the band"""
    for stream in range(2):
        parts = [speak(sound, f"{stream}{part}") for part in range(4)]
        rate_hz = parts[0][1]
        assert all(rate == rate_hz for _, rate in parts)
        path = sound.directory / f"talk{stream}.raw"
        path.write_bytes(b"".join(part for part, _ in parts))
        sound.looped(path, path.stat().st_size / 2 / rate_hz, rate_hz)
        sound.inputs[-1][-2:-2] = ["-f", "s16le", "-ar", str(rate_hz), "-ac", "1"]


def speak(sound, name):
    """(16-bit samples, their rate)"""
    draw, path = sound.draw, sound.directory / f"voice{name}.wav"
    words = " ".join(draw.choice(TEXT) + draw.choice(["", "", "", ",", "."]) for _ in range(60))
    subprocess.run(
        ["espeak-ng", "-v", draw.choice(VOICES), "-s", str(draw.randrange(90, 300)), "-p", str(draw.randrange(100)),
         "-w", path, words], check=True, stderr=subprocess.DEVNULL)
    with wave.open(str(path), "rb") as spoken:
        return spoken.readframes(spoken.getnframes()), spoken.getframerate()


def music(sound):
    """one or two pieces played by chance, as they are, sped up, or moved up into the band"""
    for index in range(sound.draw.randrange(1, 3)):
        path = sound.directory / f"music{index}.wav"
        render_music(sound.draw, 90, path)
        sound.looped(path, 90, RATE)


def segments(sound, each):
    """One after another, by sox: what `each` draws, (channels to be added up, effects)."""
    length = 20
    made = []
    for _ in range(sound.seconds // length):
        channels, effects = each(sound.draw, length)
        source = ["-r", str(RATE), "-c", str(channels), "-n"]
        form = ["-t", "raw", "-e", "floating-point", "-b", "32", "-c", "1"]
        words = ["sox", "-D", "-V1", *source, *form, "-", *effects, "trim", "0", str(length)]
        made.append(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)
    sound.raw(b"".join(made), "f32")


def tones(sound):
    """chords in and about the band, steady, swelling or keyed"""
    def each(draw, length):
        count = draw.randrange(1, 6)
        effects = ["synth", str(length)]
        for _ in range(count):
            shape = draw.choice(["sine", "sine", "square", "sawtooth"])
            effects += [shape, f"{draw.uniform(17_500, 20_500):.2f}"]
        effects += ["remix", "-"]
        if draw.random() < 0.6:
            key = draw.choice(["sine", "square", "trapezium"])
            effects += ["synth", key, "amod", f"{10 ** draw.uniform(-0.5, 3):.2f}"]
        return count, effects
    segments(sound, each)


def sweeps(sound):
    """across the band or within it, up or down, from 10 ms to 5 s, again and again"""
    def each(draw, length):
        count = draw.randrange(1, 4)
        seconds = 10 ** draw.uniform(-2, 0.7)
        effects = ["synth", f"{seconds:.4f}"]
        for _ in range(count):
            low, high = draw.choice([(18_500, 20_000), (100, 23_000), (15_000, 22_000)])
            ends = f"{draw.uniform(low, high):.1f}{draw.choice(':+/-')}{draw.uniform(low, high):.1f}"
            effects += [draw.choice(["sine", "sine", "square"]), ends]
        return count, [*effects, "remix", "-", "repeat", str(int(length / seconds) + 1)]
    segments(sound, each)


def disturbed(sound):
    """claps, doors, keys, typing, pulses, sweeps, a vacuum cleaner and foreign senders, one to three at once"""
    draw = sound.draw
    for name in draw.sample(sorted(disturbances.SOUNDS), draw.randrange(1, 4)):
        path = sound.directory / f"{name}.wav"
        disturbances.write(disturbances.SOUNDS[name](draw, draw.uniform(0.5, 4)), path)
        sound.inputs.append(["-i", str(path)])
        sound.chains.append(
            f"aloop=loop=-1:size=2000000000,volume={draw.uniform(-40, 0):.1f}dB,atrim=duration={sound.seconds}")
