"""`--resume`, `--resume-from` and `--shard`, and the order in which tasks start."""

from __future__ import annotations

import json
import signal
from typing import Any

import pytest
from rig import Box, wait_until

BUILD = "echo {name} >> ../../log; [ ! -e fail ] || exit 1; :"
TOML = '[tasks.build]\ndependsOn = ["^build"]\ncache = false\n'


def workspace(**dependencies: list[str]) -> dict[str, Any]:
    """Return packages that log their builds; the build of a package with a file `fail` fails."""
    files: dict[str, Any] = {"package.json": {"name": "root", "workspaces": ["p/*"]}, "rtfig.toml": TOML}
    for name, others in dependencies.items():
        manifest = {"name": name, "scripts": {"build": BUILD.format(name=name)}}
        files[f"p/{name}/package.json"] = manifest | {"dependencies": dict.fromkeys(others, "*")}
    return files


def ran(box: Box, *arguments: str, status: int = 0) -> list[str]:
    """Run the builds and return which packages were built, in this order."""
    log = box.folder / "log"
    log.unlink(missing_ok=True)
    result = box.run("run", "--tasks", "build", "--concurrency", "1", *arguments)
    assert result.returncode == status, result
    return log.read_text().split() if log.exists() else []


def test_resume_runs_what_failed_or_did_not_run(box: Box) -> None:
    box.write(workspace(core=[], other=[], web=["core"]))
    box.write({"p/core/fail": ""})
    assert sorted(ran(box, status=1)) == ["core", "other"]
    assert ran(box, "--resume", status=1) == ["core"]
    (box.folder / "p/core/fail").unlink()
    dry = box.run("run", "--tasks", "build", "--resume", "--dry-run=json")
    whys = {task["label"]: task["why"] for task in json.loads(dry.stdout)["tasks"]}
    assert whys["other build"].endswith("succeeded the last time")
    assert "last time" not in whys["core build"]
    assert ran(box, "--resume") == ["core", "web"]
    assert ran(box, "--resume") == []
    assert sorted(ran(box)) == ["core", "other", "web"]


def test_resume_after_rt_was_killed(box: Box) -> None:
    files = workspace(core=[], web=["core"])
    files["p/web/package.json"]["scripts"]["build"] = (
        "echo web >> ../../log; while [ ! -e ../../go ]; do sleep 0.01; done"
    )
    box.write(files)
    process = box.start("run", "--tasks", "build")
    box.await_file("log")
    wait_until(lambda: "web" in (box.folder / "log").read_text(), "the second task runs")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    box.write({"go": ""})
    assert ran(box, "--resume") == ["web"]


def test_a_resumed_task_that_has_changed_runs_again_if_it_is_cached(box: Box) -> None:
    toml = '[tasks.build]\ndependsOn = ["^build"]\noutputs = []\ninputs = ["src"]\n'
    box.write(workspace(core=[], web=["core"]) | {"rtfig.toml": toml, "p/core/src": "1", "p/web/fail": ""})
    assert ran(box, status=1) == ["core", "web"]
    (box.folder / "p/web/fail").unlink()
    box.write({"p/core/src": "2"})
    assert ran(box, "--resume") == ["core", "web"]
    assert ran(box) == []


def test_other_arguments_are_other_tasks(box: Box) -> None:
    box.write(workspace(core=[]))
    ran(box, "--", "a")
    assert ran(box, "--resume", "--", "a") == []
    assert ran(box, "--resume", "--", "b") == ["core"]


def test_resume_from_leaves_out_what_a_package_depends_on(box: Box) -> None:
    box.write(workspace(core=[], lib=["core"], other=[], web=["lib"], app=["web"]))
    assert sorted(ran(box, "--resume-from", "web")) == ["app", "other", "web"]
    assert sorted(ran(box, "--resume-from", "core")) == ["app", "core", "lib", "other", "web"]


def test_results_that_depend_on_left_out_tasks_are_not_stored(box: Box) -> None:
    toml = '[tasks.build]\ndependsOn = ["^build"]\noutputs = []\n'
    box.write(workspace(core=[], web=["core"]) | {"rtfig.toml": toml})
    assert ran(box, "--resume-from", "web") == ["web"]
    assert ran(box) == ["core", "web"]
    assert ran(box) == []


def test_the_longest_chain_starts_first(box: Box) -> None:
    """The last package in order is the first to start once its duration is known."""
    files = workspace(a=[], b=[], c=[])
    files["p/c/package.json"]["scripts"]["build"] = "echo c >> ../../log; sleep 0.5"
    box.write(files)
    assert ran(box) == ["a", "b", "c"]
    assert ran(box, "--no-cache")[0] == "c"


def shards(box: Box, count: int) -> list[list[str]]:
    return [sorted(ran(box, f"--shard={index}/{count}")) for index in range(1, count + 1)]


def test_shards_run_everything_once_and_dependencies_where_they_are_needed(box: Box) -> None:
    box.write(workspace(core=[], a=["core"], b=["core"], c=[], d=[]))
    assert shards(box, 1) == [["a", "b", "c", "core", "d"]]
    assert shards(box, 2) == [["a", "c", "core"], ["b", "core", "d"]]
    parts = shards(box, 9)
    assert sorted(name for part in parts for name in part if name != "core") == ["a", "b", "c", "d"]
    assert all("core" in part for part in parts if "a" in part or "b" in part)
    assert parts[-1] == []


def test_shards_take_equal_times_by_the_shared_durations(box: Box) -> None:
    """What this machine has measured does not count, because other machines have measured something else."""
    box.write(workspace(a=[], b=[], c=[], d=[]))
    before = shards(box, 2)
    assert before == [["a", "c"], ["b", "d"]]
    durations = {"a#build": 9.0, "b#build": 3.0, "c#build": 3.0, "d#build": 3.0}
    box.write({"task-durations.json": durations})
    assert shards(box, 2) == [["a"], ["b", "c", "d"]]


def test_durations_are_written_for_other_machines(box: Box) -> None:
    box.write(workspace(a=[], b=[]))
    box.write({"task-durations.json": {"b#build": 5.0, "gone#build": 1}})
    ran(box, "--filter", "a")
    result = box.run("tasks", "durations")
    assert result.stdout == b"Wrote the durations of 1 task to task-durations.json\n"
    written = json.loads((box.folder / "task-durations.json").read_text())
    assert (written["b#build"], sorted(written)) == (5.0, ["a#build", "b#build", "gone#build"])
    assert written["a#build"] >= 0


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", "1/0"])
def test_invalid_shards(box: Box, text: str) -> None:
    box.write(workspace(a=[]))
    result = box.run("run", "--tasks", "build", f"--shard={text}")
    assert result.returncode == 1
    assert f"--shard={text}: must be".encode() in result.stderr
