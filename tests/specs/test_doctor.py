"""`rt doctor` in environments that lack something: the real rt, with its own limits and variables."""

from __future__ import annotations

import os
import resource
import subprocess
from pathlib import Path

import pytest
from rig import executable


def run_doctor(
    environment: dict[str, str] | None = None, *, open_files: int | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `rt doctor`, with `environment` over this process's and a limit on open files."""

    def limit() -> None:
        if open_files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))

    return subprocess.run(
        [executable(), "doctor"],
        env={**os.environ, **(environment or {})},
        preexec_fn=limit,
        capture_output=True,
        text=True,
    )


def test_every_check_is_reported() -> None:
    done = run_doctor({"PATH": f"{Path(executable()).parent}:{os.environ['PATH']}"})
    assert (done.returncode, done.stderr) == (0, "")
    for subject in (
        "rt 0.",
        "rt on PATH",
        "native libraries",
        "open files",
        "processes",
        "/proc",
        "scripts run in",
        "locale",
    ):
        assert f" {subject}" in done.stdout, subject


def test_another_rt_on_path_is_reported(tmp_path: Path) -> None:
    other = tmp_path / "rt"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    done = run_doctor({"PATH": f"{tmp_path}:/usr/bin:/bin"})
    assert f"warning  rt on PATH is another one: {other}\n" in done.stdout
    assert done.returncode == 0


def test_a_low_limit_on_open_files_is_a_warning() -> None:
    done = run_doctor(open_files=128)
    assert "warning  at most 128 open files" in done.stdout
    assert "limits.conf" in done.stdout


@pytest.mark.parametrize(
    ("environment", "text"),
    [
        ({"TMPDIR": "/nowhere"}, "problem  the temporary folder /nowhere is not writable\n"),
        ({"PATH": "/nowhere"}, "problem  none of bash, sh, zsh is on PATH"),
    ],
)
def test_a_problem_makes_the_exit_status_1(environment: dict[str, str], text: str) -> None:
    done = run_doctor(environment)
    assert text in done.stdout
    assert done.returncode == 1


def test_an_encoding_that_is_not_utf8_is_a_warning() -> None:
    assert "warning  the locale de_DE.ISO-8859-1 is not UTF-8" in run_doctor({"LC_ALL": "de_DE.ISO-8859-1"}).stdout
