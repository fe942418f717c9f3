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


def undecodable_chips(draw, profile, lane):
    """All chips of a frame whose coded bits are drawn by chance."""
    coded = [draw.getrandbits(1) for _ in range(profile.polar_length)]
    ramp = [1 if i % 2 else -1 for i in range(profile.ramp_chips)]
    stream = list(ramp)
    for segment in range(profile.segment_count):
        stream += dsss.segment_chips(coded, profile, 8, lane, segment)
    return stream + [-chip for chip in ramp]


def token_chips(draw, profile, lane):
    """All chips of a frame with a token of 8 bytes drawn by chance."""
    return dsss.chips(draw.randbytes(8), profile, lane)


def write(path, draw, name, seconds, period, make=undecodable_chips, distinct=DISTINCT):
    """A WAV file with a frame of profile `name` every `period` seconds, without noise. Returns their number."""
    profile = profiles.named(name)
    count = int(seconds / period)
    gap = None
    with wave.open(str(path), "wb") as out:
        out.setparams((1, 2, RATE, 0, "NONE", ""))
        frames = []
        for index in range(count):
            if index < distinct:
                samples = gmsk.Waveform(make(draw, profile, draw.randrange(4)), profile).samples(RATE)
                frames.append(array.array("h", (round(8192 * sample) for sample in samples)).tobytes())
            frame = frames[index % distinct]
            gap = gap or bytes(2 * int(period * RATE) - len(frame))
            out.writeframes(frame + gap)
    return count
