"""The PEP 517 build backend: maturin, which builds one native module, plus the other libraries and the launcher.

`packaging/data/scripts/rt` is the launcher (native/launcher). `rt-plain` beside it is the Python script that the launcher executes when it has
no cached start; if the launcher cannot be built, that script is installed under both names. `rt-supervisor` is the name for tools that
start the program that is called like its package.
`rt_supervisor/librt_crypto.so` (native/crypto, which contains OpenSSL), `librt_sqlite.so` (native/sqlite) and `librt_colors.so`
(native/colors) are built into the package folder, where wheels and editable installs include them (`include` in pyproject.toml). A wheel also
contains the pages of `docs/`, for `rt help TOPIC`, the manual page below `packaging/data/data`, and V8's start-up snapshot of the
JavaScript library, without which the first start would take twice as long. The source distribution contains sources only.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from maturin import (
    build_editable as _build_editable,
)
from maturin import (
    build_sdist as _build_sdist,
)
from maturin import (
    build_wheel as _build_wheel,
)
from maturin import (
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from maturin import (
    get_requires_for_build_wheel as _get_requires_for_build_wheel,
)
from prerequisites import missing_parts, report
from progress import HOST, LAUNCHER, LIBRARIES, Progress
from source_distribution import keep_workspace

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTATION = ROOT / "rt_supervisor" / "documentation"
SCRIPTS = ROOT / "packaging" / "data" / "scripts"
SNAPSHOT = ROOT / "rt_supervisor" / "engine_worker" / "start" / "library.snapshot"
# The libraries that are loaded on demand: cargo package, and file that it builds and that the Python package contains.
LIBRARY_FILES = {"rt_sqlite": "librt_sqlite.so", "rt_colors": "librt_colors.so", "rt_crypto": "librt_crypto.so"}


class BuildFailure(SystemExit):
    """A part of rt could not be built; the compiler's output has been printed."""

    def __init__(self, text: str) -> None:
        super().__init__(f"rt cannot be built: {text}")


def target_folder() -> Path:
    return Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")


def library_target() -> Path:
    """Return the target folder of the libraries, which is below that of the native module."""
    return target_folder() / "libraries"


def prepare_build() -> None:
    """Check what the build requires, and make the target folders and cargo's settings. Raises SystemExit if something is missing."""
    missing = missing_parts(target_folder(), with_environment=False)
    if missing:
        raise SystemExit(report(missing))
    if (ROOT / "PKG-INFO").exists():
        touch_sources()
    # Cargo renames a new folder to a missing target folder, which the other build may already have put its own folder into.
    library_target().mkdir(parents=True, exist_ok=True)
    os.environ.update(CARGO_TERM_PROGRESS_WHEN="always", CARGO_TERM_PROGRESS_WIDTH="120")


def touch_sources() -> None:
    """Give the sources of an unpacked source distribution the present time.

    They have the same old time in every version, which cargo would take for unchanged in a target folder with the crates of another one.
    """
    for source in (ROOT / "native").rglob("*"):
        if source.is_file():
            os.utime(source)


def build_libraries(progress: Progress) -> None:
    """Build the libraries that are loaded on demand, and copy them into the package. Raises BuildFailure.

    They have a target folder of their own, because cargo locks it, and run with low priority beside the build of the native module, whose
    last crate leaves processors idle. One cargo builds all of them, so that OpenSSL's many files fill what is left beside SQLite, which is
    one file, and beside long crates.
    """
    environment = dict(os.environ, PYO3_PYTHON=sys.executable)
    target = library_target()
    packages = [word for package in LIBRARY_FILES for word in ("--package", package)]
    command = ["cargo", "build", "--release", *packages, "--target-dir", str(target)]
    if progress.run(LIBRARIES, command, ROOT, environment, niceness=10) != 0:
        raise BuildFailure(f"cargo failed to build {LIBRARIES}\n{progress.find_errors(LIBRARIES)}".strip())
    for name in LIBRARY_FILES.values():
        replace_file(ROOT / "rt_supervisor" / name, target / "release" / name)


def build_launcher(progress: Progress) -> None:
    """Build the command `rt`, statically linked if possible: that halves its start-up time."""
    target = target_folder()
    command = ["cargo", "rustc", "--release", "--package", "rt_launcher", "--bin", "rt", "--target-dir", str(target)]
    status = progress.run(LAUNCHER, [*command, "--", "-C", "target-feature=+crt-static"], ROOT, os.environ)
    if status != 0:  # the static C library may be missing
        status = progress.run(LAUNCHER, command, ROOT, os.environ)
    replace_file(SCRIPTS / "rt", target / "release" / "rt" if status == 0 else SCRIPTS / "rt-plain")


def replace_file(place: Path, made: Path) -> None:
    """Replace the executable file `place` by the content of `made`; processes that use it keep the old content."""
    fresh = place.with_suffix(f"{place.suffix}.new")
    fresh.write_bytes(made.read_bytes())
    fresh.chmod(0o755)
    fresh.replace(place)


@contextlib.contextmanager
def build_natives(*, with_libraries: bool = True) -> Iterator[None]:
    """Build everything but the native module, for which the body calls maturin; report the progress of all. Raises BuildFailure."""
    prepare_build()
    titles = (HOST, LAUNCHER, *([LIBRARIES] if with_libraries else []))
    with Progress(time.monotonic(), titles) as progress, ThreadPoolExecutor(1) as pool:
        libraries = pool.submit(build_libraries, progress) if with_libraries else None
        try:
            build_launcher(progress)
            with progress.watch(HOST):
                yield
        except BaseException:
            progress.terminate_runs()
            raise
        if libraries:
            libraries.result()


def copy_documentation() -> None:
    """Copy the pages of `docs/` into the package."""
    shutil.rmtree(DOCUMENTATION, ignore_errors=True)
    DOCUMENTATION.mkdir()
    for page in (ROOT / "docs").glob("*.md"):
        shutil.copy(page, DOCUMENTATION)


def make_snapshot() -> None:
    """Make the start-up snapshot with the native module that has been built. Raises BuildFailure.

    This also creates V8's prepared copy in the cache of the user who builds, who is the one that uses rt after `pip install .`.
    """
    paths = [
        str(ROOT),
        os.environ.get("PYTHONPATH", ""),
    ]  # the second one leads to the requirements of an isolated build
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, paths)))
    code = "from rt_supervisor.engine_worker.start.bundle import write_packaged_snapshot; write_packaged_snapshot()"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], env=environment, stderr=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != 0:
        raise BuildFailure(f"V8 could not make the start-up snapshot:\n{done.stderr.strip()}")


def get_requires_for_build_wheel(settings: dict[str, Any] | None = None) -> list[str]:
    """Return what maturin requires, and V8, which makes the start-up snapshot."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    engine = [requirement for requirement in project["dependencies"] if requirement.startswith("mini-racer")]
    return [*_get_requires_for_build_wheel(settings), *engine]


def build_wheel(directory: str, settings: dict[str, Any] | None = None, metadata: str | None = None) -> str:
    with build_natives(), TemporaryDirectory() as unused:
        # maturin has no command that only compiles, and what it would pack may not be complete yet.
        _build_editable(unused, settings)
    try:
        make_snapshot()
        copy_documentation()
        return str(_build_wheel(directory, settings, metadata))
    finally:  # a checkout reads docs/ itself, and makes a snapshot whenever its sources change
        SNAPSHOT.unlink(missing_ok=True)
        shutil.rmtree(DOCUMENTATION, ignore_errors=True)


def build_sdist(directory: str, settings: dict[str, Any] | None = None) -> str:
    made = str(_build_sdist(directory, settings))
    keep_workspace(Path(directory) / made, ROOT)
    return made


def build_editable(directory: str, settings: dict[str, Any] | None = None, metadata: str | None = None) -> str:
    """Build an editable wheel. With the setting `libraries=later` (`pip --config-settings`), rt runs sooner, but without these libraries."""
    with build_natives(with_libraries=(settings or {}).get("libraries") != "later"):
        return str(_build_editable(directory, settings, metadata))
