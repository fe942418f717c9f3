"""The ALSA plugin, as a player has it that knows nothing of it: aplay plays silence, and tokens are heard in what comes out.

    plugin_test.py NEARBY_MODEM PLUGIN_FOLDER [TEST …]
"""
import os
import pathlib
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time
import unittest

modem, plugin = sys.argv[1], pathlib.Path(sys.argv[2]) / "libasound_module_pcm_nearby.so"
TOKEN = "0123456789abcdef"
#: ALSA's names, the bytes of a sample, and nearby-modem's names, of those that it reads.
FORMATS = {"S16_LE": (2, "s16"), "S24_3LE": (3, "s24"), "S24_LE": (4, None), "S32_LE": (4, "s32"), "FLOAT_LE": (4, "f32")}
VALGRIND = ["valgrind", "-q", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=definite,indirect",
            "--errors-for-leak-kinds=definite,indirect"]


class PluginTests(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)
        self.played = self.folder / "played"

    def configure(self, settings):
        """The PCM `box`, which plays into a file as fast as it is given sound."""
        (self.folder / "asound.conf").write_text(f"""
pcm_type.nearby {{ lib "{plugin}" }}
pcm.quiet {{ type file slave.pcm {{ type null }} file "{self.played}" format raw }}
pcm.box {{ type nearby slave.pcm quiet {settings} }}
""")
        return {**os.environ, "ALSA_CONFIG_PATH": f"/usr/share/alsa/alsa.conf:{self.folder}/asound.conf"}

    def play(self, settings, sound, format="S16_LE", rate=48000, channels=2, before=()):
        """aplay's exit code and words."""
        environment = self.configure(settings)
        command = [*before, "aplay", "-q", "-D", "box", "-t", "raw", "-f", format, "-r", str(rate), "-c", str(channels)]
        return subprocess.run(command, input=sound, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE)

    def heard(self, format="s16", rate=48000, channels=2, channel=1, profile="dsss"):
        command = [modem, "decode", "--profile", profile, "--raw", format, "--rate", str(rate), "--channels", str(channels),
                   "--channel", str(channel), str(self.played)]
        found = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        return re.findall(rf"{profile}  ([0-9a-f]+)  SNR", found)

    def expect(self, tokens, least, **where):
        """These tokens, at least so many; aplay adds silence to what it is given, and so perhaps another frame."""
        heard = self.heard(**where)
        self.assertEqual(set(heard), set(tokens), heard)
        self.assertGreaterEqual(len(heard), least, heard)

    def test_every_format(self):
        for format, (width, name) in FORMATS.items():
            with self.subTest(format):
                ended = self.play(f'token "{TOKEN}"', bytes(3 * 48000 * 2 * width), format)
                self.assertEqual((ended.returncode, ended.stderr), (0, b""))
                if name is None:
                    # 24 bits in the lower 3 of 4 bytes: without the fourth they are packed.
                    sound = self.played.read_bytes()
                    self.played.write_bytes(bytes(byte for n, byte in enumerate(sound) if n % 4 != 3))
                    name = "s24"
                self.expect([TOKEN], 2, format=name)

    def test_tokens_take_turns_by_another_profile(self):
        self.play('token "cafe,babe" profile "dsss-quick" every 1 lane 2 level -20 min_level -20', bytes(4 * 48000 * 2))
        self.expect(["cafe", "babe"], 2, profile="dsss-quick")

    def test_low_frequency_channel_gets_no_token(self):
        self.play(f'token "{TOKEN}"', bytes(2 * 48000 * 2 * 6), channels=6)
        for channel in range(1, 7):
            with self.subTest(channel=channel):
                self.expect([] if channel == 6 else [TOKEN], 0 if channel == 6 else 1, channels=6, channel=channel)
        sound = self.played.read_bytes()
        self.assertFalse(any(sound[10::12]) or any(sound[11::12]))

    def test_channels_that_lie_apart(self):
        environment = self.configure(f'token "{TOKEN}"')
        for name in ("left", "right"):
            (self.folder / name).write_bytes(bytes(2 * 48000 * 2))
        subprocess.run(["aplay", "-q", "-D", "box", "-I", "-t", "raw", "-f", "S16_LE", "-r", "48000", "-c", "2", self.folder / "left",
                        self.folder / "right"], env=environment, check=True)
        for channel in (1, 2):
            self.expect([TOKEN], 1, channel=channel)

    def test_programme_is_kept(self):
        """Where no frame sounds, samples stay as they are."""
        sound = os.urandom(2 * 48000 * 4)
        self.play(f'token "{TOKEN}" every 3', sound)
        played = self.played.read_bytes()
        self.assertEqual(played[1300 * 48 * 4:len(sound)], sound[1300 * 48 * 4:])
        self.assertNotEqual(played[:1300 * 48 * 4], sound[:1300 * 48 * 4])

    def test_rate_that_is_too_low_passes(self):
        sound = os.urandom(16000 * 4)
        ended = self.play(f'token "{TOKEN}"', sound, rate=16000)
        self.assertEqual(ended.returncode, 0)
        self.assertIn(b"as the profile dsss needs, not 16000 Hz; the sound passes without a token", ended.stderr)
        played = self.played.read_bytes()
        self.assertEqual(played[:len(sound)], sound)
        self.assertFalse(any(played[len(sound):]))

    def test_follows_a_box(self):
        """A box's token changes, the box goes, and another comes, while one player plays on."""
        path = self.folder / "box"
        environment = self.configure(f'socket "{path}"')
        player = subprocess.Popen(["aplay", "-q", "-D", "box", "-t", "raw", "-f", "S16_LE", "-r", "48000", "-c", "2"], env=environment,
                                  stdin=subprocess.PIPE, stderr=subprocess.PIPE)

        def play(seconds):
            """In real time, for the follower has its own."""
            for _ in range(round(seconds * 20)):
                player.stdin.write(bytes(2400 * 4))
                player.stdin.flush()
                time.sleep(0.05)

        def box():
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(str(path))
            listener.listen()
            listener.settimeout(30)
            connection = listener.accept()[0]
            listener.close()
            return connection

        connection = box()
        for token in ("0000000000000001", "0000000000000002"):
            connection.sendall(f"send profile=dsss-quick lane=1 every=0 jitter=0 tokens={token}\n".encode())
            play(2)
        path.unlink()
        connection.close()
        connection = box()
        connection.sendall(b"send profile=dsss-quick lane=0 every=0 jitter=0 tokens=0000000000000003\n")
        play(2)
        player.stdin.close()
        words = player.stderr.read()
        player.stderr.close()
        self.assertEqual(player.wait(30), 0, words)
        connection.close()
        heard = self.heard(profile="dsss-quick")
        self.assertEqual(list(dict.fromkeys(heard)), [f"000000000000000{n}" for n in (1, 2, 3)], heard)

    def test_bad_settings_are_one_line(self):
        for settings, words in (
            ("", "expected either a token or a socket that tells it"),
            (f'token "{TOKEN}" socket "/run/x"', "expected either a token or a socket that tells it"),
            ('token "xyzw"', "expected hexadecimal digits for a token, such as 48656c6c6f, not 'xyzw'"),
            (f'token "{TOKEN}" profile "none"', "expected one of the profiles dsss, "),
            (f'token "{33 * "00"}"', "expected a token of 1 to 32 bytes, as the profile dsss carries, not 33 bytes"),
            (f'token "{TOKEN}" lane 4', "lane: expected a number of 0 to 3"),
            (f'token "{TOKEN}" level 3', "level: expected a number of -90 to 0"),
            (f'token "{TOKEN}" loudness 3', "expected slave, token, socket, profile, "),
            (f'socket "/{"x" * 110}"', "expected a socket's path of at most 107 bytes, not 111"),
        ):
            with self.subTest(settings):
                ended = self.play(settings, b"")
                lines = [line for line in ended.stderr.decode().splitlines() if "nearby: " in line]
                self.assertEqual(ended.returncode, 1)
                self.assertEqual(len(lines), 1, ended.stderr)
                self.assertIn(words, lines[0])

    def test_recording_is_refused(self):
        environment = self.configure(f'token "{TOKEN}"')
        ended = subprocess.run(["arecord", "-q", "-D", "box", "-d", "1", "/dev/null"], env=environment, stderr=subprocess.PIPE)
        self.assertEqual(ended.returncode, 1)
        self.assertIn(b"nearby: expected a stream that plays", ended.stderr)

    def test_valgrind(self):
        ended = self.play('token "cafe" profile "dsss-quick"', bytes(24000 * 4), before=VALGRIND)
        self.assertEqual((ended.returncode, ended.stderr), (0, b""))
        ended = self.play(f'socket "{self.folder}/nobody"', bytes(480 * 4), before=VALGRIND)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn(b"no box answers there (No such file or directory)", ended.stderr)
        ended = self.play('token "xyzw"', b"", before=VALGRIND)
        self.assertEqual(ended.returncode, 1, ended.stderr)

    def test_cost(self):
        """100 s of stereo: processor time more than the same without the plugin."""
        sound = bytes(100 * 48000 * 4)

        def seconds(device):
            environment = self.configure(f'token "{TOKEN}"')
            command = ["aplay", "-q", "-D", device, "-t", "raw", "-f", "S16_LE", "-r", "48000", "-c", "2"]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, input=sound, env=environment, check=True, stderr=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

        more = min(seconds("box") - seconds("quiet") for _ in range(3))
        print(f"check-alsa-plugin: {1000 * more:.0f} ms of processor in 100 s")
        self.assertLess(more, 0.2)


unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
