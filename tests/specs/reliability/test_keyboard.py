r"""A user at the terminal: typing to a script, Ctrl-C, Ctrl-\ and Ctrl-Z, for plain and for parallel runs."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from rig import Box, executable, wait_until
from screens import Session

COUNT = "trap 'echo got >> count.$$; echo reported' INT; touch ready.$$; until [ -e count.$$ ]; do sleep 0.01; done; sleep 0.2"


def counts(box: Box) -> list[str]:
    return [path.read_text() for path in box.folder.glob("count.[0-9]*")]


def test_a_script_reads_what_is_typed(box: Box) -> None:
    box.scripts(ask="read -p 'name? ' name; echo hello $name")
    session = Session(box, "run", "ask")
    session.read_until("name? ")
    session.type("Ada\r")
    session.read_until("hello Ada")
    assert session.finish() == 0


def test_a_script_has_a_terminal(box: Box) -> None:
    box.scripts(look="[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && stty size < /dev/tty")
    session = Session(box, "run", "look", rows=33, columns=99)
    assert session.finish() == 0
    assert "33 99" in session.lines


def test_ctrl_c_reaches_a_script_once(box: Box) -> None:
    box.write({"count.sh": COUNT + "; echo over; exit 5"})
    box.scripts(a="bash count.sh")
    session = Session(box, "run", "a")
    box.await_file("ready.*")
    session.type("\x03")
    session.read_until("over")
    assert session.finish() == 5
    assert counts(box) == ["got\n"]
    box.await_nothing_left()


def test_ctrl_c_ends_a_script_and_rt_as_it(box: Box) -> None:
    # `touch` is avoided: bash continues after a Ctrl-C received while it waited for a program, unless the program
    # died of it.
    box.scripts(a=": > ready; exec sleep 1000", b="touch never", posta="touch never")
    session = Session(box, "run", "a")
    box.await_file("ready")
    session.type("\x03")
    assert session.finish() == -signal.SIGINT
    assert not (box.folder / "never").exists()
    assert "error" not in "\n".join(session.lines)
    box.await_nothing_left()


def test_ctrl_backslash_ends_a_script(box: Box) -> None:
    # A shell ignores SIGQUIT, so the program that replaces it reports that it is ready.
    program = "import time; open('ready', 'w').close(); time.sleep(1000)"
    box.scripts(a=f'ulimit -c 0; exec python3 -c "{program}"')
    session = Session(box, "run", "a")
    box.await_file("ready")
    session.type("\x1c")
    assert session.finish() == -signal.SIGQUIT
    box.await_nothing_left()


def test_two_ctrl_c_end_a_script_that_ignores_signals(box: Box) -> None:
    box.write(
        {
            "deaf.sh": "trap 'touch reported.$(ls reported.* 2>/dev/null | wc -l)' INT TERM; touch ready; while :; do sleep 0.01; done"
        }
    )
    box.scripts(a="bash deaf.sh")
    session = Session(box, "run", "a")
    box.await_file("ready")
    session.type("\x03")
    box.await_file("reported.0")
    session.type("\x03")
    session.finish()
    box.await_nothing_left()


def test_ctrl_c_reaches_each_parallel_script_once(box: Box) -> None:
    box.write({"count.sh": COUNT})
    box.scripts(a="bash count.sh", b="bash count.sh")
    session = Session(box, "run", "--parallel", "a", "b")
    box.await_file("ready.*", 2)
    session.type("\x03")
    assert session.finish() == -signal.SIGINT
    assert counts(box) == ["got\n", "got\n"]
    box.await_nothing_left()


@pytest.mark.parametrize("arguments", ["run a", "run --parallel a b"], ids=["plain", "parallel"])
def test_ctrl_z_stops_and_fg_goes_on(box: Box, arguments: str) -> None:
    """In a shell with job control. Scripts in separate process groups continue while rt is stopped, and their output
    appears afterwards.
    """
    work = "touch ready.$$; until [ -e go ]; do sleep 0.01; done; echo done-$((40 + 2))"
    box.scripts(a=work, b=work)
    session = Session(box, "--norc", "--noediting", "-i", program="/bin/bash", PS1="prompt> ")
    session.read_until("prompt> ")
    session.type(f"{executable()} {arguments}\r")
    box.await_file("ready.*")
    session.type("\x1a")
    session.read_until("Stopped")
    session.read_until("prompt> ")
    if arguments == "run a":
        wait_until(lambda: is_stopped(box, "until [ -e go ]"), "the script is stopped too")
    session.type("touch go; fg; echo status=$?\r")
    session.read_until("done-42")
    session.read_until("status=0")
    session.type("exit\r")
    assert session.finish() == 0
    box.await_nothing_left()


def is_stopped(box: Box, words: str) -> bool:
    """Return whether every process of the box with `words` in its command line is stopped."""
    states = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and words.encode() in (entry / "cmdline").read_bytes():
                states.append((entry / "stat").read_text().rpartition(")")[2].split()[0])
        except OSError:
            continue
    return bool(states) and set(states) == {"T"}
