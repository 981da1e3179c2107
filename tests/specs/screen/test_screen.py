"""The full-screen display on a real terminal: every key, the mouse, sizes, input, and how it ends."""

from __future__ import annotations

import base64
import os
import re
import signal
import termios
import time
from pathlib import Path

import pytest
from rig import PATIENCE_S, Box, executable, wait_until
from screens import Session

PROMPT = "printf 'size %s\\n' \"$(stty size)\"; while printf 'name? ' && read -r name; do echo \"hello $name\"; done"
SERVER = """\
echo "  Local: http://localhost:$PORT/"; trap 'echo leaving; exit 0' TERM
for number in $(seq 1 60); do echo "line $number of the server"; done
while :; do sleep 0.05; done
"""
FAILING = "echo building; printf '\\033[31mERROR\\033[0m in main.ts\\n'; exit 3"


class Screen(Session):
    """rt with the full-screen display."""

    def __init__(self, box: Box, *arguments: str, **environment: str) -> None:
        super().__init__(box, *arguments, columns=100, rows=24, **{"NO_TUI": ""} | environment)

    def read_until(self, text: str) -> None:
        """Read until the screen shows `text`. The screen is redrawn as long as tasks run, so that only a deadline ends a wrong wait."""
        deadline = time.monotonic() + PATIENCE_S
        while not any(text in line for line in self.screen.display):
            assert time.monotonic() < deadline, f"{text!r} never came; the screen:\n" + "\n".join(self.screen.display)
            assert self._read(), f"{text!r} never came"

    def line(self, text: str) -> str:
        """Return the line of the screen that contains `text`."""
        return next((line for line in self.screen.display if text in line), "")

    def press(self, keys: str, shown: str) -> None:
        """Type keys, and wait until the screen shows a text."""
        self.type(keys)
        self.read_until(shown)

    def read_while(self, text: str) -> None:
        """Read until the screen does not show `text` any longer."""
        while any(text in line for line in self.screen.display):
            assert self._read()

    def resize_to(self, columns: int, rows: int) -> None:
        """Change the size of the terminal, and clear the emulated one, because rt redraws it."""
        self.columns = columns
        self.screen.resize(rows, columns)
        self.screen.erase_in_display(2)
        self.resize(columns, rows)

    def modes(self) -> list[object]:
        return termios.tcgetattr(self.master)[:4]


def services(box: Box) -> None:
    box.write(
        {
            "package.json": {"name": "root", "workspaces": ["packages/*"]},
            "packages/api/package.json": {"name": "api", "scripts": {"dev": PROMPT}},
            "packages/lib/package.json": {"name": "lib", "scripts": {"dev": FAILING}},
            "packages/web/package.json": {"name": "web", "scripts": {"dev": "PORT=5173 sh server.sh"}},
            "packages/web/server.sh": SERVER,
        }
    )


def test_every_key(box: Box) -> None:
    services(box)
    browser = box.folder / "browser.sh"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {box.folder}/opened\n')
    browser.chmod(0o755)
    screen = Screen(box, "run", "--filter", "*", "--ui=tui", "dev", BROWSER=f"{browser} %s")
    screen.read_until("name? ")
    screen.read_until("1 failed")
    assert re.match(r"● api dev +[\d.]+s │● api dev  running", screen.line("● api dev"))
    assert screen.line("✗ lib dev") and screen.line("● web dev").count(":5173") == 1

    # Input: the keyboard belongs to the task until the chord; "q" and Ctrl-C go to the task.
    screen.press("\r", "The keyboard belongs to the task")
    screen.press("quick\r", "hello quick")
    screen.press("\x1a", "r restart")

    # Moving, searching, scrolling.
    screen.press("jj", "line 60 of the server")
    assert screen.line("http://localhost:5173/").count("● web dev  running")
    screen.press("/", "/▏")
    screen.press("LINE 1", "/LINE 1▏")
    screen.press("\x7f" * 6 + "line 12 \r", "line 12 of the server")
    screen.press("\x1b[1~", "Local: http://localhost:5173/")
    screen.read_until("↑ ")
    screen.press("\x1b[6~", "line 30 of the server")
    screen.press("\x1b[5~", "line 5 of the server")
    screen.press("\x1b[4~", "line 60 of the server")
    screen.press("/absent\r", '"absent" was not found')
    screen.press("/line 2\r", "line 29 of the server")
    screen.press("N", "line 28 of the server")
    screen.press("n", "line 29 of the server")
    screen.type("\x1b[4~")

    # The list: filters, groups, the graph, help.
    screen.press("F", "[running]")
    assert not screen.line("✗ lib dev")
    screen.press("F", "[failed]")
    screen.press("F", "● web dev")
    screen.press("fap", "filter: ap▏")
    assert not screen.line("● web dev")
    screen.press("\x1b", "● web dev")
    screen.press("b", "  dev ")
    screen.press("b", "● web dev")
    screen.press("g", "Dependencies")
    screen.press("g", "r restart")
    screen.press("?", "Hand the keyboard to the task")
    screen.press("?", "r restart")

    # Errors, all output, timestamps, wrapping, clearing.
    screen.press("kkk", "hello quick")
    screen.press("e", "ERROR in main.ts")
    assert "✗ lib dev  exited with code 3" in screen.line("exited with code 3")
    screen.press("t", "timestamps on")
    screen.press("m", "all tasks")
    screen.read_until("api dev │ hello quick")
    screen.press("m", "✗ lib dev  exited with code 3")
    screen.type("ww")
    screen.type("l")
    screen.read_while("building")

    # Operations on tasks.
    screen.press("jj", "● web dev  running")
    screen.press("x", "■ web dev  stopped")
    screen.read_until("leaving")
    screen.press("\r", "the task is not running")
    screen.press("s", "● web dev  running · 1 restart")
    screen.press("r", "● web dev  running · 2 restarts")
    screen.press("R", "✗ lib dev  ")
    while "×1" not in screen.line("✗ lib dev"):
        assert screen._read()
    screen.press("p", "does not watch files")
    screen.read_until(":5173")
    screen.press("o", "opened http://localhost:5173/")
    wait_until(lambda: (box.folder / "opened").exists(), "the browser started")
    assert (box.folder / "opened").read_text() == "http://localhost:5173/\n"

    # Copying: by key, and with the mouse.
    screen.press("y", "copied ")
    copied = re.findall(rb"\x1b\]52;c;([^\x07]*)\x07", screen.raw)
    assert b"line 60 of the server" in base64.b64decode(copied[-1])
    screen.press("\x1b[<0;36;4M\x1b[<32;39;4M\x1b[<0;39;4m", "copied 4 characters")
    screen.press("\x1b[<0;3;1M\x1b[<0;3;1m", "● api dev  running")
    screen.press("\x1b[<65;3;1M", "✗ lib dev  exited")

    # Leaving.
    screen.press("q", "2 tasks are running. End the run? y/n")
    screen.press("n", "r restart")
    screen.type("q")
    screen.read_until("End the run?")
    screen.type("y")
    assert screen.finish() == -signal.SIGINT
    after = re.sub(r"\x1b\[[\d;]*m", "", screen.raw.rpartition(b"\x1b[?1049l")[2].decode())
    assert "lib dev $ " in after and "Exited with code 3" in after, "failures stay on the terminal"
    assert "1 failed" in after, "and the summary"


def test_sizes_and_terminals_of_scripts(box: Box) -> None:
    tty = "console.log([0, 1, 2].map((fd) => require('tty').isatty(fd)).join(), process.stdout.columns);"
    box.write(
        {
            "package.json": {"name": "root", "workspaces": ["packages/*"]},
            "packages/api/package.json": {
                "name": "api",
                "scripts": {
                    "dev": 'while :; do size=$(stty size); [ "$size" = "$last" ] || echo "$size"; last=$size; done'
                },
            },
            "packages/engine/package.json": {"name": "engine", "scripts": {"dev": "rt tty.js"}},
            "packages/engine/tty.js": tty
            + "process.stdin.on('data', (data) => console.log('typed', data.toString().trim()));",
            "packages/editor/package.json": {
                "name": "editor",
                "scripts": {
                    "dev": "printf '\\033[?1049h\\033[2J\\033[3;5Hfull\\033[31m screen\\033[0m'; cat > /dev/null"
                },
            },
        }
    )
    screen = Screen(box, "run", "--filter", "*", "--ui=tui", "dev")
    screen.read_until("22 67")
    screen.press("j", "    full screen")
    screen.press("j", "true,true,true 67")
    screen.press("\rhello\r", "typed hello")
    screen.press("\x1ak", "full screen")
    screen.press("k", "22 67")
    for columns, rows, size in ((300, 50, "48 253"), (20, 20, "12 20"), (100, 24, "22 67")):
        for storm in range(5):
            screen.resize(columns + 1 + storm, rows)
        screen.resize_to(columns, rows)
        screen.read_until(size)
        screen.read_until("api dev")
    assert all(len(line.rstrip()) <= 100 for line in screen.screen.display)
    screen.press("\x03", "")
    assert screen.finish() == -signal.SIGINT


def test_the_run_survives_its_screen(box: Box) -> None:
    services(box)
    screen = Screen(box, "run", "--filter", "*", "--ui=tui", "dev")
    before = screen.modes()
    screen.read_until("name? ")
    assert screen.modes() != before
    os.kill(screen_process(screen.process.pid), signal.SIGKILL)
    screen.read_until("the screen was ended by SIGKILL; the run goes on, shown in blocks")
    screen.read_until("└─ Running...")
    assert screen.modes() == before
    restored = screen.raw.rpartition(b"\x1b[?1049l")
    assert (
        restored[1] and b"\x1b[?25h" in restored[2] and b"\x1b[?1003l" in restored[0] and b"\x1b[?2004l" in restored[0]
    )
    screen.type("\x03")
    assert screen.finish() == -signal.SIGINT


def test_a_hang_up_ends_everything(box: Box) -> None:
    services(box)
    screen = Screen(box, "run", "--filter", "*", "--ui=tui", "dev")
    screen.read_until("name? ")
    process = screen_process(screen.process.pid)
    os.close(screen.master)
    assert screen.process.wait() == -signal.SIGHUP
    wait_until(lambda: not os.path.exists(f"/proc/{process}"), "the screen ended")


def test_suspending_stops_rt_and_gives_the_terminal_back(box: Box) -> None:
    services(box)
    shell = Screen(box, "--norc", "-i", program="/bin/bash", PS1="SHELL> ")
    shell.read_until("SHELL>")
    before = shell.modes()
    shell.press(f"{executable()} run --filter '*' --ui=tui dev\r", "name? ")
    shell.press("\x1a", "Stopped")
    while shell.raw.rpartition(b"SHELL> ")[0].count(b"Stopped") == 0:
        assert shell._read()
    assert shell.modes() == before and b"\x1b[?1049l" in shell.raw
    shell.raw = b""
    shell.type("fg\r")
    while b"\x1b[?1049h" not in shell.raw or b"api dev" not in shell.raw:
        assert shell._read()
    shell.press("\rresumed\r", "hello resumed")
    shell.type("\x1aqy")
    while b"SHELL> " not in shell.raw.rpartition(b"\x1b[?1049l")[2]:
        assert shell._read()
    assert shell.modes() == before
    shell.type("exit\r")
    shell.finish()


def test_attaching_to_a_run_in_the_background(box: Box) -> None:
    services(box)
    started = box.run("run", "--detach", "--filter", "*", "dev")
    run_id = started.stdout.split()[1].decode()
    try:
        screen = Screen(box, "attach")
        screen.read_until("q leave")
        screen.press("jj", "● web dev  running")
        screen.read_until("line 60 of the server")
        screen.press("\r", "have no terminals")
        screen.press("r", "● web dev  running · 1 restart")
        screen.type("q")
        assert screen.finish() == 0
        assert f"run {run_id} continues".encode() in screen.raw
        looking = Screen(box, "attach", run_id, "--no-input")
        looking.read_until("q leave")
        looking.press("jjx", "this screen only shows the run")
        box.run("stop", run_id)
        assert looking.finish() != 0, "the status of the run"
    finally:
        box.run("stop", run_id)


def screen_process(rt: int) -> int:
    """Return the process of the screen that the process `rt` has started."""
    children = Path(f"/proc/{rt}/task/{rt}/children").read_text().split()
    (found,) = [int(each) for each in children if b"rt_supervisor.screen" in Path(f"/proc/{each}/cmdline").read_bytes()]
    return found


@pytest.mark.parametrize(
    ("changes", "flags", "is_screen"),
    [
        ({}, ("--watch",), True),
        ({}, (), False),
        ({}, ("--watch", "--ui=blocks"), False),
        ({}, ("--watch", "--ui=stream"), False),
        ({"NO_TUI": "1"}, ("--watch", "--ui=tui"), False),
        ({"CI": "1"}, ("--watch",), False),
        ({"TERM": "dumb"}, ("--watch",), False),
    ],
)
def test_when_the_screen_is_shown(box: Box, changes: dict[str, str], flags: tuple[str, ...], is_screen: bool) -> None:
    box.write(
        {
            "package.json": {"name": "root", "workspaces": ["packages/*"]},
            "packages/api/package.json": {"name": "api", "scripts": {"dev": "echo up; sleep 600"}},
        }
    )
    screen = Screen(box, "run", "--filter", "*", *flags, "dev", **changes)
    screen.read_until("up")
    if is_screen:
        screen.press("p", "watching is paused")
        screen.press("p", "watching ")
    assert (b"\x1b[?1049h" in screen.raw) == is_screen
    is_stream = "--ui=stream" in flags or "TERM" in changes
    assert ("api dev: up" in screen.line("up")) == is_stream
    screen.type("\x03")
    assert screen.finish() == -signal.SIGINT


def test_the_keys_of_blocks(box: Box) -> None:
    box.write(
        {
            "package.json": {"name": "root", "workspaces": ["packages/*"]},
            "packages/api/package.json": {
                "name": "api",
                "scripts": {"dev": "echo x >> starts; wc -l < starts; sleep 600"},
            },
        }
    )
    screen = Screen(box, "run", "--filter", "*", "--watch", "--watch-ignore=starts", "--ui=blocks", "dev")
    before = screen.modes()
    screen.read_until("│ 1")
    screen.press("xyz?", "r restarts all tasks · q ends the run")
    screen.press("r", "│ 2")
    assert screen.modes() != before and not screen.line("xyz")
    screen.type("q")
    while b"Interrupted" not in screen.raw:
        assert screen._read()
    assert screen.finish() == -signal.SIGINT
    shell = Screen(box, "--norc", "-i", program="/bin/bash", PS1="SHELL> ")
    shell.read_until("SHELL>")
    modes = shell.modes()
    shell.press(f"{executable()} run --filter '*' --watch --watch-ignore=starts --ui=blocks dev\r", "│ 3")
    shell.press("\x1a", "Stopped")
    shell.press("echo typed to the shell\r", "SHELL> echo typed to the shell")
    shell.press("fg\r?\r", "q ends the run")
    shell.type("q")
    shell.press("", "Interrupted")
    while b"SHELL> " not in shell.raw.rpartition(b"Interrupted")[2]:
        assert shell._read()
    assert shell.modes() == modes
    shell.type("exit\r")
    shell.finish()


def test_results_are_the_same_with_a_terminal_and_with_pipes(box: Box) -> None:
    box.write(
        {
            "package.json": {"name": "root", "workspaces": ["packages/*"]},
            "rtfig.toml": "[tasks.build]\noutputs = []\n[tasks.dev]\npersistent = true\ncache = false\n",
            "packages/api/package.json": {
                "name": "api",
                "scripts": {"build": "echo built; echo in two lines", "dev": "echo up; sleep 600"},
            },
        }
    )
    for _ in range(2):  # the second time, the terminal shows what the first one has stored
        screen = Screen(box, "run", "--tasks", "build", "dev")
        screen.read_until("in two lines")
        assert screen.line("in two lines").split("│")[1].startswith("in two lines")
        screen.press("j", "up")
        screen.type("\x03")
        screen.finish()
    piped = box.run("run", "--tasks", "build")
    assert b"in two lines\n" in piped.stdout and b"\r" not in piped.stdout, "from the cache"
    assert b"cached" in piped.stdout
