"""A box, nearby-stb, and a player beside it: what is heard in the player's sound are the box's tokens.

    box.py FOLDER_OF_COMMANDS FOLDER
"""
import atexit
import pathlib
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time

commands, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
path, key, played = folder / "stb-token", folder / "stb.key", folder / "stb.wav"
subprocess.run([commands / "nearby", "offline", "create", "kiosk", "-o", key], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
settings = folder / "stb.toml"
settings.write_text(f"""
announce.text = "kiosk"
receive.enabled = false
audio.playback = "/dev/null"
offline.key-file = "{key}"
token.socket = "{path}"
""")


def start_box():
    return subprocess.Popen([commands / "nearby-stb", "--config", settings], stderr=subprocess.PIPE, text=True)


def stop_box(box):
    box.send_signal(signal.SIGTERM)
    said = box.communicate(timeout=30)[1]
    if box.returncode:
        sys.exit(f"box.py: nearby-stb: exit code {box.returncode}:\n{said}")


def lines_of_box():
    """The lines by which the box sends something, as they come; the first one is there. Without a server, tokens change each
    five minutes by the clock, so that there may be another line at any time."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        reader = socket.socket(socket.AF_UNIX)
        try:
            reader.connect(str(path))
        except OSError:
            reader.close()
            time.sleep(0.05)
            continue
        lines, is_there = [], threading.Event()

        def follow():
            for line in reader.makefile():
                if line.startswith("send "):
                    lines.append(line.strip())
                    is_there.set()

        threading.Thread(target=follow, daemon=True).start()
        if is_there.wait(30):
            return lines
        break
    box.kill()
    sys.exit(f"box.py: the box told no token within 30 s: {box.communicate()[1]}")


def tokens(lines):
    return {token for line in lines for token in re.search(r" tokens=(\S+)", line)[1].split(",")}


box = start_box()
atexit.register(lambda: box.kill())
first = lines_of_box()
# In real time: the box goes, and another comes with another token, while it plays.
player = subprocess.Popen(shlex.split(
    "gst-launch-1.0 -q audiotestsrc num-buffers=750 is-live=true samplesperbuffer=960 wave=silence ! "
    f"audio/x-raw,format=S16LE,rate=48000,channels=1 ! nearbytoken socket={path} ! wavenc ! filesink location={played}"))
# A frame of the profile for sealed messages takes 3.7 s.
while player.poll() is None and (not played.exists() or played.stat().st_size < 6 * 96_000):
    time.sleep(0.05)
stop_box(box)
box = start_box()
second = lines_of_box()
code = player.wait(60)
stop_box(box)
if code:
    sys.exit(f"box.py: the player ended with exit code {code}")
if tokens(first) & tokens(second):
    sys.exit(f"box.py: expected another token of another box: {first}, {second}")
profile = re.search(r" profile=(\S+)", first[0])[1]
heard = subprocess.run([commands / "nearby-modem", "decode", "--profile", profile, played], stdout=subprocess.PIPE, text=True).stdout
for lines in (first, second):
    if not any(f" {token} " in heard for token in tokens(lines)):
        sys.exit(f"box.py: expected a token of {lines} in what was played, heard:\n{heard}")
others = set(re.findall(rf" {profile}  ([0-9a-f]+) ", heard)) - tokens(first) - tokens(second)
if others:
    sys.exit(f"box.py: expected tokens of {first + second} alone, heard {others}")
print("check-gstreamer: a player sends what nearby-stb tells it, and what the next one does")
