"""What the long measurements share: programs they need, the modem, where they keep what is done. Standard library."""
import collections
import hashlib
import os
import pathlib
import re
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


def instructions_by_function(paths, inclusive):
    """What callgrind's files say of each function: instructions by mangled name, `inclusive` ("yes" or "no") of what it calls."""
    counts = collections.Counter()
    for path in paths:
        text = subprocess.run(
            ["callgrind_annotate", f"--inclusive={inclusive}", "--threshold=100", path], check=True, capture_output=True, text=True).stdout
        of_thread = {}
        for count, name in re.findall(r"^\s*([\d,]+) \(\s*[\d.]+%\)\s+\S*?:(\S.*?)(?: \[.*\])?$", text, re.MULTILINE):
            name = name.removesuffix("'2")
            of_thread[name] = max(of_thread.get(name, 0), int(count.replace(",", "")))
        counts.update(of_thread)
    return counts


def demangled(names):
    """Swift's names as people write them, in the same order."""
    return subprocess.run(
        ["swift", "demangle", "--simplified"], input="\n".join(names), check=True, capture_output=True, text=True).stdout.splitlines()
