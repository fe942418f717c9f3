"""The symbol graphs of the package's libraries: what is public, with its comments. Reads what `swift build` left behind."""
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def _output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True).stdout


def libraries():
    """The targets of the library products. NearbyModemC is none: nearby_modem.h describes its functions."""
    described = json.loads(_output("swift", "package", "--ignore-lock", "--package-path", ROOT, "describe", "--type", "json"))
    return sorted(name for product in described["products"] if "library" in product["type"] for name in product["targets"]
                  if name != "NearbyModemC")


class Extractor:
    def __init__(self):
        self.built = pathlib.Path(_output("swift", "build", "--ignore-lock", "--package-path", ROOT, "--show-bin-path").strip())
        self.triple = json.loads(_output("swiftc", "-print-target-info"))["target"]["unversionedTriple"]
        # Modules of C: those of the system's libraries, and those that the build has made maps of.
        maps = [*ROOT.glob("Sources/*/module.modulemap"), *self.built.glob("*.build/module.modulemap")]
        maps += [*ROOT.glob(".build/checkouts/*/Sources/*/include/module.modulemap"),
                 *ROOT.glob(".build/checkouts/*/Sources/*/module.modulemap")]
        headers = _output(
            "pkg-config", "--cflags-only-I", "alsa", "dbus-1", "fftw3f", "libpng", "libpq", "libqrencode", "sndfile").split()
        self.flags = [word for flag in headers for word in ("-Xcc", flag)]
        self.flags += [word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")]

    def extract(self, library, folder):
        """Writes the graph of a library's public symbols into a folder, and returns its file."""
        done = subprocess.run(
            ["swift", "symbolgraph-extract", "-module-name", library, "-target", self.triple, "-I", self.built / "Modules",
             *self.flags, "-module-cache-path", self.built / "ModuleCache", "-output-dir", folder,
             "-minimum-access-level", "public", "-skip-synthesized-members"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
        path = pathlib.Path(folder) / f"{library}.symbols.json"
        if not path.exists():
            raise SystemExit(f"{library}: no symbols: {done.stderr[-600:]}")
        return path
