"""`rt run --watch --tasks` with traced tasks: a change runs exactly those again that have read the file, also before they have ended."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from rig import wait_until
from watching import Watching, save

if TYPE_CHECKING:
    from rig import Box

A = "head -n 1 src/a.txt > out; echo a built"
B = "cat ../a/out src/b.txt > out; grep -q fail src/b.txt && exit 3; echo b built"
FILES = {
    ".gitignore": "out\n",
    "package.json": {"name": "root", "workspaces": ["p/*"]},
    "rtfig.toml": '[tasks.build]\ndependsOn = ["^build"]\n',
    "p/a/package.json": {"name": "a", "scripts": {"build": A}},
    "p/a/src/a.txt": "one\n",
    "p/a/notes.md": "1",
    "p/b/package.json": {"name": "b", "scripts": {"build": B}, "dependencies": {"a": "*"}},
    "p/b/src/b.txt": "b\n",
    "p/b/notes.md": "1",
}


@pytest.fixture
def workspace(box: Box) -> Box:
    """Packages a <- b, whose builds are traced, in a git repository that ignores what they write."""
    box.write(FILES)
    subprocess.run(["git", "init", "-q"], cwd=box.folder, check=True)
    return box


def test_exactly_the_tasks_that_read_the_file(workspace: Box) -> None:
    watching = Watching(workspace, "run", "--watch", "--tasks", "build")

    def await_results(count: int) -> None:
        """Wait until the results of the tasks that have succeeded are stored: a change before that prevents it."""
        entries = workspace.cache / "rt/tasks/entries"
        wait_until(lambda: len(list(entries.glob("*/*"))) == count, f"{count} results")

    watching.read_until("b build: b built\n")
    watching.read_until("b build: Exited with code 0\n")
    await_results(2)
    save(workspace, "p/a/notes.md", "2")  # is not read
    save(workspace, "p/b/src/b.txt", "b2\n")
    before = watching.read_until("b build: b built\n")
    assert "a build" not in before
    assert "notes" not in before
    watching.read_until("b build: Exited with code 0\n")
    await_results(3)
    save(workspace, "p/a/src/a.txt", "one\na second line\n")  # the output of a stays the same
    watching.read_until("a build: a built\n")
    watching.read_until("a build: Exited with code 0\n")
    await_results(4)
    save(workspace, "p/a/src/a.txt", "two\n")
    before = watching.read_until("a build: a built\n")
    assert "b build" not in before
    watching.read_until("b build: b built\n")
    watching.read_until("b build: Exited with code 0\n")
    await_results(6)
    assert (workspace.folder / "p/b/out").read_text() == "two\nb2\n"
    save(workspace, "p/b/src/b.txt", "fail\n")
    watching.read_until(
        "b build: Exited with code 3\n"
    )  # what follows may come before rt has read the trace of this run
    save(workspace, "p/b/notes.md", "2")
    save(workspace, "p/b/src/b.txt", "b3\n")
    assert "code 3" not in watching.read_until("b build: b built\n")
    watching.read_until("b build: Exited with code 0\n")
    await_results(7)
    save(workspace, "p/b/src/b.txt", "b2\n")  # as before
    watching.read_until("b build: cached, saved ")
    assert (workspace.folder / "p/b/out").read_text() == "two\nb2\n"
    watching.end()
    workspace.await_nothing_left()
    result = workspace.run("run", "--tasks", "build")  # the results of the watched run are those of other runs
    assert result.stdout.count(b": cached, saved ") == 2


def test_a_file_that_changes_while_its_reader_runs(box: Box) -> None:
    """The task runs to its end, is not stored, and runs again. A file that it has not read does not matter."""
    gate = box.cache / "gates"  # accesses to caches are not traced
    gate.mkdir(parents=True)
    build = (
        f"cat src.txt; touch {gate}/started-$(cat src.txt); until [ -e {gate}/go ]; do sleep 0.02; done; cp src.txt out"
    )
    box.write(
        {
            "package.json": {"name": "app", "scripts": {"build": build}},
            "src.txt": "one\n",
            "notes.md": "1",
            ".gitignore": "out\n",
            "rtfig.toml": "[tasks.build]\n",
        }
    )
    subprocess.run(["git", "init", "-q"], cwd=box.folder, check=True)
    watching = Watching(box, "run", "--watch", "--tasks", "build")
    wait_until((gate / "started-one").exists, "the first run")
    save(box, "notes.md", "2")
    save(box, "src.txt", "two\n")
    (gate / "go").touch()
    watching.read_until("rt: src.txt changed\n")
    watching.read_until("app build: two\n")
    watching.read_until("app build: Exited with code 0\n")
    assert (box.folder / "out").read_text() == "two\n"
    save(box, "src.txt", "one\n")  # the first run has left no result of it
    watching.read_until("app build: one\n")
    watching.read_until("app build: Exited with code 0\n")
    assert (box.folder / "out").read_text() == "one\n"
    watching.end()
    box.await_nothing_left()


AWAIT_GO = "until test -e node_modules/.cache/go; do sleep 0.01; done"
GO = {"node_modules/.cache/go": ""}  # caches are not traced


def test_a_change_without_its_event_is_not_ascribed_to_the_task(box: Box) -> None:
    """The task runs again at once, before the next look of the watcher; only that makes the plan with the new script."""
    script = f"echo waiting; {AWAIT_GO}; head -n 1 src.txt"
    box.write(
        {
            "package.json": {"name": "app", "scripts": {"build": script}},
            "node_modules/.cache/.keep": "",
            "src.txt": "one\n",
            "rtfig.toml": '[tasks.build]\ninputs = [{ auto = true }]\noutputs = ["dist/**"]\n',
        }
    )
    watching = Watching(box, "run", "--watch", "--watch-poll", "--tasks", "build")
    watching.read_until("app build: waiting\n")
    box.write({"package.json": {"name": "app", "scripts": {"build": "head -n 1 src.txt; echo second"}}})
    box.write(GO)
    assert "changes its own input" not in watching.read_until("app build: second\n")
    watching.end()


def test_saving_a_file_during_each_run_is_not_ascribed_to_the_task(box: Box) -> None:
    box.write(
        {
            "package.json": {
                "name": "app",
                "scripts": {"build": f"cat src.txt; {AWAIT_GO}; rm node_modules/.cache/go"},
            },
            "node_modules/.cache/.keep": "",
            "src.txt": "0\n",
            "rtfig.toml": "[tasks.build]\n",
        }
    )
    watching = Watching(box, "run", "--watch", "--tasks", "build")
    for number in range(5):
        assert "warning" not in watching.read_until(f"app build: {number}\n")
        save(box, "src.txt", f"{number + 1}\n")
        box.write(GO)
    watching.read_until("app build: 5\n")
    box.write(GO)
    watching.read_until("app build: Exited with code 0\n")
    watching.end()
