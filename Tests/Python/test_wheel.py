"""The wheel itself: the same each time, small, and what its name says."""
import os
import pathlib
import platform
import re
import subprocess
import sys
import zipfile

import pytest

import nearby_modem
from conftest import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return built(tmp_path_factory.mktemp("wheel"))


def built(folder, *options):
    command = [ROOT / "Tools/python", *options, folder]
    return pathlib.Path(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip())


@pytest.fixture(scope="module")
def musl_wheel(tmp_path_factory):
    musl = subprocess.run([ROOT / "Tools/musl", platform.machine()], capture_output=True, text=True)
    if musl.returncode == 69:
        pytest.skip(musl.stderr.strip())
    return built(tmp_path_factory.mktemp("musl"), "--libc", "musl"), musl.stdout.strip()


def test_the_same_sources_give_the_same_bytes(wheel, tmp_path):
    again = built(tmp_path)
    assert (again.name, again.read_bytes()) == (wheel.name, wheel.read_bytes())


def test_it_holds_what_is_needed_and_no_more(wheel):
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        names = {name for name in archive.namelist() if not name.endswith(".py")}
    about = f"nearby_modem-{nearby_modem.__version__}.dist-info"
    assert names == {"nearby_modem/py.typed", "nearby_modem/libnearbymodem.so.1", f"{about}/METADATA", f"{about}/WHEEL",
                     f"{about}/RECORD", f"{about}/licenses/LICENSE"}
    assert wheel.stat().st_size <= 700_000


def test_it_is_of_this_version():
    said = subprocess.run([os.environ["NEARBY_MODEM"], "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert nearby_modem.__version__ == said.split()[-1]


def tag_by_auditwheel(wheel):
    auditwheel = pathlib.Path(sys.executable).with_name("auditwheel")
    if not auditwheel.exists():
        pytest.skip("auditwheel is not installed: Tools/check-python could not")
    said = subprocess.run([auditwheel, "show", wheel], check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.search(r'"((?:many|musl)linux_[^"]+)"', said)[1]


def test_auditwheel_agrees_with_its_name(wheel):
    tag = tag_by_auditwheel(wheel)
    assert tag in wheel.name and tag.startswith("manylinux_2_17_")


def test_auditwheel_agrees_with_the_name_for_musl(musl_wheel):
    tag = tag_by_auditwheel(musl_wheel[0])
    assert tag in musl_wheel[0].name and tag.startswith("musllinux_1_2_")


def test_the_library_for_musl_loads_there(musl_wheel, c_examples, tmp_path):
    """There is no Python on musl here. A program on musl loads the wheel's library, and makes the sound that it makes on glibc."""
    wheel, compiler = musl_wheel
    with zipfile.ZipFile(wheel) as archive:
        library = archive.extract("nearby_modem/libnearbymodem.so.1", tmp_path)
    program = tmp_path / "play_token"
    subprocess.run([compiler, "-std=c99", ROOT / "Sources/NearbyModemC/examples/play_token.c", "-o", program,
                    f"-I{ROOT}/Sources/CNearbyModem", library, "-lm"], check=True)
    root = pathlib.Path(compiler).parent.parent / "root"
    loader = [next(root.glob("lib/ld-musl-*")), "--library-path", f"{tmp_path / 'nearby_modem'}:{next(root.glob('lib/*-linux-musl*'))}"]

    def sound(*program):
        words = [*program, "-r", "48000", "cafe0123"]
        return subprocess.run(words, input=bytes(3 * 4 * 48_000), check=True, stdout=subprocess.PIPE).stdout
    there = sound(*loader, program)
    here = sound(c_examples / "play_token")
    assert there == here and any(here)


def test_a_library_that_does_not_load_is_one_line(tmp_path):
    (tmp_path / "broken.so").write_bytes(b"no library")
    ended = subprocess.run([sys.executable, "-c", "import nearby_modem"], capture_output=True, text=True,
                           env={**os.environ, "NEARBY_MODEM_LIBRARY": str(tmp_path / "broken.so")})
    words = ended.stderr.splitlines()[-1]
    assert words.startswith("ImportError: expected a library that loads, not ") and "NEARBY_MODEM_LIBRARY" in words
