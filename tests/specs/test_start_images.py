"""rt started from an image behaves like the installed rt: after any change, the image is not used."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rig import Box, executable, wait_until

import rt_supervisor

PACKAGE = Path(rt_supervisor.__file__).parent
NATIVE = next(PACKAGE.glob("_native*.so"))
PLAIN = Path(executable()).parent / "rt-plain"
LINE = "Number(/rt[/]images/.test(require('fs').readFileSync('/proc/self/cmdline', 'utf8')))"

pytestmark = pytest.mark.skipif(
    Path(executable()).read_bytes()[:4] != b"\x7fELF", reason="rt is installed without its launcher"
)


class Installed:
    """A separate installation of rt: launcher, plain script, and packages that the interpreter finds by PYTHONPATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir(parents=True)
        shutil.copy2(executable(), self.bin / "rt")
        self.bin.joinpath("rt-plain").write_text(f"#!{sys.executable}\n{PLAIN.read_text().partition(chr(10))[2]}")
        self.bin.joinpath("rt-plain").chmod(0o755)
        for name in ("one", "two"):
            left = shutil.ignore_patterns("js", "__pycache__", "*.so")
            shutil.copytree(PACKAGE, folder / name / PACKAGE.name, ignore=left)
            (folder / name / PACKAGE.name / NATIVE.name).symlink_to(NATIVE)
            self.write(name, name)
        self.path = [str(folder / "early"), str(folder / "one")]

    def write(self, package: str, version: str) -> None:
        module = self.folder / package / PACKAGE.name / "__init__.py"
        module.write_text(f"{module.read_text()}\n__version__ = {version!r}\n")

    def environment(self, **more: str) -> dict[str, str]:
        given = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache")}
        return {**given, "PYTHONPATH": ":".join(self.path), **more}

    def says(self, program: str = "rt", **more: str) -> str:
        done = subprocess.run(
            [self.bin / program, "--version"],
            env=self.environment(**more),
            cwd=self.folder,
            capture_output=True,
            timeout=60,
        )
        assert done.stderr == b""
        return done.stdout.decode()

    def images(self) -> list[Path]:
        return list((self.folder / "cache/rt/images").glob("*.pyc"))

    def await_image(self) -> None:
        """Start until the image covers everything installed: files changed a moment before a start are not included."""
        modules = (self.folder / "one").rglob("*.py")
        changed_ns = max(path.stat().st_mtime_ns for path in modules)

        def is_current() -> bool:
            self.says()
            return any(image.stat().st_mtime_ns > changed_ns for image in self.images())

        wait_until(is_current, "an image is kept")


def other_version(rt: Installed) -> None:
    rt.write("one", "changed")


def earlier_package(rt: Installed) -> None:
    (rt.folder / "early").mkdir(exist_ok=True)
    (rt.folder / "early" / PACKAGE.name).symlink_to(rt.folder / "two" / PACKAGE.name)


def other_path(rt: Installed) -> None:
    rt.path.insert(0, str(rt.folder / "two"))


def replaced_package(rt: Installed) -> None:
    shutil.rmtree(rt.folder / "one")
    (rt.folder / "two").rename(rt.folder / "one")


def customised(rt: Installed) -> None:
    (rt.folder / "early").mkdir(exist_ok=True)
    (rt.folder / "early/sitecustomize.py").write_text("import rt_supervisor\nrt_supervisor.__version__ = 'custom'\n")


def cut_short(rt: Installed) -> None:
    for image in rt.images():
        image.write_bytes(image.read_bytes()[:-9])


def emptied(rt: Installed) -> None:
    for image in rt.images():
        image.write_bytes(b"")


def open_to_others(rt: Installed) -> None:
    rt.write("one", "changed")
    for image in rt.images():
        image.chmod(0o666)


def with_link_in_its_place(rt: Installed) -> None:
    for image in rt.images():
        image.rename(image.with_suffix(".real"))
        image.symlink_to(image.with_suffix(".real"))


CHANGES: tuple[Callable[[Installed], None], ...] = (
    other_version,
    earlier_package,
    other_path,
    replaced_package,
    customised,
    cut_short,
    emptied,
    open_to_others,
    with_link_in_its_place,
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_change_is_seen(tmp_path: Path, change: Callable[[Installed], None]) -> None:
    rt = Installed(tmp_path / "home")
    rt.await_image()
    assert rt.says() == "one\n"
    change(rt)
    assert rt.says() == rt.says("rt-plain") == rt.says(RT_NO_START_CACHE="1")


MODULES = sorted(
    str(path.relative_to(PACKAGE))
    for room in ("cli", "vocabulary", "settings")
    for path in (PACKAGE / room).glob("*.py")
    if not path.name.startswith("image")  # a process without an image reads these at its end
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("image") / "home")


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.sampled_from(MODULES))
def test_any_changed_module_is_read_again(installed: Installed, place: str) -> None:
    rt = installed
    rt.await_image()
    module = rt.folder / "one" / PACKAGE.name / place
    text = module.read_text()
    module.write_text(f"{text}\nimport os\nos.write(1, b'read anew\\n')\n")
    try:
        assert rt.says() == rt.says("rt-plain"), place
    finally:
        module.write_text(text)
        for image in rt.images():
            image.unlink()


def test_it_is_started_from_the_image(box: Box) -> None:
    wait_until(lambda: box.run("-p", LINE).stdout == b"1\n", "rt is started from an image")
    assert box.run("-p", LINE, environment={"RT_NO_START_CACHE": "1"}).stdout == b"0\n"
    (image,) = (box.cache / "rt/images").iterdir()
    assert stat.S_IMODE(image.stat().st_mode) == 0o600


@pytest.mark.parametrize("preload", ["", "libm.so.6", "libm.so.6 libc.so.6"])
def test_the_environment_is_what_was_given(box: Box, preload: str) -> None:
    """V8 is started by a variable that neither the program nor its children see."""
    more = {"AAA": "1", "ZZZ": "2"} | ({"LD_PRELOAD": preload} if preload else {}) | {"LAST": "3"}
    code = (
        "const own = Object.entries(process.env);"
        "const child = require('child_process').execFileSync('env', {encoding: 'utf8'});"
        "console.log(JSON.stringify([own, child]))"
    )
    wait_until(lambda: box.run("-p", LINE, environment=more).stdout == b"1\n", "rt is started from an image")
    found = json.loads(box.run("-e", code, environment=more).stdout)
    without = json.loads(box.run("-e", code, environment={**more, "RT_NO_START_CACHE": "1"}).stdout)
    without[0] = [[name, value] for name, value in without[0] if name != "RT_NO_START_CACHE"]
    without[1] = without[1].replace("RT_NO_START_CACHE=1\n", "")
    assert found == without


def test_programs_with_their_own_v8_flags_start_v8_late(box: Box) -> None:
    """--smol starts V8 with other flags, so the launcher does not start it."""
    wait_until(lambda: box.run("-p", LINE).stdout == b"1\n", "rt is started from an image")
    code = "console.log(process.execArgv.includes('--smol'), 1 + 1)"
    assert box.run("--smol", "-e", code).stdout.endswith(b"2\n")
    box.write({"a.js": code})
    assert box.run("--smol", "a.js").stdout.endswith(b"2\n")


def test_without_files_of_v8_the_program_runs(box: Box) -> None:
    """The image's files of V8 may be missing: the ordinary start recreates them."""
    wait_until(lambda: box.run("-p", LINE).stdout == b"1\n", "rt is started from an image")
    shutil.rmtree(box.cache / "rt/v8")
    done = box.run("-p", "6 * 7")
    assert (done.stdout, done.stderr, done.returncode) == (b"42\n", b"", 0)
