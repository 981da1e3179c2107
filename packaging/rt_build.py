"""The PEP 517 build backend: maturin, which builds one native module, plus the other libraries and the launcher.

`packaging/data/scripts/rt` is the launcher (native/launcher). `rt-plain` beside it is the Python script that the launcher executes when it has
no cached start; if the launcher cannot be built, that script is installed under both names. `rt-supervisor` is the name for tools that
start the program that is called like its package.
`rt_supervisor/librt_crypto.so` (native/crypto, which contains OpenSSL) and `rt_supervisor/librt_sqlite.so` (native/sqlite) are
built into the package folder, where wheels and editable installs include them (`include` in pyproject.toml). A wheel also
contains the pages of `docs/`, for `rt help TOPIC`, and the manual page below `packaging/data/data`. The source distribution
contains sources only.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
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
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from prerequisites import missing_parts, report
from progress import Progress
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
# cargo package, file that it builds, file name in the Python package
LIBRARIES = (("rt_crypto", "librt_crypto.so", "librt_crypto.so"), ("rt_sqlite", "librt_sqlite.so", "librt_sqlite.so"))


def target_folder() -> Path:
    return Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")


def start_build() -> Progress:
    """Check what the build requires, and make cargo print its progress. Raises SystemExit if something is missing."""
    missing = missing_parts(target_folder(), with_environment=False)
    if missing:
        raise SystemExit(report(missing))
    if (ROOT / "PKG-INFO").exists():
        touch_sources()
    os.environ.update(CARGO_TERM_PROGRESS_WHEN="always", CARGO_TERM_PROGRESS_WIDTH="120")
    return Progress(time.monotonic())


def touch_sources() -> None:
    """Give the sources of an unpacked source distribution the present time.

    They have the same old time in every version, which cargo would take for unchanged in a target folder with the crates of another one.
    """
    for source in (ROOT / "native").rglob("*"):
        if source.is_file():
            os.utime(source)


def build_libraries(progress: Progress) -> None:
    """Build the libraries that are loaded on demand, and copy them into the package.

    With an empty cargo target folder, OpenSSL takes several minutes and SQLite one.
    """
    environment = dict(os.environ, PYO3_PYTHON=sys.executable)
    target = target_folder()
    for package, made, name in LIBRARIES:  # separately: cargo would unify the features of their dependencies
        command = ["cargo", "build", "--release", "--package", package, "--target-dir", str(target)]
        with progress.watch():
            subprocess.run(command, cwd=ROOT, env=environment, check=True)
        place = ROOT / "rt_supervisor" / name
        fresh = place.with_suffix(".so.new")
        fresh.write_bytes((target / "release" / made).read_bytes())
        fresh.chmod(0o755)
        fresh.replace(place)  # a running rt keeps the old file


def build_launcher(progress: Progress) -> None:
    """Build the command `rt`, statically linked if possible: that halves its start-up time."""
    target = target_folder()
    command = ["cargo", "rustc", "--release", "--package", "rt_launcher", "--bin", "rt", "--target-dir", str(target)]
    with progress.watch():
        done = subprocess.run([*command, "--", "-C", "target-feature=+crt-static"], cwd=ROOT)
        if done.returncode != 0:  # there is no static C library
            done = subprocess.run(command, cwd=ROOT)
    made = target / "release" / "rt" if done.returncode == 0 else SCRIPTS / "rt-plain"
    fresh = SCRIPTS / "rt.new"
    fresh.write_bytes(made.read_bytes())
    fresh.chmod(0o755)
    fresh.replace(SCRIPTS / "rt")


def copy_documentation() -> None:
    """Copy the pages of `docs/` into the package."""
    shutil.rmtree(DOCUMENTATION, ignore_errors=True)
    DOCUMENTATION.mkdir()
    for page in (ROOT / "docs").glob("*.md"):
        shutil.copy(page, DOCUMENTATION)


def build_wheel(directory: str, settings: dict[str, Any] | None = None, metadata: str | None = None) -> str:
    progress = start_build()
    build_libraries(progress)
    build_launcher(progress)
    copy_documentation()
    try:
        with progress.watch():
            return str(_build_wheel(directory, settings, metadata))
    finally:
        shutil.rmtree(DOCUMENTATION)  # a checkout reads docs/ itself


def build_sdist(directory: str, settings: dict[str, Any] | None = None) -> str:
    made = str(_build_sdist(directory, settings))
    keep_workspace(Path(directory) / made, ROOT)
    return made


def build_editable(directory: str, settings: dict[str, Any] | None = None, metadata: str | None = None) -> str:
    progress = start_build()
    build_libraries(progress)
    build_launcher(progress)
    with progress.watch():
        return str(_build_editable(directory, settings, metadata))
