"""A sound card nobody owns: a PulseAudio null sink, as the ALSA PCMs `air_out` and `air_in` (what it plays). Standard library.

    transmit ─▶ air_out ─▶ null sink ─▶ its monitor ─▶ air_in ─▶ listen

Bit-exact at 48 kHz. Everything is in a folder of its own, with a server of its own, and gone afterwards.
"""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import common

SERVER = """load-module module-native-protocol-unix socket={0}/native auth-anonymous=1
load-module module-null-sink sink_name=air format=s16le rate=48000 channels=1 channel_map=mono
"""
DEVICES = """pcm.air_out {{ type pulse server "unix:{0}/native" device "air" }}
pcm.air_in {{ type pulse server "unix:{0}/native" device "air.monitor" }}
"""


class VirtualAir:
    def __enter__(self):
        common.install({"pulseaudio": ["pulseaudio", "libasound2-plugins"]})
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="air."))
        (self.folder / "air.pa").write_text(SERVER.format(self.folder))
        (self.folder / "asound.conf").write_text(DEVICES.format(self.folder))
        own = {name: str(self.folder) for name in ("HOME", "XDG_RUNTIME_DIR", "PULSE_RUNTIME_PATH")}
        configuration = f"/usr/share/alsa/alsa.conf:{self.folder}/asound.conf"
        self.environment = {**os.environ, **own, "ALSA_CONFIG_PATH": configuration}
        self.processes = []
        self.start_server()
        return self

    def __exit__(self, *_):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()
        self.stop_server()
        shutil.rmtree(self.folder)

    def start_server(self):
        log = open(self.folder / "log", "w")
        self.server = subprocess.Popen(
            ["pulseaudio", "-n", "-F", self.folder / "air.pa", "--daemonize=no", "--exit-idle-time=-1",
             "--use-pid-file=no", "--disable-shm=yes", "--log-level=error"],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        for _ in range(100):
            if (self.folder / "native").exists():
                return
            time.sleep(0.05)
        raise SystemExit(f"pulseaudio does not start: {(self.folder / 'log').read_text()}")

    def stop_server(self):
        self.server.kill()
        self.server.wait()
        (self.folder / "native").unlink(missing_ok=True)

    def start(self, *command, **options):
        """Starts a program among these devices; it is ended with them."""
        process = subprocess.Popen(
            [str(word) for word in command], env=self.environment, **{"stdin": subprocess.DEVNULL, **options})
        self.processes.append(process)
        return process
