"""State that rt inherits from a careless parent: closed streams, ignored and blocked signals, a raw terminal."""

from __future__ import annotations

import os
import signal
import subprocess
import termios
from typing import Any

import pytest
from rig import Box, executable
from screens import Session


def through_shell(box: Box, text: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a line of bash in which `$RT` is rt."""
    environment = box.environment(RT=executable())
    return subprocess.run(["bash", "-c", text], cwd=box.folder, env=environment, capture_output=True, **options)


@pytest.mark.parametrize("closed", ["2>&-", ">&-", "<&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["run a", "run --parallel a a", "run --filter '*' a"])
def test_scripts_run_with_closed_streams(box: Box, closed: str, words: str) -> None:
    box.scripts(a="echo ran >> out; exit 3")
    assert through_shell(box, f"$RT {words} {closed}").returncode == 3
    assert (box.folder / "out").read_text().startswith("ran\n")


def test_programs_run_with_closed_streams(box: Box) -> None:
    program = "require('fs').writeFileSync('out', 'x'); console.log(1); console.error(2); process.exit(4)"
    box.write({"a.cjs": program})
    for closed in ("2>&-", ">&-", "<&- >&- 2>&-"):
        assert through_shell(box, f"$RT a.cjs {closed}").returncode == 4


def test_ignored_ends_of_children(box: Box) -> None:
    """An ignored SIGCHLD is inherited; children must be reaped nevertheless."""
    program = "console.log(require('child_process').execSync('echo out; exit 0').toString().trim());"
    program += "console.log(require('child_process').spawnSync('false').status)"
    box.write({"a.cjs": program})
    box.scripts(s="echo s", t="exit 3")
    for text, out, status in (
        ("$RT a.cjs", b"out\n1\n", 0),
        ("$RT run --silent s", b"s\n", 0),
        ("$RT run --silent t", b"", 3),
    ):
        ignoring = [
            "python3",
            "-c",
            "import os, signal, sys; signal.signal(17, signal.SIG_IGN); os.execvp('bash', sys.argv[1:])",
        ]
        done = subprocess.run(
            [*ignoring, "bash", "-c", text.replace("$RT", executable())],
            cwd=box.folder,
            env=box.environment(),
            capture_output=True,
        )
        assert (done.stdout, done.stderr.replace(b'error: script "t" exited with code 3\n', b""), done.returncode) == (
            out,
            b"",
            status,
        )


@pytest.mark.parametrize("words", [("a.cjs",), ("run", "s")])
def test_blocked_signals_are_let_through(box: Box, words: tuple[str, ...]) -> None:
    box.write({"a.cjs": "require('fs').writeFileSync('ready', ''); setInterval(() => {}, 1000)"})
    box.scripts(s="touch ready; sleep 1000")
    process = box.start(*words, preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32)))
    box.await_file("ready")
    process.terminate()
    process.communicate()
    assert process.returncode == -signal.SIGTERM


RAW = "process.stdin.setRawMode(true); process.stdin.resume(); console.log('raw'); setInterval(() => {}, 1000);"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("words", [("a.cjs",), ("run", "s")])
def test_the_terminal_is_restored_when_a_signal_ends_a_program(
    box: Box, number: signal.Signals, words: tuple[str, ...]
) -> None:
    box.write({"a.cjs": RAW})
    box.scripts(s="rt a.cjs")
    session = Session(box, *words)
    keeper = os.dup(session.master)
    before = termios.tcgetattr(keeper)
    session.read_until("raw")
    assert termios.tcgetattr(keeper) != before
    session.process.send_signal(number)
    assert session.finish() == -number
    assert termios.tcgetattr(keeper) == before
    os.close(keeper)


def test_a_run_puts_back_what_a_killed_script_left(box: Box) -> None:
    box.scripts(s="stty raw -echo; echo raw; kill -9 $$")
    session = Session(box, "run", "s")
    keeper = os.dup(session.master)
    before = termios.tcgetattr(keeper)
    assert session.finish() == -signal.SIGKILL
    assert termios.tcgetattr(keeper) == before
    os.close(keeper)


def test_a_run_leaves_what_a_script_set_on_purpose(box: Box) -> None:
    box.scripts(s="stty -echo")
    session = Session(box, "run", "s")
    keeper = os.dup(session.master)
    assert session.finish() == 0
    assert not termios.tcgetattr(keeper)[3] & termios.ECHO
    os.close(keeper)


@pytest.mark.parametrize("script", ["yes", "trap '' HUP TERM; yes; sleep 1000"])
def test_a_closed_pipe_beside_a_terminal(box: Box, script: str) -> None:
    """Standard error is the terminal, standard output a pipe whose reader exits: the run ends as by SIGPIPE."""
    box.scripts(y=script)
    text = f"{executable()} run --parallel y y | head -1 >/dev/null; echo status ${{PIPESTATUS[0]}}"
    session = Session(box, "-c", text, program="/bin/bash")
    session.read_until("status 141")
    session.finish()
