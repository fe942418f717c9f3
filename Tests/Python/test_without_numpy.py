"""Without NumPy, all works on the standard library's arrays and on bytes."""
import pathlib
import subprocess
import sys

import nearby_modem

PROGRAM = """
import array, sys
try:
    import numpy
except ImportError:
    pass
else:
    sys.exit("NumPy is here")
import nearby_modem
from nearby_modem import ggwave

samples = nearby_modem.encode(b"plain")
assert type(samples) is array.array and samples.typecode == "f"
[heard] = nearby_modem.decode(samples)
assert heard.token == b"plain"
[heard] = nearby_modem.decode(array.array("d", samples))
assert heard.token == b"plain"

mixer = nearby_modem.Mixer(format="int16")
mixer.set_token(b"mixed", frames=1)
room = bytearray(2 * 48000 * 2)
mixer.fill(room)
[heard] = nearby_modem.decode(bytes(room), format="int16")
assert heard.token == b"mixed"

instance = ggwave.init()
assert ggwave.decode(instance, ggwave.encode("hello python")) == b"hello python"
assert "numpy" not in sys.modules
print("ok")
"""


def test_without_numpy():
    # -S leaves out the folders of installed packages; the wheel's is named.
    folder = pathlib.Path(nearby_modem.__file__).parents[1]
    ended = subprocess.run([sys.executable, "-S", "-c", PROGRAM], env={"PYTHONPATH": str(folder)}, capture_output=True, text=True)
    assert (ended.stdout, ended.stderr) == ("ok\n", "")


def test_import_takes_no_numpy():
    ended = subprocess.run(
        [sys.executable, "-c", "import sys, nearby_modem; print({'numpy', 'sounddevice', 'argparse'} & set(sys.modules))"],
        capture_output=True, text=True)
    assert ended.stdout == "set()\n"
