"""Frames with right pilots and data that are no code word, made by the second implementation. Standard library."""
import array
import sys
import wave

from common import ROOT

sys.path.insert(0, str(ROOT / "Tools" / "reference"))
import dsss  # noqa: E402
import gmsk  # noqa: E402
import profiles  # noqa: E402

RATE = 48_000
# Random data: so many frames are all different; then they come again.
DISTINCT = 60


def undecodable_frame(draw, name):
    """The samples, 16 bits each, of a frame of profile `name` whose coded bits are drawn by chance."""
    profile, lane = profiles.named(name), draw.randrange(4)
    coded = [draw.getrandbits(1) for _ in range(profile.polar_length)]
    waveform = gmsk.Waveform(dsss.chips_of_word(coded, profile, 8, lane), profile)
    return array.array("h", (round(8192 * sample) for sample in waveform.samples(RATE))).tobytes()


def write(path, draw, name, seconds, period, make=undecodable_frame, distinct=DISTINCT):
    """A WAV file with a frame of profile `name` every `period` seconds, without noise. Returns their number."""
    count = int(seconds / period)
    frames = []
    with wave.open(str(path), "wb") as out:
        out.setparams((1, 2, RATE, 0, "NONE", ""))
        for index in range(count):
            if index < distinct:
                frames.append(make(draw, name))
            frame = frames[index % distinct]
            out.writeframes(frame + bytes(2 * int(period * RATE) - len(frame)))
    return count
