"""`rt graph --tasks` in every format, and what a dry run says about the cache."""

from __future__ import annotations

import json
from typing import Any

import pytest
from rig import Box

FILES: dict[str, Any] = {
    "package.json": {"name": "root", "workspaces": ["p/*"], "scripts": {"gen": "echo gen"}},
    "p/core/package.json": {"name": "core", "scripts": {"build": 'echo "<core>"'}},
    "p/mid/package.json": {"name": "mid", "dependencies": {"core": "*"}},
    "p/web/package.json": {
        "name": "web",
        "dependencies": {"mid": "*"},
        "scripts": {"build": "echo web", "test": "echo test", "dev": "sleep 600"},
    },
    "rtfig.toml": '[tasks.build]\ndependsOn = ["^build", "//#gen"]\noutputs = []\n[tasks.gen]\noutputs = []\ninputs = ["package.json"]\n'
    '[tasks.test]\ndependsOn = ["build"]\noutputs = []\n[tasks.dev]\npersistent = true\n',
}
# The edge from web#build to //#gen follows from the others.
EDGES = {("core#build", "//#gen"), ("web#build", "core#build"), ("web#test", "web#build")}
NAMES = {"//#gen", "core#build", "web#build", "web#dev", "web#test"}


def graph(box: Box, *arguments: str) -> str:
    result = box.run("graph", "--tasks", *arguments)
    assert result.returncode == 0, result
    return result.stdout.decode()


def test_json(box: Box) -> None:
    box.write(FILES)
    tasks = json.loads(graph(box, "--format", "json"))["tasks"]
    assert {(task["task"], other) for task in tasks for other in task["dependencies"]} == EDGES
    (dev,) = (task for task in tasks if task["name"] == "dev")
    assert dev == {
        "task": "web#dev",
        "package": "web",
        "folder": "p/web",
        "name": "dev",
        "command": "sleep 600",
        "dependencies": [],
        "persistent": True,
    }


def test_dot_mermaid_and_html(box: Box) -> None:
    box.write(FILES)
    dot = graph(box)
    assert {tuple(line.strip(' ;"').split('" -> "')) for line in dot.splitlines() if "->" in line} == EDGES
    mermaid = graph(box, "--format", "mermaid")
    assert mermaid.count("-->") == len(EDGES)
    assert all(name.replace("#", "#35;") in mermaid for name in NAMES)
    page = graph(box, "--format=html")
    assert f"<p>{len(NAMES)} tasks, {len(EDGES)} dependencies</p>" in page
    assert "Find a task" in page
    assert "%%" not in page
    assert "&lt;core&gt;" in page


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["test"], NAMES - {"web#dev"}),
        (["build", "--filter", "core"], {"//#gen", "core#build"}),
        (["test", "--only"], {"web#test"}),
        (["core#build"], {"//#gen", "core#build"}),
    ],
)
def test_what_is_shown(box: Box, arguments: list[str], expected: set[str]) -> None:
    box.write(FILES)
    tasks = json.loads(graph(box, *arguments, "--format", "json"))["tasks"]
    assert {task["task"] for task in tasks} == expected


def test_a_graph_of_tasks_that_do_not_exist(box: Box) -> None:
    box.write(FILES)
    result = box.run("graph", "--tasks", "biuld")
    assert result.returncode == 1
    assert b'no task "biuld" is defined in rtfig.toml; did you mean "build"?' in result.stderr


def test_a_dry_run_shows_every_key_and_the_reason(box: Box) -> None:
    """Keys are those of the run; a task whose dependency would run has none yet."""
    box.write(FILES)
    lines = box.run("run", "--tasks", "test", "dev", "--dry-run").stdout.decode()
    assert "not run before" in lines
    assert "cache: unknown, core build would run first" in lines
    assert '"persistent" is true' in lines
    assert box.run("run", "--tasks", "test").returncode == 0
    tasks = json.loads(box.run("run", "--tasks", "test", "--dry-run=json").stdout)["tasks"]
    assert all("cache: hit " in task["why"] for task in tasks), tasks
    box.write({"p/core/package.json": {"name": "core", "scripts": {"build": "echo other"}}})
    tasks = json.loads(box.run("run", "--tasks", "test", "--dry-run=json").stdout)["tasks"]
    whys = {task["label"]: task["why"] for task in tasks}
    assert "cache: hit " in whys["root gen"]
    assert "cache: miss " in whys["core build"]
    assert "changed: " in whys["core build"]
