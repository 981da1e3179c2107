"""`outputLogs`: what is printed of tasks that run, fail or come from the cache."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rig import Box

WORK = "echo work'ing'; echo on stderr >&2"  # commands are shown too
TOML = '[tasks.build]\ninputs = []\noutputs = []\noutputLogs = "{mode}"\n'


def files(mode: str, build: str, toml: str = "") -> dict[str, Any]:
    scripts = {"prebuild": "echo before", "build": build}
    return {"package.json": {"name": "app", "scripts": scripts}, "rtfig.toml": TOML.format(mode=mode) + toml}


OUTPUT = ["app prebuild: before", "app build: working", "app build: on stderr"]


@pytest.mark.parametrize(
    ("mode", "live", "cached", "failed"),
    [
        ("full", True, True, True),
        ("new-only", True, False, True),
        ("errors-only", False, False, True),
        ("hash-only", False, False, False),
        ("none", False, False, False),
    ],
)
def test_what_is_printed(box: Box, mode: str, live: bool, cached: bool, failed: bool) -> None:
    box.write(files(mode, WORK))
    for is_shown in (live, cached):
        lines = box.run("run", "--tasks", "build").stdout.decode().splitlines()
        assert (OUTPUT[1] in lines, OUTPUT[2] in lines, OUTPUT[0] in lines) == (is_shown,) * 3
    assert lines[-1].startswith("app build: cached, saved")
    box.write(files(mode, f"{WORK}; exit 3"))
    result = box.run("run", "--tasks", "build")
    lines = result.stdout.decode().splitlines()
    assert result.returncode == 3
    assert (OUTPUT[1] in lines, OUTPUT[2] in lines, OUTPUT[0] in lines) == (failed,) * 3
    assert lines[-1] == "app build: Exited with code 3"
    if failed:
        assert lines.index(OUTPUT[0]) < lines.index(OUTPUT[1]) < lines.index(OUTPUT[2])


@pytest.mark.parametrize("output", ["grouped", "json", "raw"])
def test_every_display(box: Box, output: str) -> None:
    for mode, code, is_shown in (("errors-only", 0, False), ("errors-only", 3, True), ("none", 3, False)):
        box.write(files(mode, f"{WORK}; exit {code}"))
        result = box.run("run", "--tasks", "--output", output, "build")
        assert result.returncode == code
        assert (result.stdout + result.stderr).count(b"working") == is_shown, result
        if output == "json" and is_shown:
            texts = [event["text"] for event in map(json.loads, result.stdout.splitlines()) if "text" in event]
            assert sorted(texts) == ["before", "on stderr", "working"]


def test_only_the_output_of_the_attempt_that_failed(box: Box) -> None:
    build = "echo x >> tries; echo try $(wc -l < tries); test $(wc -l < tries) -ge 3"
    box.write(files("errors-only", build, "retries = 2\n"))
    lines = box.run("run", "--tasks", "build").stdout.decode().splitlines()
    assert [line for line in lines if ": try" in line] == ["app build: try 1", "app build (attempt 2): try 2"]


def test_a_task_whose_time_is_over_shows_its_output(box: Box) -> None:
    box.write(files("errors-only", f"{WORK}; sleep 600", 'timeout = "500ms"\n'))
    result = box.run("run", "--tasks", "build")
    assert result.returncode == 1
    assert b"app build: working\n" in result.stdout


def test_the_stored_output_is_complete(box: Box) -> None:
    """The mode is not part of the key."""
    box.write(files("none", WORK))
    assert b"working" not in box.run("run", "--tasks", "build").stdout
    box.write(files("full", WORK))
    lines = box.run("run", "--tasks", "build").stdout.decode().splitlines()
    assert [line for line in lines if line in OUTPUT] == OUTPUT and lines[-1].startswith("app build: cached")
