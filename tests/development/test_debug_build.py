"""What only the debug build has: its version, debug logs, and copies of what it executes."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import development_builds as builds
import pytest
from rig import Box

SCOPES = (
    *("launcher", "plan", "guardian", "zygote", "loop", "resolver", "loader", "transpiler", "http", "tls", "watch"),
    *("shell", "packages", "tasks"),
)
LINE = re.compile(r"\[(\w+) +\d+\.\d+ ms (\d+)/(\d+)\] (.+)")
ANOTHER_USER = 54321


def run(box: Box, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run rt-debug in the box; no debug logs unless the environment turns them on."""
    defaults = {"RT_DEBUG_QUIET_LOGS": "1", "RT_DEBUG_SRC": str(box.folder / "executed")}
    settings = box.environment(**defaults | environment)
    command = [str(builds.folder() / "rt-debug"), *words]
    return subprocess.run(command, cwd=box.folder, env=settings, capture_output=True, text=True)


def scopes_of(text: str) -> set[str]:
    return {found[1] for found in map(LINE.match, text.splitlines()) if found}


def test_the_version_names_the_debug_build(box: Box) -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+_debug\n", run(box, "--version").stdout)


def test_scopes_are_listed(box: Box) -> None:
    done = run(box, "--debug-scopes")
    assert done.returncode == 0
    assert tuple(line.split()[0] for line in done.stdout.splitlines() if line.split()[0] in SCOPES) == SCOPES


def test_lines_show_scope_time_process_and_thread(box: Box) -> None:
    box.write({"a.mts": "import './b.cjs'; const a: number = process.pid; console.log(a)", "b.cjs": ""})
    done = run(box, "a.mts", RT_DEBUG_loader="1", RT_DEBUG_TRANSPILER="1")
    lines = [LINE.fullmatch(line) for line in done.stderr.splitlines()]
    assert lines and all(lines), done.stderr
    assert {line[2] for line in lines if line} == {done.stdout.strip()}
    assert scopes_of(done.stderr) == {"loader", "transpiler"}
    for name in ("a.mts", "b.cjs"):
        assert any(line and line[1] == "loader" and name in line[4] for line in lines), done.stderr


def test_scopes_are_on_unless_they_are_turned_off(box: Box) -> None:
    box.write(
        {
            "a.mts": "import './b.mts'",
            "b.mts": "setTimeout(() => 0, 1)",
            "package.json": {"scripts": {"a": "true", "b": "true"}},
        }
    )
    all_scopes = run(box, "a.mts", RT_DEBUG_QUIET_LOGS="0")
    assert {"launcher", "resolver", "loader", "transpiler"} <= scopes_of(all_scopes.stderr)
    assert "loop" not in scopes_of(all_scopes.stderr)
    one_less = run(box, "a.mts", RT_DEBUG_QUIET_LOGS="0", RT_DEBUG_resolver="0")
    assert scopes_of(one_less.stderr) == scopes_of(all_scopes.stderr) - {"resolver"}
    assert scopes_of(run(box, "a.mts", RT_DEBUG_loop="1").stderr) == {"loop"}
    assert run(box, "a.mts").stderr == ""
    run_of_two = run(box, "run", "--parallel", "a", "b", RT_DEBUG_QUIET_LOGS="0")
    assert {"plan", "guardian"} <= scopes_of(run_of_two.stderr), run_of_two.stderr


def test_lines_go_to_a_file(box: Box) -> None:
    box.write({"a.mts": ""})
    for _ in range(2):
        done = run(box, "a.mts", RT_DEBUG_loader="1", RT_DEBUG=str(box.folder / "lines.log"))
        assert done.stderr == ""
    assert (box.folder / "lines.log").read_text().count("a.mts") == 2
    refused = run(box, "a.mts", RT_DEBUG_loader="1", RT_DEBUG=str(box.folder / "lines.txt"))
    assert "its name must end in .log; debug logs go to stderr" in refused.stderr
    assert "[loader" in refused.stderr
    assert not (box.folder / "lines.txt").exists()


def copy_of(box: Box, name: str, root: Path | None = None) -> Path:
    return (root or box.folder / "executed") / (box.folder / name).relative_to("/")


def test_what_is_executed_is_stored(box: Box) -> None:
    box.write({
        "a.mts": "import './b.cts'; const a: number = 1; enum E { A = 7 }; console.log(a, E.A)",
        "b.cts": "const b: string = 'x'; module.exports = b",
    })  # fmt: skip
    assert run(box, "a.mts").stdout == "1 7\n"
    for name in ("a.mts", "b.cts"):
        text = copy_of(box, name).read_text()
        assert "const" in text and ": number" not in text and ": string" not in text
    assert (box.folder / "executed").stat().st_mode & 0o777 == 0o700
    assert copy_of(box, "a.mts").stat().st_mode & 0o777 == 0o600


def refuse(box: Box, why: str) -> None:
    """Assert that nothing is stored, that the reason is printed once, and that the program runs."""
    box.write({"a.mts": "import './b.mts'; console.log('ran')", "b.mts": ""})
    done = run(box, "a.mts")
    assert done.stdout == "ran\n"
    assert done.stderr.count("the executed source is not stored in") == 1
    assert why in done.stderr and "RT_DEBUG_SRC names another folder" in done.stderr
    assert not any(path.name == "a.mts" for path in box.folder.rglob("a.mts") if path.parent != box.folder)


def test_a_folder_that_others_can_write_to_is_refused(box: Box) -> None:
    (box.folder / "executed").mkdir()
    (box.folder / "executed").chmod(0o777)
    refuse(box, "other users can write to")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can create another user's files")
def test_a_folder_of_another_user_is_refused(box: Box) -> None:
    (box.folder / "executed").mkdir()
    os.chown(box.folder / "executed", ANOTHER_USER, ANOTHER_USER)
    refuse(box, f"belongs to user {ANOTHER_USER}")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can create another user's files")
def test_a_link_of_another_user_is_refused(box: Box) -> None:
    (box.folder / "mine").mkdir(mode=0o700)
    (box.folder / "executed").symlink_to("mine")
    os.lchown(box.folder / "executed", ANOTHER_USER, ANOTHER_USER)
    refuse(box, f"belongs to user {ANOTHER_USER}")


def test_a_link_in_place_of_a_copy_is_replaced_not_followed(box: Box) -> None:
    box.write({"a.mts": "console.log('ran')", "precious": "text"})
    place = copy_of(box, "a.mts")
    place.parent.mkdir(parents=True, mode=0o700)
    (box.folder / "executed").chmod(0o700)
    place.symlink_to(box.folder / "precious")
    assert run(box, "a.mts").stderr == ""
    assert (box.folder / "precious").read_text() == "text"
    assert not place.is_symlink() and "ran" in place.read_text()
