"""The screen of a terminal while real scripts run, read through a terminal emulator."""

from __future__ import annotations

import re
import shutil
import signal
from pathlib import Path

import pytest
from rig import Box
from screens import Session

FIXTURE = Path(__file__).parents[2] / "fixtures" / "monorepo"


def blocks_of(lines: list[str]) -> dict[str, list[str]]:
    """Return, for each header, the lines below it down to its footer, without durations."""
    blocks: dict[str, list[str]] = {}
    head = None
    for line in lines:
        if " $ " in line:
            head = line.split(" $ ")[0]
            blocks[head] = []
        elif head is not None and line[:1] in ("│", "└"):
            blocks[head].append(re.sub(r"Done in .*", "Done", line))
    return blocks


@pytest.fixture
def monorepo(box: Box) -> Box:
    shutil.copytree(FIXTURE, box.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("dist"))
    return box


def test_the_workspace_builds_in_order(monorepo: Box) -> None:
    session = Session(monorepo, "run", "--filter", "*", "build")
    assert session.finish() == 0
    blocks = blocks_of(session.lines)
    assert len(blocks) == 11, "ten packages have a build, one of them with a hook"
    assert blocks["@harbour/dates build"] == [
        "│ compile src/index.ts",
        "│ compile src/tides.ts",
        "│ ✓ built 2 modules into dist/",
        "└─ Done",
    ]
    assert all(lines[-1] == "└─ Done" for lines in blocks.values())
    assert any(line.startswith("10 done · ") for line in session.lines)
    assert not session.screen.cursor.hidden


@pytest.mark.parametrize(("columns", "rows"), [(100, 24), (40, 10), (20, 4), (9, 2)])
def test_every_block_is_there_once_on_every_screen(monorepo: Box, columns: int, rows: int) -> None:
    session = Session(monorepo, "run", "--no-summary", "--filter", "*", "test", columns=columns, rows=rows)
    assert session.finish() == 0
    text = "".join(session.lines)
    assert text.count("└─ Done in") == 10
    assert "Running..." not in text
    assert "running" not in text


def test_a_failure_is_red_and_its_dependents_are_skipped(monorepo: Box) -> None:
    session = Session(monorepo, "run", "--filter", "*", "test", rows=100, FAIL_TEST="conflicts")
    assert session.finish() == 1
    blocks = blocks_of(session.lines)
    assert blocks["@harbour/store test"][-1] == "└─ Exited with code 1"
    assert blocks["web test"] == ["└─ Skipped"]
    assert b"\x1b[31mExited with code 1" in session.raw
    assert any("5 done · 1 failed · 4 skipped" in line for line in session.lines)


def test_without_colours_none_are_printed(monorepo: Box) -> None:
    session = Session(monorepo, "run", "--filter", "*", "lint", NO_COLOR="1")
    assert session.finish() == 0
    assert not re.search(rb"\x1b\[[0-9;]*m", session.raw)


def test_ctrl_c_prints_every_line_and_ends_the_scripts(box: Box) -> None:
    box.write(
        {
            "package.json": {"name": "root", "workspaces": ["packages/*"]},
            "packages/a/package.json": {"name": "a", "scripts": {"dev": "seq 20; exec sleep 600"}},
            "packages/b/package.json": {"name": "b", "scripts": {"dev": "echo up; exec sleep 600"}},
        }
    )
    session = Session(box, "run", "--filter", "*", "dev")
    session.read_until("│ 20")
    session.read_until("│ up")
    assert "│ [10 lines elided]" in session.lines
    session.process.send_signal(signal.SIGINT)
    assert session.finish() == -signal.SIGINT
    blocks = blocks_of(session.lines)
    assert blocks["a dev"] == [*(f"│ {number}" for number in range(1, 21)), "└─ Interrupted"]
    assert blocks["b dev"] == ["│ up", "└─ Interrupted"]


def test_a_resize_redraws(box: Box) -> None:
    box.write(
        {
            "package.json": {"name": "root", "workspaces": ["packages/*"]},
            "packages/a/package.json": {"name": "a", "scripts": {"dev": f"echo {'x' * 70}; exec sleep 600"}},
        }
    )
    session = Session(box, "run", "--filter", "*", "dev")
    session.read_until("x" * 70)
    session.screen.resize(60, 30)
    session.resize(30, 60)
    session.process.send_signal(signal.SIGWINCH)
    session.read_until("│ " + "x" * 27 + "…")
    session.process.send_signal(signal.SIGTERM)
    session.finish()


def test_a_chatty_script_writes_little_to_the_terminal(box: Box) -> None:
    box.write(
        {
            "package.json": {"name": "root", "workspaces": ["packages/*"]},
            "packages/a/package.json": {
                "name": "a",
                "scripts": {"show": "yes 'the same line' | head -c 100000000; echo; echo end"},
            },
        }
    )
    session = Session(box, "run", "--filter", "*", "show")
    assert session.finish() == 0
    assert blocks_of(session.lines)["a show"][-2:] == ["│ end", "└─ Done"]
    assert "│ [7142849 lines elided]" in session.lines
    assert len(session.raw) < 1_000_000


def test_killed_between_frames_the_terminal_is_restored(box: Box) -> None:
    box.write(
        {
            "package.json": {"name": "root", "workspaces": ["packages/*"]},
            "packages/a/package.json": {"name": "a", "scripts": {"dev": "echo up; exec sleep 600"}},
        }
    )
    session = Session(box, "run", "--filter", "*", "dev")
    session.read_until("│ up")
    session.process.kill()
    session.finish()
    assert not session.screen.cursor.hidden
    assert session.raw.count(b"\x1b[?7l") == session.raw.count(b"\x1b[?7h")
    assert session.raw.endswith(b"\x1b[?25h\x1b[?2026l")
