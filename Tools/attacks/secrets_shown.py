"""Rows 10 and 11: secrets where other users of the machine see them."""
import contextlib
import os
import pathlib
import re
import sqlite3
import subprocess
import tempfile
import time
import wave

from outcome import Outcome
from server_world import PROGRAMS, Postgres, Server
from transport import certificate
from victim import Victim

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# A key as an argument, and a password in a store's address.
SHOWN = re.compile(r"(?<![\w-])--key[ =]['\"]?(?:[A-Z]+\b|nbk_|\$)|postgres(?:ql)?://[^\s/:@]+:[^\s@]+@")
UMASK = ["sh", "-c", 'umask 022; exec "$@"', "sh"]
OTHERS = 0o077


def command_line(process):
    """As other users read it."""
    return pathlib.Path(f"/proc/{process.pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()


# MARK: Row 10

async def in_arguments(scene):
    outcome = Outcome(10, "others read /proc/PID/cmdline")
    examples(scene, outcome)
    with scene.victim() as victim:
        outcome.must("serve: no key", victim.key not in command_line(victim.server.process))
        for command in (["publish", "in the hall", "--type", "place"], ["subscribe", "--type", "place"]):
            client(scene, victim, outcome, command, "$NEARBY_KEY", [], {"NEARBY_KEY": victim.key})
            path = victim.folder / "app.key"
            path.write_text(victim.key + "\n")
            path.chmod(0o600)
            client(scene, victim, outcome, command, "--key-file", ["--key-file", str(path)], {})
    if PROGRAMS is None:
        missing = "/usr/lib/postgresql is missing: Tools/install installs it"
        return [outcome, Outcome(10, "a database's password", skipped=missing)]
    return [outcome, database_password(scene)]


def examples(scene, outcome):
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in [ROOT / "README.md", *ROOT.glob("Sources/**/*.md")]}
    for name in ("serve", "publish", "subscribe", "find", "stb", "projects", "keys", "beacons"):
        texts[f"nearby {name} --help"] = scene.run(name, "--help")
    found = [f"{name}: {match[0]}" for name, text in texts.items() for match in SHOWN.finditer(text)]
    outcome.must("no example shows a secret as an argument", not found, f"{len(found)}: {'; '.join(found[:3])}".rstrip(": "))


def client(scene, victim, outcome, command, name, words, environment):
    """A client that is given its key in this way: nobody sees it, and it gets to the server with it."""
    silence, played = victim.folder / "silence.wav", victim.folder / "played.wav"
    with wave.open(str(silence), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(48_000)
        file.writeframes(bytes(2 * 48_000 * 3))
    before = devices(victim)
    process = subprocess.Popen(
        [scene.binary, *command, *words, "--server", f"http://127.0.0.1:{victim.port}", "--capture", str(silence),
         "--playback", str(played), "--seconds", "2"],
        env={name: value for name, value in os.environ.items() if name != "NEARBY_KEY"} | environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = command_line(process)
    end, is_known = time.monotonic() + 20, False
    while process.poll() is None and time.monotonic() < end and not is_known:
        is_known = devices(victim) > before
        time.sleep(0.05)
    process.kill()
    said = process.communicate()[1].strip().split("\n")[0]
    outcome.must(f"{command[0]} with {name} shows no key, and registers", victim.key not in line and is_known,
                 f"{'registered' if is_known else 'not registered'}{': ' + said if said and not is_known else ''}")


def devices(victim):
    """How many the server's database has."""
    file = next(victim.folder.glob("*.sqlite"))
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
        return database.execute("SELECT count(*) FROM device").fetchone()[0]


def database_password(scene):
    outcome = Outcome(10, "a database's password")
    postgres = Postgres()
    try:
        password = "sesame-4711"
        url = f"postgresql://nearby:{password}@/nearby?host={postgres.folder}"
        path = pathlib.Path(tempfile.mkdtemp(dir=postgres.folder), "store")
        path.write_text(url + "\n")
        path.chmod(0o600)
        ways = (("$NEARBY_STORE", [], {"NEARBY_STORE": url}), ("--store-file", ["--store-file", str(path)], {}))
        for name, words, environment in ways:
            # Without a database it would take a folder: its own.
            environment = {"XDG_DATA_HOME": str(path.parent), **environment}
            try:
                server = Server(scene.binary, words, environment=environment)
            except SystemExit as problem:
                outcome.must(f"serve with {name} starts", False, str(problem).split("\n")[0][:120])
                continue
            line = command_line(server.process)
            server.kill()
            used = postgres.query("SELECT count(*) FROM information_schema.tables WHERE table_name = 'device'")
            is_hidden = password not in line + " ".join(server.lines)
            outcome.must(f"serve with {name} shows no password, and uses that database", is_hidden and used == "1",
                         f"{'hidden' if is_hidden else 'shown'}, {'used' if used == '1' else 'not used'}")
    finally:
        postgres.end()
    return outcome


# MARK: Row 11

async def in_files(scene):
    outcome = Outcome(11, "others read files, umask 022")
    with tempfile.TemporaryDirectory(prefix="nearby-attack-") as name:
        folder = pathlib.Path(name) / "data"
        folder.mkdir()
        folder.chmod(0o755)
        for state in ("new", "0644 before"):
            victim = Victim(scene, folder, wrapper=UMASK) if state == "new" else None
            server = victim.server if victim else Server(scene.binary, ["--data", str(folder)], wrapper=UMASK)
            found = readable(folder)
            outcome.must(f"a server's files in a folder that was there, {state}: 0600", not found, ", ".join(found) or "0600")
            server.kill()
            for path in folder.iterdir():
                path.chmod(0o644)
        box(scene, outcome, pathlib.Path(name))
        tls_key(scene, outcome, pathlib.Path(name))
        path = pathlib.Path(name, "shop.key")
        subprocess.run([*UMASK, scene.binary, "offline", "create", "shop", "-o", path], check=True, capture_output=True)
        mode = path.stat().st_mode & 0o777
        outcome.must("an offline key: 0600", mode & OTHERS == 0, f"{mode:o}")
    return [outcome]


def readable(folder):
    return [f"{path.name} {path.stat().st_mode & 0o777:o}" for path in folder.iterdir() if path.stat().st_mode & OTHERS]


def box(scene, outcome, folder):
    """A box's configuration that others may read; and one whose key lacks its quotes."""
    secret, path = "nbk_1_Q7r9Zk2mXw4pTs8vBn6cLd3fGh5jYa1eUoRiWqPzMxKtV", folder / "stb.toml"
    for text, mode in ((f'"{secret}"', 0o644), (secret, 0o600), (f'"{secret}', 0o600), (f"[{secret}]", 0o600)):
        path.write_text(f"[server]\nkey = {text}\n")
        path.chmod(mode)
        done = subprocess.run([scene.binary, "stb", "--check", path], capture_output=True, text=True, timeout=30)
        said = done.stdout + done.stderr
        shown = [secret[n:n + 4] for n in range(6, len(secret) - 3) if secret[n:n + 4] in said]
        outcome.must(f"--check of `key = {text.replace(secret, 'KEY')}` prints no part of it", not shown, said.strip()[:100])
        if mode == 0o644:
            outcome.must("--check warns that others may read stb.toml", "644" in said or "others" in said,
                         said.strip()[:100] or "nothing")


def tls_key(scene, outcome, folder):
    certificate(folder)
    (folder / "key.pem").chmod(0o644)
    files = ["--certificate", str(folder / "cert.pem"), "--private-key", str(folder / "key.pem")]
    victim = Victim(scene, folder / "tls", *files)
    line = victim.server.line_with("key.pem", 2)
    victim.server.kill()
    outcome.must("serve warns that others may read the TLS key", line is not None, line or "no line")
