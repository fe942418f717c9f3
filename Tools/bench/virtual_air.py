"""A sound card nobody owns: a server's null sink, as the ALSA PCMs `air_out` and `air_in` (what it plays). Standard library.

    transmit ─▶ air_out ─▶ null sink ─▶ its monitor ─▶ air_in ─▶ listen

Bit-exact at 48 kHz. Everything is in a folder of its own, with a server of its own, and gone afterwards.
"""
import array
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import time

import common

RATE_HZ = 48000
# The server: PulseAudio; or PipeWire, through ALSA's plugin for it or the one for PulseAudio.
SERVERS = ["pulseaudio", "pipewire", "pipewire-pulse"]
PULSEAUDIO = """load-module module-native-protocol-unix socket={0}/native auth-anonymous=1
load-module module-null-sink sink_name=air format=s16le rate=48000 channels={1} channel_map={2}
"""
# By the number of channels.
CHANNEL_MAPS = {1: "mono", 2: "front-left,front-right", 4: "front-left,front-right,rear-left,rear-right"}
PIPEWIRE = """context.properties = {{ core.daemon = true, core.name = pipewire-0, support.dbus = false, log.level = 1 }}
context.spa-libs = {{ audio.convert.* = audioconvert/libspa-audioconvert, support.* = support/libspa-support }}
context.modules = [
    {{ name = libpipewire-module-protocol-native }}
    {{ name = libpipewire-module-metadata }}
    {{ name = libpipewire-module-spa-node-factory }}
    {{ name = libpipewire-module-client-node }}
    {{ name = libpipewire-module-client-device }}
    {{ name = libpipewire-module-access }}
    {{ name = libpipewire-module-adapter }}
    {{ name = libpipewire-module-link-factory }}
    {{ name = libpipewire-module-session-manager }}
    {{ name = libpipewire-module-protocol-pulse, args = {{ server.address = [ "unix:{0}/native" ] }} }}
]
context.objects = [
    {{ factory = adapter, args = {{
        factory.name = support.null-audio-sink, node.name = air, media.class = Audio/Sink
        audio.rate = 48000, audio.channels = 1, audio.position = [ MONO ], object.linger = true
    }} }}
]
"""
PULSE_DEVICES = """pcm.air_out {{ type pulse server "unix:{0}/native" device "air" }}
pcm.air_in {{ type pulse server "unix:{0}/native" device "air.monitor" }}
"""
# To capture from a sink is to capture from its monitor.
CAPTURE_SINK = {"PIPEWIRE_ALSA": "{ stream.capture.sink = true }"}
PIPEWIRE_DEVICES = """pcm_type.pipewire {{ lib "{1}" }}
pcm.air_out {{ type pipewire server "pipewire-0" playback_node "air" }}
pcm.air_in {{ type pipewire server "pipewire-0" capture_node "air" }}
"""


def pipewire_plugin():
    """ALSA's. Its package and PulseAudio's cannot both be installed: it is unpacked elsewhere."""
    folder = common.ROOT / ".build" / "pipewire-alsa"
    for place in (pathlib.Path("/usr/lib"), folder):
        for plugin in place.glob("**/alsa-lib/libasound_module_pcm_pipewire.so"):
            return plugin
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["apt-get", "download", "-q", "pipewire-alsa"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["dpkg", "-x", *folder.glob("*.deb"), folder], check=True)
    return pipewire_plugin()


class VirtualAir:
    def __init__(self, server="pulseaudio", channels=1):
        """More than one channel is PulseAudio's alone."""
        self.kind, self.channels = server, channels

    def __enter__(self):
        if self.kind == "pulseaudio":
            common.install({"pulseaudio": ["pulseaudio", "libasound2-plugins"]})
        else:
            common.install({"pipewire": ["pipewire", "libasound2-plugins"], "wireplumber": ["wireplumber"]})
        plugin = pipewire_plugin() if self.kind == "pipewire" else None
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="air."))
        (self.folder / "air.pa").write_text(PULSEAUDIO.format(self.folder, self.channels, CHANNEL_MAPS[self.channels]))
        (self.folder / "air.conf").write_text(PIPEWIRE.format(self.folder))
        devices = PIPEWIRE_DEVICES if plugin else PULSE_DEVICES
        (self.folder / "asound.conf").write_text(devices.format(self.folder, plugin))
        own = {name: str(self.folder) for name in (
            "HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "PULSE_RUNTIME_PATH", "PIPEWIRE_RUNTIME_DIR")}
        configuration = f"/usr/share/alsa/alsa.conf:{self.folder}/asound.conf"
        bus = {"DBUS_SESSION_BUS_ADDRESS": "disabled:"}
        self.environment = {**os.environ, **own, **bus, **CAPTURE_SINK, "ALSA_CONFIG_PATH": configuration}
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
        if self.kind == "pulseaudio":
            commands = [["pulseaudio", "-n", "-F", self.folder / "air.pa", "--daemonize=no", "--exit-idle-time=-1",
                         "--use-pid-file=no", "--disable-shm=yes", "--log-level=error"]]
        else:
            # WirePlumber links streams to what they ask for; it is to touch no card.
            commands = [["pipewire", "-c", self.folder / "air.conf"], ["wireplumber", "-c", "policy.conf"]]
        log = open(self.folder / "log", "w")
        self.servers = []
        for command in commands:
            self.servers.append(subprocess.Popen(
                command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log))
            if not self.is_up():
                raise SystemExit(f"{command[0]} does not start: {(self.folder / 'log').read_text()}")

    def is_up(self):
        for _ in range(100):
            if (self.folder / "native").exists():
                return True
            time.sleep(0.05)
        return False

    def stop_server(self):
        for server in self.servers:
            server.kill()
            server.wait()
        for name in ("native", "pipewire-0", "pipewire-0.lock"):
            (self.folder / name).unlink(missing_ok=True)

    def start_noise(self, seconds):
        """White, −20 dBFS, through PulseAudio, each channel its own. It does not come again: of noise that does, candidates agree."""
        common.install({"pacat": ["pulseaudio-utils"]})
        draw = random.Random(1)
        samples = array.array("h", (round(draw.gauss(0, 3277)) for _ in range(int(seconds * RATE_HZ) * self.channels)))
        (self.folder / "noise").write_bytes(samples.tobytes())
        self.start("pacat", f"--server=unix:{self.folder}/native", "--playback", "--raw", "--format=s16le", f"--rate={RATE_HZ}",
                   f"--channels={self.channels}", f"--channel-map={CHANNEL_MAPS[self.channels]}", "--latency-msec=100", self.folder / "noise")

    def start(self, *command, **options):
        """Starts a program among these devices; it is ended with them."""
        process = subprocess.Popen(
            [str(word) for word in command], env=self.environment, **{"stdin": subprocess.DEVNULL, **options})
        self.processes.append(process)
        return process
