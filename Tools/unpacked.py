"""Programs from Debian packages that are unpacked and not installed, so that nothing of them starts by itself; and ports for them."""
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys


def make_known(package, programs, folder):
    """Puts the programs into PATH; those that are missing come from the package. Raises OSError or CalledProcessError if it cannot be had."""
    os.environ["PATH"] += f":/usr/sbin:{folder}/usr/sbin:{folder}/usr/bin"
    if all(shutil.which(name) for name in programs):
        return
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["apt-get", "download", "-q", package], cwd=folder, check=True, stdout=sys.stderr)
    for file in folder.glob(f"{package}_*.deb"):
        subprocess.run(["dpkg", "-x", file, folder], check=True)
        file.unlink()


def free_port():
    """One that no connection is given meanwhile: those begin where the kernel's range does."""
    first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.randrange(first // 2, first)
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
