"""The project's PEP 517 backend: maturin's, which builds one native module, with the others and the launcher built before.

`packaging/data/scripts/rt` is the launcher (native/start), beside `rt-plain`, the script that it becomes when it has to ask
Python. Where it cannot be built, the script is installed under both names.
`rt_supervisor/librt_crypto.so` (native/crypto, OpenSSL inside) and `rt_supervisor/librt_sqlite.so` (native/sqlite) are put into
the package, from where wheel and editable install take them (`include` in pyproject.toml). The source distribution holds sources only.
"""

from __future__ import annotations

import os
import subprocess
import sys
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
SCRIPTS = ROOT / "packaging" / "data" / "scripts"
# package of cargo, what it makes, what that is called in rt's package
LIBRARIES = (("rt_crypto", "librt_crypto.so", "librt_crypto.so"), ("rt_sqlite", "librt_sqlite.so", "librt_sqlite.so"))


def build_libraries() -> None:
    """Build the libraries that few programs need and put them into the package. OpenSSL takes minutes and SQLite one, once for
    each cargo target folder."""
    environment = dict(os.environ, PYO3_PYTHON=sys.executable)
    target = Path(environment.get("CARGO_TARGET_DIR") or ROOT / "target")
    for package, made, name in LIBRARIES:  # one by one: together their dependencies are others
        command = ["cargo", "build", "--release", "--package", package, "--target-dir", str(target)]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
        place = ROOT / "rt_supervisor" / name
        fresh = place.with_suffix(".so.new")
        fresh.write_bytes((target / "release" / made).read_bytes())
        fresh.chmod(0o755)
        fresh.replace(place)  # a running rt keeps the old file


def build_launcher() -> None:
    """Put the command `rt` beside the plain script. Without a C library inside: that halves its start."""
    target = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
    command = ["cargo", "rustc", "--release", "--package", "rt_start", "--bin", "rt", "--target-dir", str(target)]
    done = subprocess.run([*command, "--", "-C", "target-feature=+crt-static"], cwd=ROOT)
    if done.returncode != 0:  # no static C library here
        done = subprocess.run(command, cwd=ROOT)
    made = target / "release" / "rt" if done.returncode == 0 else SCRIPTS / "rt-plain"
    fresh = SCRIPTS / "rt.new"
    fresh.write_bytes(made.read_bytes())
    fresh.chmod(0o755)
    fresh.replace(SCRIPTS / "rt")


def build_wheel(directory: str, settings: dict[str, Any] | None = None, metadata: str | None = None) -> str:
    build_libraries()
    build_launcher()
    return str(_build_wheel(directory, settings, metadata))


def build_sdist(directory: str, settings: dict[str, Any] | None = None) -> str:
    made = str(_build_sdist(directory, settings))
    keep_workspace(Path(directory) / made, ROOT)
    return made


def build_editable(directory: str, settings: dict[str, Any] | None = None, metadata: str | None = None) -> str:
    build_libraries()
    build_launcher()
    return str(_build_editable(directory, settings, metadata))
