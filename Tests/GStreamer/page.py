"""Runs each gst-launch line of the page and looks for its token in what it plays, by nearby-modem.

    page.py NEARBY_MODEM FOLDER

Files, streams and devices of the page are a generated programme and WAV files in FOLDER here, and the box is played.
"""
import os
import pathlib
import re
import shlex
import socket
import subprocess
import sys
import threading

modem, folder = sys.argv[1], pathlib.Path(sys.argv[2])
page = pathlib.Path(__file__).resolve().parents[2] / "Sources/GStreamer/README.md"
TOKEN = "0123456789abcdef"
programme, played, recording, box = (folder / name for name in ("programme.wav", "played.wav", "recording.wav", "box"))


def launch(line, seconds=60):
    return subprocess.run(shlex.split(line), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds)


def fail(line, words):
    sys.exit(f"page.py: {line}\n{words}")


def here(line):
    """The line with what is here in place of what a reader has."""
    line = re.sub(r"uri=\S+://\S+", f"uri=file://{programme}", line).replace("location=film.ogg", f"location={programme}")
    line = line.replace("/run/nearby-stb/token", str(box)).replace("wave=silence", "wave=silence num-buffers=200")
    line = line.replace("autoaudiosrc", f"filesrc location={recording} ! wavparse")
    # A box answers within a moment, which has passed before a file is written unless that takes as long as its sound.
    sink = f"wavenc ! filesink location={played} sync={'true' if 'socket' in line else 'false'}"
    return line.replace("playbin ", f'playbin audio-sink="{sink}" video-sink=fakesink ').replace("autoaudiosink", sink)


def play_box():
    """A box that tells its token to all who connect."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(box))
    listener.listen()

    def serve():
        players = []
        while True:
            players.append(listener.accept()[0])
            players[-1].sendall(f"send profile=dsss lane=1 every=0 jitter=0 tokens={TOKEN}\n".encode())

    threading.Thread(target=serve, daemon=True).start()


made = launch("gst-launch-1.0 -q audiotestsrc num-buffers=260 wave=pink-noise volume=0.1 ! audio/x-raw,format=S16LE,rate=44100,channels=2 ! "
              f"wavenc ! filesink location={programme}")
if made.returncode:
    fail("programme", made.stdout)
play_box()
text = page.read_text()
lines = [line for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S) for line in block.splitlines() if line.startswith("gst-launch-1.0")]
if len(lines) != 6 or text.count("gst-launch-1.0 ") != len(lines):
    fail("the page", f"expected 6 gst-launch lines, each in a block of sh, found {len(lines)}")
for line in lines:
    if "nearbytoken" in line:
        ended = launch(here(line))
        if ended.returncode or "WARNING" in ended.stdout:
            fail(line, ended.stdout)
        heard = subprocess.run([modem, "decode", "--profile", "dsss", "--profile", "dsss-quick", played], stdout=subprocess.PIPE, text=True).stdout
        count = len(re.findall(rf" {TOKEN} ", heard))
        if count < 2:
            fail(line, f"expected {TOKEN} twice or more in what was played, heard:\n{heard}{ended.stdout}")
        if "profile=" not in line:
            played.replace(recording)
    else:
        ended = launch(here(line))
        count = ended.stdout.count(f"nearby-token, token=(string){TOKEN}, profile=(string)dsss,")
        if count < 2:
            fail(line, f"expected two messages or more, got {count}:\n{ended.stdout}")
    print(f"check-gstreamer: {count} tokens: {line}")
