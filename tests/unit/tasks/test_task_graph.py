"""The graph of tasks: what a request pulls in, what waits for what, and the errors of graphs that cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest
from trees import write_tree

from rt_supervisor.tasks.sources import read_tasks
from rt_supervisor.tasks.task_graph import TaskGraph, build, title
from rt_supervisor.tasks.task_plan import make_plan
from rt_supervisor.vocabulary.errors import Failed

SCRIPTS = {"build": "x", "test": "x", "codegen": "x"}
# web -> ui -> core; ui has no build script.
FILES: dict[str, object] = {
    "package.json": {"name": "root", "workspaces": ["p/*"], "scripts": {"prepare": "x"}},
    "p/core/package.json": {"name": "core", "scripts": SCRIPTS},
    "p/ui/package.json": {"name": "ui", "dependencies": {"core": "*"}, "scripts": {"test": "x"}},
    "p/web/package.json": {"name": "web", "dependencies": {"ui": "*"}, "scripts": SCRIPTS},
}


def graph_of(root: Path, toml: str, *names: str, packages: str = "web", only: bool = False) -> dict[str, list[str]]:
    """Return for each task the tasks that it depends on directly."""
    write_tree(root, FILES | {"rtfig.toml": toml})
    tasks = read_tasks(str(root))
    assert tasks.table is not None
    places = [place for place in range(len(tasks.packages)) if tasks.name(place) in packages.split()]
    graph: TaskGraph = build(tasks, tasks.table, places=places, names=names, only=only)
    titles = [title(tasks, node) for node in graph.nodes]
    return {titles[at]: [titles[other] for other in following] for at, following in enumerate(graph.edges)}


def test_dependencies_are_pulled_in_and_packages_without_the_script_pass_the_order_on(tmp_path: Path) -> None:
    toml = '[tasks.build]\ndependsOn = ["^build", "codegen"]\n[tasks.codegen]\n'
    assert graph_of(tmp_path, toml, "build") == {
        "core#build": ["core#codegen"],
        "core#codegen": [],
        "ui#build": ["core#build", "ui#codegen"],
        "ui#codegen": [],
        "web#build": ["ui#build", "web#codegen"],
        "web#codegen": [],
    }
    tasks = read_tasks(str(tmp_path))
    plan = make_plan(tasks, places=[2], names=["build"], only=False, if_present=False)
    waits = {recipe.label: [plan.choice.recipes[key].label for key in recipe.after] for recipe in plan.choice.recipes}
    assert waits == {
        "core build": ["core codegen"],
        "core codegen": [],
        "web build": ["core build", "web codegen"],
        "web codegen": [],
    }


def test_only_leaves_dependencies_out_and_keeps_the_order(tmp_path: Path) -> None:
    toml = '[tasks.build]\ndependsOn = ["^build", "codegen"]\n[tasks.codegen]\n[tasks.test]\ndependsOn = ["build"]\n'
    assert graph_of(tmp_path, toml, "test", only=True) == {"web#test": []}
    assert graph_of(tmp_path, toml, "build", "test", only=True) == {"web#build": [], "web#test": ["web#build"]}


def test_tasks_of_named_packages_and_companions(tmp_path: Path) -> None:
    toml = '[tasks.build]\ndependsOn = ["core#codegen", "//#prepare"]\nwith = ["ui#test"]\n[tasks.codegen]\n[tasks.test]\n[tasks."//#prepare"]\n'
    assert graph_of(tmp_path, toml, "build") == {
        "core#codegen": [],
        "ui#test": [],
        "web#build": ["core#codegen", "//#prepare"],
        "//#prepare": [],
    }
    assert graph_of(tmp_path, toml, "core#codegen") == {"core#codegen": []}


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        (
            '[tasks.build]\ndependsOn = ["test"]\n[tasks.test]\ndependsOn = ["build"]\n',
            "rtfig.toml:2: tasks depend on each other: web#build -> web#test -> web#build",
        ),
        ('[tasks.build]\ndependsOn = ["build"]\n', "rtfig.toml:2: tasks depend on each other: web#build -> web#build"),
        (
            '[tasks.build]\ndependsOn = ["codgen"]\n[tasks.codegen]\n',
            'rtfig.toml:2: no task "codgen" is defined in rtfig.toml; did you mean "codegen"?',
        ),
        (
            '[tasks.build]\ndependsOn = ["cor#build"]\n',
            'rtfig.toml:2: no package of the workspace is named "cor"; did you mean "core"?',
        ),
        ('[tasks.build]\ndependsOn = ["$CI"]\n', 'rtfig.toml:2: "$CI" is not a task; list variables in "env"'),
        ("[tasks.built]\n", 'no task "build" is defined in rtfig.toml; did you mean "built"?'),
    ],
)
def test_graphs_that_cannot_be(tmp_path: Path, toml: str, message: str) -> None:
    with pytest.raises(Failed) as caught:
        graph_of(tmp_path, toml, "build")
    assert caught.value.failure.message == message


def test_a_cycle_of_packages_is_a_cycle_only_of_tasks_that_follow_it(tmp_path: Path) -> None:
    files = FILES | {
        "p/core/package.json": {"name": "core", "dependencies": {"web": "*"}, "scripts": SCRIPTS},
        "rtfig.toml": '[tasks.build]\ndependsOn = ["^build"]\n[tasks.test]\n',
    }
    write_tree(tmp_path, files)
    tasks = read_tasks(str(tmp_path))
    assert tasks.table is not None
    assert len(build(tasks, tasks.table, places=[0, 1, 2], names=["test"]).nodes) == 3
    with pytest.raises(Failed, match="core#build -> web#build -> ui#build -> core#build"):
        build(tasks, tasks.table, places=[0], names=["build"])


def test_nothing_waits_for_a_service(tmp_path: Path) -> None:
    write_tree(
        tmp_path, FILES | {"rtfig.toml": '[tasks.build]\npersistent = true\n[tasks.test]\ndependsOn = ["build"]\n'}
    )
    with pytest.raises(Failed, match=r"rtfig.toml:4: web#test cannot wait for the persistent task web#build"):
        make_plan(read_tasks(str(tmp_path)), places=[2], names=["test"], only=False, if_present=False)
