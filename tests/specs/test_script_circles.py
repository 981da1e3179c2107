"""Scripts that call themselves: workspace filters prevent it, and other cycles are stopped."""

from __future__ import annotations

from rig import Box


def test_a_root_script_that_runs_those_of_all_workspaces(box: Box) -> None:
    box.write(
        {
            "package.json": {
                "name": "root",
                "workspaces": ["p/*"],
                "scripts": {"build": "npm run build --workspaces --if-present", "one": "npm run build -w a"},
            },
            "p/a/package.json": {"name": "a", "scripts": {"build": "echo built a"}},
            "p/b/package.json": {"name": "b"},
        }
    )
    done = box.run("run", "build")
    assert done.returncode == 0
    assert done.stdout.decode().splitlines() == ["built a"]  # npm adds no prefix
    assert box.run("run", "one").stdout.decode().splitlines() == ["built a"]


def test_a_script_may_start_itself_a_few_times(box: Box) -> None:
    command = "[ $N -eq 0 ] && echo end || N=$((N - 1)) npm run --silent count"
    box.scripts(count=command)
    assert box.run("run", "--silent", "count", environment={"N": "8"}).stdout == b"end\n"


def test_a_circle_through_packages_is_shown(box: Box) -> None:
    box.write(
        {
            "package.json": {"name": "root", "workspaces": ["p"]},
            "p/package.json": {"name": "p", "scripts": {"a": "cd .. && rt run --filter p b", "b": "rt run a"}},
        }
    )
    done = box.run("run", "--filter", "p", "a")
    assert done.returncode == 1
    assert b'error: script "' in done.stdout and b" starts itself without end: " in done.stdout
    box.await_nothing_left()
