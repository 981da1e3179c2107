"""`--summarize` and `--trace`: what a run writes about itself."""

from __future__ import annotations

import json
from typing import Any

from rig import Box

FILES: dict[str, Any] = {
    "package.json": {"name": "root", "workspaces": ["p/*"]},
    "p/core/package.json": {"name": "core", "scripts": {"build": "echo core"}},
    "p/web/package.json": {
        "name": "web",
        "dependencies": {"core": "*"},
        "scripts": {"build": "[ -e ok ] || exit 3", "test": "echo test"},
    },
    "rtfig.toml": '[tasks.build]\ndependsOn = ["^build"]\noutputs = []\n'
    '[tasks.test]\ndependsOn = ["build"]\noutputs = []\ncache = false\n',
}


def summary(box: Box, *arguments: str, status: int = 0) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    result = box.run("run", "--tasks", "test", "--summarize", "s.json", *arguments)
    assert result.returncode == status, result
    document = json.loads((box.folder / "s.json").read_text())
    assert document["schemaVersion"] == 1
    return document["run"], {task["task"]: task for task in document["tasks"]}


def test_a_summary_has_keys_hits_durations_and_statuses(box: Box) -> None:
    box.write(FILES)
    run, tasks = summary(box, status=3)
    assert run["status"] == 3
    assert (tasks["core#build"]["cache"], tasks["core#build"]["reason"]) == ("miss", "not run before")
    assert (tasks["web#build"]["state"], tasks["web#build"]["status"]) == ("failed", 3)
    assert (tasks["web#test"]["state"], tasks["web#test"]["cache"], tasks["web#test"]["key"]) == (
        "skipped",
        "unknown",
        None,
    )
    assert tasks["web#test"]["dependencies"] == ["web#build"]
    key = tasks["core#build"]["key"]

    box.write({"p/web/ok": ""})
    run, tasks = summary(box)
    assert run["status"] == 0
    core = tasks["core#build"]
    assert (core["cache"], core["key"], core["state"]) == ("hit", key, "done")
    assert core["savedSeconds"] >= 0
    assert tasks["web#build"]["reason"] == "failed or was interrupted the last time"
    assert tasks["web#test"]["reason"] == 'not cached: "cache" is false'
    assert tasks["web#test"]["seconds"] > 0

    _, tasks = summary(box, "--resume")
    assert (tasks["web#test"]["cache"], tasks["web#test"]["reason"]) == ("left-out", "succeeded the last time")
    _, tasks = summary(box, "--no-cache")
    assert (tasks["core#build"]["cache"], tasks["core#build"]["key"]) == ("unknown", None)


def entries(box: Box, *arguments: str) -> list[dict[str, Any]]:
    box.run(arguments[0], "--trace", "t.json", *arguments[1:])
    document = json.loads((box.folder / "t.json").read_text())
    assert document["displayTimeUnit"] == "ms"
    return list(document["traceEvents"])


def spans(found: list[dict[str, Any]], category: str) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in found if each.get("cat") == category}


def test_a_trace_has_a_lane_for_each_slot(box: Box) -> None:
    """The first two tasks run at once; the third one takes the lane that is free again."""
    wait = "touch ../../{own}; while [ ! -e ../../{other} ]; do sleep 0.01; done"
    box.write(
        {
            "package.json": {"name": "root", "workspaces": ["p/*"]},
            "p/a/package.json": {"name": "a", "scripts": {"t": wait.format(own="a", other="b"), "pret": "true"}},
            "p/b/package.json": {"name": "b", "scripts": {"t": wait.format(own="b", other="a")}},
            "p/c/package.json": {"name": "c", "dependencies": {"a": "*", "b": "*"}, "scripts": {"t": "exit 3"}},
        }
    )
    found = entries(box, "run", "--filter", "*", "t")
    lanes = [each["args"]["name"] for each in found if each["name"] == "thread_name"]
    assert lanes == ["slot 1", "slot 2"]
    tasks = spans(found, "task")
    assert {tasks["a t"]["tid"], tasks["b t"]["tid"]} == {0, 1}
    assert tasks["c t"]["tid"] == 0
    assert tasks["c t"]["args"] == {"status": 3, "cached": False}
    steps = [each for each in found if each.get("cat") == "step" and each["tid"] == tasks["a t"]["tid"]]
    assert [step["name"] for step in steps][:2] == ["pret", "t"]
    (step, *_) = steps
    assert tasks["a t"]["ts"] <= step["ts"]
    assert step["ts"] + step["dur"] <= tasks["a t"]["ts"] + tasks["a t"]["dur"]
    assert step["args"]["pid"] > 0
    assert step["args"]["peakBytes"] > 0
    assert step["args"]["cpuSeconds"] >= 0


def test_a_trace_has_the_processes_of_a_step(box: Box) -> None:
    """A shell starts two programs at once, and then becomes another one. All live much longer than the pause between two samples."""
    seconds = 0.3
    script = f"sleep {seconds} & (sleep {seconds}; true) & wait; exec env sleep {seconds}"
    box.write({"package.json": {"name": "app", "scripts": {"t": script}}})
    found = entries(box, "run", "--filter", "*", "t")
    (step,) = [each for each in found if each.get("cat") == "step"]
    processes = [each for each in found if each.get("cat") == "process"]
    (root,) = [each for each in processes if each["args"]["pid"] == step["args"]["pid"]]
    assert root["tid"] == step["tid"]
    # A sample may see the copy of the shell first that becomes `sleep`.
    images = [each for each in found if each.get("cat") in ("process", "exec") and each["name"] == "sleep"]
    sleeps = [each for each in images if each["args"]["pid"] != root["args"]["pid"]]
    assert [each["args"]["command"] for each in sleeps] == [f"sleep {seconds}"] * 2
    assert sleeps[0]["tid"] != sleeps[1]["tid"]  # they overlap
    parents = {each["args"]["pid"]: each["args"]["parent"] for each in processes}
    above = [parents[each["args"]["pid"]] for each in sleeps]
    assert sorted(parents.get(pid, 0) == root["args"]["pid"] for pid in above) == [
        False,
        True,
    ]  # one is below a subshell
    assert root["args"]["pid"] in above
    (image,) = [each for each in images if each not in sleeps]
    for each in (root, *processes, image):
        assert step["ts"] <= each["ts"]
        assert each["ts"] + each["dur"] <= step["ts"] + step["dur"]
    assert root["args"]["peakBytes"] > 0
    lanes = {each["tid"] for each in found if each["name"] == "thread_name"}
    assert {each["tid"] for each in processes} <= lanes


def test_a_trace_has_attempts_and_cached_tasks(box: Box) -> None:
    box.write(
        {
            "package.json": {
                "name": "app",
                "scripts": {"flaky": "echo x >> tries; [ $(wc -l < tries) = 2 ]", "b": "true"},
            },
            "rtfig.toml": '[tasks.flaky]\nretries = 1\n[tasks.b]\ninputs = ["package.json"]\noutputs = []\n',
        }
    )
    box.run("run", "--tasks", "b")
    found = entries(box, "run", "--tasks", "flaky", "b")
    attempts = [each["args"] for each in found if each.get("cat") == "step" and each["name"] == "flaky"]
    assert [(each["code"], each.get("attempt")) for each in attempts] == [(1, None), (0, 2)]
    tasks = spans(found, "task")
    assert tasks["app flaky"]["args"] == {"status": 0, "cached": False}
    assert tasks["app b"]["args"]["cached"] is True


def test_a_cached_run_writes_a_trace_too(box: Box) -> None:
    """A plain run of several scripts may start from the launcher's cache, which writes no files."""
    box.write({"package.json": {"name": "app", "scripts": {"a": "true", "b": "true"}}})
    for _ in range(3):
        (box.folder / "t.json").unlink(missing_ok=True)
        assert set(spans(entries(box, "run", "--parallel", "a", "b"), "task")) == {"a", "b"}
