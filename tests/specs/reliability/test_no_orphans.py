"""`--no-orphans`: rt and its scripts end when rt's own parent is killed; without it they go on."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest
from rig import Box, executable, wait_until

STAYS = "echo $$ > pid; exec sleep 1000"
FORMS = {
    "a script": ["run", "stays"],
    "several scripts": ["run", "--sequential", "stays"],
    "a filter": ["run", "--filter", "app", "stays"],
    "a program": ["stays.cjs"],
    "evaluated code": ["-e", "require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000)"],
    "a watched script": ["--watch", "run", "stays"],
}


def start_below_a_parent(box: Box, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a shell that starts rt and waits for it; return the shell once the script runs."""
    box.scripts(stays=STAYS)
    box.write({"stays.cjs": "require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000);"})
    parent = subprocess.Popen(
        ["sh", "-c", '"$@"; true', "sh", executable(), *arguments],
        cwd=box.folder,
        env=box.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    box.started.append(parent)
    wait_until(lambda: (box.folder / "pid").exists() and (box.folder / "pid").read_text().strip(), "the script")
    return parent


@pytest.mark.parametrize("form", FORMS)
def test_rt_ends_when_its_parent_is_killed(box: Box, form: str) -> None:
    parent = start_below_a_parent(box, "--no-orphans", *FORMS[form])
    parent.kill()
    parent.wait()
    box.await_nothing_left()


def test_the_config_sets_it(box: Box) -> None:
    box.write({"rtfig.toml": "[run]\nnoOrphans = true\n"})
    parent = start_below_a_parent(box, "run", "stays")
    parent.kill()
    parent.wait()
    box.await_nothing_left()


def test_without_the_flag_rt_goes_on(box: Box) -> None:
    parent = start_below_a_parent(box, "run", "stays")
    parent.kill()
    parent.wait()
    script = int((box.folder / "pid").read_text())
    os.kill(script, 0)
    os.kill(script, signal.SIGKILL)
    box.await_nothing_left()
