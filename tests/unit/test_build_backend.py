"""The build's progress report and its check of prerequisites (`packaging/`)."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from rig import executable

PACKAGING = Path(__file__).parents[2] / "packaging"


def load(name: str) -> ModuleType:
    """Import a module of `packaging/`, which is not a package."""
    spec = importlib.util.spec_from_file_location(f"packaging_{name}", PACKAGING / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look their module up
    spec.loader.exec_module(module)
    return module


progress = load("progress")
prerequisites = load("prerequisites")


def test_a_status_line_of_cargo_becomes_a_report() -> None:
    state = progress.Progress(started_s=100.0)
    state.begin(progress.LIBRARIES)
    assert state.describe(110.0) is None
    assert state.read_status(progress.LIBRARIES, b"    Building [=====>     ] 45/172: openssl-sys(build), libc...")
    assert state.describe(180.0).startswith(
        "rt build: SQLite, RT.color and OpenSSL: 45 of 172 crates, compiling openssl-sys(build); 1:20 so far, about "
    )


def test_runs_that_overlap_share_a_line() -> None:
    state = progress.Progress(started_s=0.0)
    for title in (progress.LIBRARIES, progress.HOST):
        state.begin(title)
        state.read_status(title, b"    Building [==========> ] 71/172: rt_native")
    assert state.describe(60.0).startswith(
        "rt build: the engine's host: 71 of 172 crates, compiling and linking rt_native; SQLite, RT.color and OpenSSL: 71 of 172 crates; 1:00 so far"
    )
    state.end(progress.HOST)
    assert "host" not in state.describe(60.0)
    state.end(progress.LIBRARIES)
    assert state.describe(60.0) is None


def test_the_estimate_shrinks_as_runs_complete() -> None:
    state = progress.Progress(started_s=0.0)
    state.begin(progress.HOST)
    state.read_status(progress.HOST, b"Building [=>] 5/10: oxc_ast")
    early = state.describe(100.0)
    state.end(progress.HOST)
    state.begin(progress.LIBRARIES)
    state.read_status(progress.LIBRARIES, b"Building [=>] 9/10: rt_sqlite")
    assert early.split("about ")[1] > state.describe(100.0).split("about ")[1]


def test_the_estimate_covers_only_the_runs_of_the_build() -> None:
    state = progress.Progress(0.0, [progress.HOST])
    state.begin(progress.HOST)
    state.read_status(progress.HOST, b"Building [=>] 172/172: rt_native")
    last = progress.WEIGHTS[progress.HOST].last
    remaining = 100 / (1 - last) - 100
    assert state.describe(100.0).endswith(f"about {int(remaining) // 60}:{int(remaining) % 60:02d} left")


def test_other_lines_are_not_status_lines() -> None:
    state = progress.Progress(started_s=0.0)
    assert not state.read_status(progress.HOST, b"   Compiling libc v0.2.191")
    assert not state.read_status(progress.HOST, b"warning: Building [x")


def test_the_weights_are_fractions() -> None:
    assert sum(weight.work for weight in progress.WEIGHTS.values()) == pytest.approx(1.0)
    assert all(0 < weight.last < 1 for weight in progress.WEIGHTS.values())


# A process prints an ordinary line and a status, and waits; the reports follow while it does.
PROCESS = """printf "   Compiling a\\n  Building [=>] 1/2: a\\r" >&2; read line; printf last >&2; exit 3"""
PROGRAM = f"""
import os, subprocess, sys
sys.path.insert(0, sys.argv[1])
import progress
command = ["sh", "-c", {PROCESS!r}]
with progress.Progress(0.0) as state:
    if sys.argv[2] == "run":
        status = state.run(progress.LIBRARIES, command, "/", os.environ, niceness=1)
    else:
        with state.watch(progress.LIBRARIES):
            status = subprocess.run(command).returncode
assert status == 3
os.write(2, b" end")
"""


def test_a_build_of_low_priority_raises_none() -> None:
    program = """
import os, sys
sys.path.insert(0, sys.argv[1])
import progress
os.nice(3)
with progress.Progress(0.0) as state:
    state.run(progress.LIBRARIES, ["sh", "-c", "sleep 0.1; nice >&2"], "/", os.environ, niceness=1)
"""
    done = subprocess.run([sys.executable, "-c", program, str(PACKAGING)], stderr=subprocess.PIPE, text=True)
    assert int(done.stderr) == os.getpriority(os.PRIO_PROCESS, 0) + 3


def test_the_errors_of_a_build_are_kept() -> None:
    program = """
import os, sys
sys.path.insert(0, sys.argv[1])
import progress
with progress.Progress(0.0) as state:
    state.run(progress.LIBRARIES, ["sh", "-c", "echo Compiling >&2; echo error: no such file >&2; echo error[E1]: b >&2"], "/", os.environ)
print(state.find_errors(progress.LIBRARIES))
"""
    done = subprocess.run([sys.executable, "-c", program, str(PACKAGING)], capture_output=True, text=True)
    assert done.stdout == "error: no such file\nerror[E1]: b\n"


@pytest.mark.parametrize("method", ["run", "watch"])
def test_the_output_of_a_process_passes_through_between_reports(method: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(PACKAGING), method],
        env={**os.environ, "RT_BUILD_PROGRESS_S": "0.01"},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin and process.stderr
    assert process.stderr.readline() == "   Compiling a\n"
    report = "rt build: SQLite, RT.color and OpenSSL: 1 of 2 crates, compiling a; "
    for _ in range(2):  # a crate that compiles for long is reported again
        assert process.stderr.readline().startswith(report)
    _, rest = process.communicate("\n")
    *reports, last, end = rest.splitlines()
    assert all(each.startswith(report) for each in reports)
    assert (last, end, process.returncode) == ("last", " end", 0)


def test_the_package_has_a_program_of_its_own_name(tmp_path: Path) -> None:
    """Tools link it into another folder, as `uv tool install` does."""
    tools, installed = tmp_path / "tools", tmp_path / "bin"
    tools.mkdir()
    installed.mkdir()
    shutil.copy(PACKAGING / "data/scripts/rt-supervisor", tools)
    (tools / "rt").symlink_to(executable())
    (installed / "rt-supervisor").symlink_to(tools / "rt-supervisor")
    done = subprocess.run([installed / "rt-supervisor", "-p", "1 + 1"], capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("2\n", "", 0)


def run_check(path: Path, *, also: str = "") -> list[str]:
    """Check with a PATH of `path` and `also`; return the lines of the report."""
    command = [sys.executable, str(PACKAGING / "prerequisites.py"), str(path)]
    done = subprocess.run(command, env={"PATH": f"{path}{also}"}, capture_output=True, text=True)
    assert done.returncode == (1 if done.stderr else 0)
    return done.stderr.splitlines()


def write_tools(folder: Path, **tools: str) -> None:
    """Write stand-ins: shell commands by the name of the tool."""
    for name, text in tools.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)


def link_tools(folder: Path, *missing: str) -> None:
    """Link the tools that a build needs, without some, and what they start."""
    for name in ("cc", "ld", "ar", "make", "perl", "as", "cargo", "rustc"):
        found = shutil.which(name)
        assert found, name
        if name not in missing:
            (folder / name).symlink_to(found)


def test_everything_that_is_missing_is_reported_at_once(tmp_path: Path) -> None:
    packages, rust = run_check(tmp_path)
    for word in ("cc (", "ld (", "make (", "perl ("):
        assert word in packages
    assert packages.startswith("rt cannot be built: missing ")
    assert packages.endswith(": apt install build-essential binutils perl")
    assert "cargo (Rust 1." in rust and "rustup" in rust


@pytest.mark.parametrize(
    ("name", "package"),
    [("cc", "build-essential"), ("ld", "binutils"), ("ar", "binutils"), ("make", "build-essential"), ("perl", "perl")],
)
def test_a_missing_tool_is_one_line_with_its_package(tmp_path: Path, name: str, package: str) -> None:
    link_tools(tmp_path, name)
    (line,) = [line for line in run_check(tmp_path) if "apt install" in line]
    assert line.startswith(f"rt cannot be built: missing {name} (")
    assert line.endswith(f": apt install {package}")


def test_nothing_is_reported_when_every_tool_works(tmp_path: Path) -> None:
    assert run_check(tmp_path, also=f":{os.environ['PATH']}") == []


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            "error: unrecognized command line option '-std=gnu11'",
            "C11 (cc is version 4.6.3): apt install build-essential",
        ),
        ("fatal error: stdio.h: No such file or directory", "of the C library: apt install libc6-dev"),
        ("/usr/bin/ld: cannot find crt1.o: No such file", "of the C library: apt install libc6-dev"),
        ("cc1: out of memory", "work (cc1: out of memory): apt install build-essential"),
    ],
)
def test_a_compiler_that_cannot_make_programs_is_reported(tmp_path: Path, error: str, expected: str) -> None:
    write_tools(tmp_path, cc=f'case $1 in -dump*) echo 4.6.3;; *) cat >/dev/null; echo "{error}" >&2; exit 1;; esac')
    (line,) = run_check(tmp_path, also=f":{os.environ['PATH']}")
    assert line.startswith("rt cannot be built: missing ")
    assert line.endswith(expected)


def test_a_rust_compiler_that_is_too_old_is_reported(tmp_path: Path) -> None:
    write_tools(tmp_path, cargo="", rustc="echo rustc 1.70.0")
    (line,) = run_check(tmp_path, also=f":{os.environ['PATH']}")
    assert "missing Rust 1." in line and "(found 1.70): rustup toolchain install 1." in line


def test_a_development_build_checks_before_it_starts(tmp_path: Path) -> None:
    write_tools(tmp_path, cargo="", rustc="echo rustc 1.70.0")
    done = subprocess.run(
        [sys.executable, str(PACKAGING.parent / "scripts" / "build"), "debug"],
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1 and "(found 1.70)" in done.stderr
