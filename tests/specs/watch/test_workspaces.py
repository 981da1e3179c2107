"""`--watch` with --filter, --workspaces and --parallel: stale scripts run again in order, the others keep running."""

from __future__ import annotations

import json
import os
import signal

import pytest
from rig import Box
from screens import Session
from watching import Watching, save

SERVE = "echo \"serving $$\"; trap 'echo closed; exit 0' TERM; while :; do sleep 0.05; done"


@pytest.fixture
def workspace(box: Box) -> Box:
    """Packages a <- b <- c, and d by itself; each prints what its source says."""
    box.write({"package.json": {"name": "root", "workspaces": ["packages/*"]}, ".gitignore": "dist\n"})
    needs = {"a": [], "b": ["a"], "c": ["b"], "d": []}
    for name, others in needs.items():
        scripts = {"build": f"mkdir -p dist && cp src.txt dist/ && cat src.txt && echo {name} built"}
        manifest = {"name": name, "scripts": scripts, "dependencies": dict.fromkeys(others, "workspace:*")}
        box.write({f"packages/{name}/package.json": manifest, f"packages/{name}/src.txt": f"{name} one\n"})
    return box


def edit_manifest(box: Box, name: str, old: str, new: str) -> None:
    text = (box.folder / f"packages/{name}/package.json").read_text()
    assert old in text
    save(box, f"packages/{name}/package.json", text.replace(old, new))


def test_the_changed_package_and_its_dependents_in_order(workspace: Box) -> None:
    watching = Watching(workspace, "run", "--filter", "*", "--watch", "build")
    watching.read_until("c build: Exited with code 0\n")
    save(workspace, "packages/b/src.txt", "b two\n")
    watching.read_until("rt: packages/b/src.txt changed\n")
    said = watching.read_until("c build: Exited with code 0\n")
    assert "a build" not in said and "d build" not in said
    assert said.index("b build: b two") < said.index("b build: Exited with code 0") < said.index("c build: c built")
    save(workspace, "packages/d/src.txt", "d two\n")
    assert "b build" not in watching.read_until("d build: Exited with code 0\n")
    assert watching.end() == -signal.SIGTERM
    workspace.await_nothing_left()


def test_a_dependency_that_is_not_selected_counts(workspace: Box) -> None:
    watching = Watching(workspace, "run", "--filter", "c", "--watch", "build")
    watching.read_until("c build: Exited with code 0\n")
    save(workspace, "packages/a/src.txt", "a two\n")
    watching.read_until("rt: packages/a/src.txt changed\n")
    assert "a build" not in watching.read_until("c build: Exited with code 0\n")
    save(workspace, "packages/d/src.txt", "d two\n")
    save(workspace, "packages/c/src.txt", "c two\n")
    assert "packages/d" not in watching.read_until("c build: c two\n")
    watching.end()


def test_a_failure_is_fixed_by_saving(workspace: Box) -> None:
    edit_manifest(workspace, "a", "cat src.txt", "grep one src.txt")
    save(workspace, "packages/a/src.txt", "broken\n")
    watching = Watching(workspace, "run", "--workspaces", "--watch", "build")
    watching.read_until("c build: Skipped\n")
    save(workspace, "packages/a/src.txt", "a one\n")
    watching.read_until("a build: Exited with code 0\n")
    watching.read_until("c build: Exited with code 0\n")
    watching.end()


def test_a_server_runs_on_until_its_dependency_builds_again(workspace: Box) -> None:
    edit_manifest(workspace, "a", "cat src.txt", "grep -v broken src.txt")
    manifest = json.loads((workspace.folder / "packages/b/package.json").read_text())
    manifest["scripts"]["build"] = f"cat ../a/dist/src.txt; {SERVE}"
    save(workspace, "packages/b/package.json", json.dumps(manifest))
    watching = Watching(workspace, "run", "--filter", "a", "--filter", "b", "--watch", "build")
    watching.read_until("b build: a one\n")
    watching.read_until("b build: serving ")
    server = watching.read_until("\n")
    save(workspace, "packages/a/src.txt", "broken\n")
    watching.read_until("a build: Exited with code 1\n")
    os.kill(int(server), 0)
    save(workspace, "packages/a/src.txt", "a two\n")
    said = watching.read_until("b build: serving ")
    assert (
        said.index("a build: Exited with code 0\n") < said.index("b build: closed\n") < said.index("b build: a two\n")
    )
    assert watching.read_until("\n") != server
    watching.end()
    workspace.await_nothing_left()


def test_a_stale_run_under_way_is_ended_first(workspace: Box) -> None:
    save(workspace, "packages/a/src.txt", "one\n")
    edit_manifest(
        workspace, "a", "cat src.txt", "text=$(cat src.txt) && echo $text && if [ $text = wait ]; then sleep 1000; fi"
    )
    watching = Watching(workspace, "run", "--filter", "*", "--watch", "build")
    watching.read_until("c build: Exited with code 0\n")
    save(workspace, "packages/a/src.txt", "wait\n")
    watching.read_until("a build: wait\n")
    save(workspace, "packages/a/src.txt", "go\n")
    watching.read_until("a build: Signaled with code SIGTERM\n")
    watching.read_until("a build: Exited with code 0\n")
    watching.read_until("c build: Exited with code 0\n")
    watching.end()
    workspace.await_nothing_left()


def test_long_running_scripts_restart_only_for_their_own(box: Box) -> None:
    box.write({"package.json": {"name": "root", "workspaces": ["*"]}, ".git/HEAD": ""})
    for name in ("web", "api"):
        box.write({f"{name}/package.json": {"name": name, "scripts": {"dev": SERVE}}, f"{name}/x.txt": "1"})
    watching = Watching(box, "run", "--filter", "*", "--parallel", "--watch", "dev")
    first = sorted(watching.read_until("\n") for _ in range(2))
    assert [line.partition(" ")[0] for line in first] == ["api:dev", "web:dev"]
    save(box, "web/x.txt", "2")
    watching.read_until("rt: web/x.txt changed\n")
    said = watching.read_until("serving") + watching.read_until("\n")
    assert "api" not in said
    assert "web:dev | closed" in said
    watching.end()
    box.await_nothing_left()


def test_scripts_of_one_package_side_by_side(box: Box) -> None:
    box.scripts(lint="echo lint $(cat x.txt)", test="echo test $(cat x.txt)")
    box.write({"x.txt": "one"})
    watching = Watching(box, "run", "--parallel", "--watch", "lint", "test")
    watching.read_until("test one\n")
    save(box, "x.txt", "two")
    watching.read_until("rt: x.txt changed\n")
    said = watching.read_until("two\n") + watching.read_until("two\n")
    assert "lint" in said and "test" in said
    watching.end()


def test_a_script_that_is_edited_in_the_manifest(workspace: Box) -> None:
    watching = Watching(workspace, "run", "--filter", "*", "--watch", "build")
    watching.read_until("c build: Exited with code 0\n")
    edit_manifest(workspace, "d", "d built", "d rebuilt")
    watching.read_until("d build: d rebuilt\n")
    save(workspace, "packages/d/package.json", "{")
    watching.read_until("packages/d/package.json:1:2: ")
    workspace.write({"packages/d/package.json": {"name": "d", "scripts": {"build": "echo mended"}}})
    watching.read_until("d build: mended\n")
    watching.end()


def test_a_package_that_is_added(workspace: Box) -> None:
    watching = Watching(workspace, "run", "--filter", "*", "--watch", "build")
    watching.read_until("c build: Exited with code 0\n")
    workspace.write({"packages/e/package.json": {"name": "e", "scripts": {"build": "echo e built"}}})
    edit_manifest(
        workspace, "d", "d built", "d rebuilt"
    )  # the list of packages is read again with the next change of a manifest
    watching.read_until("e build: e built\n")
    watching.end()


def test_a_terminal_shows_that_it_waits_and_what_runs_again(workspace: Box) -> None:
    session = Session(workspace, "run", "--filter", "*", "--watch", "build")
    session.read_until("Waiting for changes")
    assert sum("Done in" in line for line in session.screen.display) == 4
    save(workspace, "packages/d/src.txt", "d two\n")
    session.read_until("│ d two")
    session.read_until("Waiting for changes")
    assert b"\x1b[2J\x1b[3J\x1b[H" in session.raw
    assert sum("Done in" in line for line in session.screen.display) == 4
    session.type("\x03")
    assert session.finish() == -signal.SIGINT
    workspace.await_nothing_left()


def test_a_script_whose_package_was_deleted_is_reported(box: Box) -> None:
    """As when switching branches: here between the script's hook and the script itself."""
    box.write({"p/package.json": {"name": "p", "scripts": {"pres": 'rm -rf "$PWD"', "s": "echo never"}}})
    watching = Watching(box, "run", "--watch", "--parallel", "s", cwd=box.folder / "p")
    said = watching.read_until(f"error: cannot start: {box.folder}/p is gone\n")
    said += watching.read_until("Exited with code 1\n")
    assert "never" not in said
    watching.end()
