"""--watch of a package.json script: what rt says when it restarts the script."""

from __future__ import annotations

import signal

import pytest
from rig import Box, wait_until
from watching import Watching, save


@pytest.mark.parametrize("kill_signal", [None, "SIGHUP"])
def test_a_restart_prints_no_error(box: Box, kill_signal: str | None) -> None:
    box.scripts(dev="echo begun; exec sleep 1000")
    box.write({"a.txt": "1"})
    flags = [] if kill_signal is None else [f"--watch-kill-signal={kill_signal}"]
    watching = Watching(box, "--watch", *flags, "run", "dev")
    watching.read_until("begun\n")
    save(box, "a.txt", "2")
    assert watching.read_until("begun\n") == "rt: restarted: a.txt changed\n$ echo begun; exec sleep 1000\n"
    assert watching.end() == -signal.SIGTERM


def test_a_script_that_dies_of_another_signal_is_reported(box: Box) -> None:
    box.scripts(dev="kill -KILL $$")
    watching = Watching(box, "--watch", "run", "dev")
    said = watching.read_until("waiting for changes\n")
    assert 'error: script "dev" was terminated by signal SIGKILL (Forced quit)\n' in said
    watching.end()


def test_the_script_does_not_see_the_signal(box: Box) -> None:
    box.scripts(dev="env | grep -c '^_RT_WATCH'; exec sleep 1000")
    watching = Watching(box, "--watch", "run", "dev")
    watching.read_until("\n0\n")
    watching.end()


def test_the_files_that_rt_prints_to_are_not_followed(box: Box) -> None:
    """Otherwise what a script prints restarts it again and again."""
    box.scripts(dev="echo begun; echo more >&2; exec sleep 1000")
    box.write({"a.txt": "1"})
    out, err = box.folder / "printed", box.folder / "problems"
    with out.open("wb") as stdout, err.open("wb") as stderr:
        program = box.start("--watch", "run", "dev", stdout=stdout, stderr=stderr)
    for generation in (1, 2, 3):
        wait_until(lambda wanted=generation: out.read_text().count("begun\n") >= wanted, f"generation {generation}")
        save(box, "a.txt", f"{generation} saved")
    wait_until(lambda: out.read_text().count("begun\n") >= 4, "the last generation")
    program.terminate()
    program.wait()
    assert out.read_text() == "begun\n" * 4
    assert err.read_text().count("rt: restarted: a.txt changed\n") == 3
