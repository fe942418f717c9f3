"""What the long measurements share: programs they need, the modem, where they keep what is done. Standard library."""
import hashlib
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

PROFILES = ["dsss-quick", "dsss", "dsss-far"]
FSK_PROFILES = ["fsk", "fsk-long", "fsk-audible", "fsk-telephone"]
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def install(programs):
    """Installs the Debian packages of the programs that are missing. `programs`: name of the program -> packages."""
    missing = [package for program, packages in programs.items() if not shutil.which(program) for package in packages]
    if not missing:
        return
    status = subprocess.run([ROOT / "Tools" / "install", *missing], stdout=sys.stderr).returncode
    if status:
        sys.exit(status)


def modem(given):
    """The modem to measure: the one given, or the release build of this tree."""
    if given:
        return pathlib.Path(given).resolve()
    build = ["swift", "build", "--package-path", ROOT, "-c", "release"]
    subprocess.run([*build, "--product", "nearby-modem"], check=True, stdout=sys.stderr)
    directory = subprocess.run([*build, "--show-bin-path"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return pathlib.Path(directory.strip()) / "nearby-modem"


def commit():
    """Of this tree; says when its sources hold more than that."""
    git = ["git", "-C", ROOT]
    name = subprocess.run([*git, "rev-parse", "--short", "HEAD"], check=True, stdout=subprocess.PIPE, text=True).stdout
    changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "Sources", "Package.swift"]).returncode
    return name.strip() + (" and changes" if changed else "")


def state(name, program):
    """Where a measurement keeps what is done: a directory for each build of the modem, so that no two are mixed."""
    directory = ROOT / ".build" / name / hashlib.sha256(program.read_bytes()).hexdigest()[:16]
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def command_line(arguments):
    return shlex.join([os.path.relpath(sys.argv[0], ROOT), *arguments])


def wilson(heard, trials, z=1.959964):
    """Wilson's score interval, 95 %."""
    share = heard / trials
    centre = share + z * z / (2 * trials)
    spread = z * (share * (1 - share) / trials + z * z / (4 * trials * trials)) ** 0.5
    return (centre - spread) / (1 + z * z / trials), (centre + spread) / (1 + z * z / trials)


def markdown(titles, rows):
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
