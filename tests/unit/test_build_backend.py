"""The build's progress report and its check of prerequisites (`packaging/`)."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

PACKAGING = Path(__file__).parents[2] / "packaging"


def load(name: str) -> ModuleType:
    """Import a module of `packaging/`, which is not a package."""
    spec = importlib.util.spec_from_file_location(f"packaging_{name}", PACKAGING / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


progress = load("progress")
prerequisites = load("prerequisites")


def test_a_status_line_of_cargo_becomes_a_report() -> None:
    state = progress.Progress(started_s=100.0)
    state.begin_next()
    assert state.read_status(b"    Building [=====>     ] 45/172: openssl-sys(build), libc...")
    assert state.describe(180.0).startswith(
        "rt build: OpenSSL and node:crypto: 45 of 172 crates, compiling openssl-sys(build); 1:20 so far, about "
    )


def test_the_last_crate_is_also_linked() -> None:
    state = progress.Progress(started_s=0.0)
    for _ in progress.RUNS:
        state.begin_next()
    state.read_status(b"    Building [==========> ] 171/172: rt_native")
    assert "the engine's host: 171 of 172 crates, compiling and linking rt_native; " in state.describe(60.0)


def test_the_estimate_shrinks_as_runs_complete() -> None:
    state = progress.Progress(started_s=0.0)
    state.begin_next()
    state.begin_next()
    state.read_status(b"Building [=>] 5/10: libsqlite3-sys")
    early = state.describe(100.0)
    state.begin_next()
    state.read_status(b"Building [=>] 9/10: rt")
    assert early.split("about ")[1] > state.describe(100.0).split("about ")[1]


def test_other_lines_are_not_status_lines() -> None:
    state = progress.Progress(started_s=0.0)
    assert not state.read_status(b"   Compiling libc v0.2.191")
    assert not state.read_status(b"warning: Building [x")


def test_the_shares_of_the_runs_are_a_whole() -> None:
    assert sum(share for _, share in progress.RUNS) == pytest.approx(1.0)


def test_ordinary_output_passes_through() -> None:
    """A real process writes to the stderr that `watch` replaces; the report follows when the interval has passed."""
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import subprocess, progress\n"
        "with progress.Progress(0.0).watch():\n"
        "    subprocess.run(['sh', '-c', 'printf \"   Compiling a\\\\n  Building [=>] 1/2: a\\\\rlast\" >&2'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(PACKAGING)],
        env={**os.environ, "RT_BUILD_PROGRESS_S": "0"},
        capture_output=True,
        text=True,
    )
    compiling, reported, last = done.stderr.splitlines()
    assert (compiling, last) == ("   Compiling a", "last")
    assert reported.startswith("rt build: OpenSSL and node:crypto: 1 of 2 crates, compiling a; ")


def test_everything_that_is_missing_is_reported_at_once(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(PACKAGING / "prerequisites.py"), str(tmp_path)],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    for word in ("  cc (", "  make (", "  perl (", "  cargo (Rust 1.", "  apt install build-essential perl\n"):
        assert word in done.stderr


def test_a_compiler_that_is_too_old_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (("cargo", ""), ("rustc", "echo rustc 1.70.0")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    missing = dict(prerequisites.missing_parts(tmp_path, with_environment=False))
    (problem,) = [part for part in missing if part.startswith("Rust")]
    assert problem.endswith("(found 1.70)")
    assert missing[problem].startswith("rustup toolchain install 1.")
