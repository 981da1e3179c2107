"""Tasks that run again, tasks whose time is over, places in pools, and services that start again after a failure."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from rig import Box, wait_until

# Fails until it has run as often as its argument says; logs the number of each attempt.
FLAKY = "echo x >> tries; n=$(wc -l < tries); echo try $n; mkdir -p dist; echo $n > dist/$n; test $n -ge {count}"


def files(scripts: dict[str, str], toml: str) -> dict[str, Any]:
    return {"package.json": {"name": "app", "scripts": scripts}, "rtfig.toml": toml}


def test_a_failed_task_runs_again_and_is_listed_as_flaky(box: Box) -> None:
    box.write(files({"test": FLAKY.format(count=3)}, "[tasks.test]\nretries = 2\ncache = false\n"))
    result = box.run("run", "--tasks", "test")
    assert result.returncode == 0, result
    assert result.stdout.decode().splitlines() == [
        "app test: try 1",
        "app test: Exited with code 1",
        "app test (attempt 2): try 2",
        "app test (attempt 2): Exited with code 1",
        "app test (attempt 3): try 3",
        "app test (attempt 3): Exited with code 0",
    ]
    assert result.stderr == b"warning: 1 flaky task failed at first\n  app test succeeded at attempt 3\n"


def test_the_last_attempt_decides(box: Box) -> None:
    scripts = {"test": "echo x >> tries; exit $(wc -l < tries)", "after": "touch after"}
    box.write(files(scripts, '[tasks.test]\nretries = 2\n[tasks.after]\ndependsOn = ["test"]\n'))
    result = box.run("run", "--tasks", "after")
    assert result.returncode == 3
    assert b"app after: Skipped\n" in result.stdout
    assert b"flaky" not in result.stderr
    assert not (box.folder / "after").exists()


@pytest.mark.parametrize("output", ["grouped", "json", "raw"])
def test_every_display_shows_the_attempts(box: Box, output: str) -> None:
    box.write(files({"test": FLAKY.format(count=2)}, "[tasks.test]\nretries = 1\ncache = false\n"))
    result = box.run("run", "--tasks", "test", "--output", output, "--report", "report.json")
    assert result.returncode == 0
    lines = result.stdout.decode().splitlines()
    if output == "grouped":
        assert lines.index("try 1") < lines.index("attempt 2") < lines.index("try 2")
        assert any(line.startswith("app test: Done in ") for line in lines)
    elif output == "json":
        events = [json.loads(line) for line in lines]
        assert [event["attempt"] for event in events if event["event"] == "task-retried"] == [2]
        assert [event["status"] for event in events if event["event"] == "task-ended"] == [0]
    else:
        assert b"app test: attempt 2\n" in result.stderr
    (task,) = json.loads((box.folder / "report.json").read_text())["tasks"]
    assert (task["attempts"], task["state"], task["status"], task["timedOut"]) == (2, "done", 0, False)


def test_a_result_has_the_output_of_the_attempt_that_succeeded(box: Box) -> None:
    toml = '[tasks.test]\nretries = 1\ninputs = ["package.json"]\noutputs = ["dist/**"]\n'
    box.write(files({"test": FLAKY.format(count=2)}, toml))
    assert box.run("run", "--tasks", "test").returncode == 0
    result = box.run("run", "--tasks", "test")
    assert b"try 1" not in result.stdout
    assert b"app test: try 2\n" in result.stdout
    assert b"app test: cached, saved " in result.stdout
    assert (box.folder / "tries").read_text() == "x\nx\n"


def test_a_task_whose_time_is_over_is_ended_and_has_failed(box: Box) -> None:
    box.write(files({"slow": "sleep 600", "other": "true"}, '[tasks.slow]\ntimeout = "200ms"\n[tasks.other]\n'))
    result = box.run("run", "--tasks", "slow", "--report", "report.json", "--summarize", "summary.json")
    assert result.returncode == 1
    assert result.stderr == b"error: app slow timed out after 200 ms\n"
    assert result.stdout == b"app slow: Signaled with code SIGTERM\n"
    (task,) = json.loads((box.folder / "report.json").read_text())["tasks"]
    assert (task["state"], task["status"], task["timedOut"]) == ("failed", 143, True)
    (task,) = json.loads((box.folder / "summary.json").read_text())["tasks"]
    assert (task["state"], task["timedOut"]) == ("failed", True)
    lines = box.run("run", "--tasks", "slow", "other", "--output", "json", "--continue=always").stdout.splitlines()
    events = {each["label"]: each for each in map(json.loads, lines) if each["event"] == "task-ended"}
    assert events["app slow"]["timedOut"] is True and "timedOut" not in events["app other"]
    wait_until(lambda: not box.left(), "nothing left")


@pytest.mark.parametrize("end", ["exit 0", ":"])
def test_a_task_that_handles_or_ignores_the_signal_has_failed_too(box: Box, end: str) -> None:
    """The second script goes on after SIGTERM, and is killed after the grace period."""
    script = f"trap '{end}' TERM; while true; do sleep 0.01; done"
    box.write(files({"slow": script}, '[tasks.slow]\ntimeout = "2s"\n'))
    result = box.run("run", "--tasks", "slow", "--grace-period", "300")
    assert result.returncode == 1
    expected = b"Exited with code 0" if end == "exit 0" else b"Signaled with code SIGKILL"
    assert result.stdout.endswith(b"app slow: " + expected + b"\n")


def test_each_attempt_has_its_own_time(box: Box) -> None:
    script = "if [ -e second ]; then echo done; else touch second; sleep 600; fi"
    box.write(files({"slow": script}, '[tasks.slow]\ntimeout = "1s"\nretries = 9\n'))
    result = box.run("run", "--tasks", "slow")
    assert result.returncode == 0
    assert b"): done\n" in result.stdout
    assert b"error: app slow timed out after 1.00 s\n" in result.stderr


def most_at_once(log: Path) -> int:
    """Return how many scripts ran at once, given the lines + and - that they logged."""
    running = most = 0
    for line in log.read_text().split():
        running += 1 if line == "+" else -1
        most = max(most, running)
    return most


@pytest.mark.parametrize(
    ("setting", "pools", "most"),
    [
        ('pool = "db"', "pools = { db = 1 }", 1),
        ('pool = "db"', "pools = { db = 2 }", 2),
        ('pool = "db"\nweight = 2', "pools = { db = 2 }", 1),
        ("weight = 2", "", 2),
        ("weight = 9", "", 1),
    ],
)
def test_pools_and_weights_limit_what_runs_at_once(box: Box, setting: str, pools: str, most: int) -> None:
    """Each script waits until as many run as can, which it sees in the log, and then a little for one too many."""
    script = (
        f"echo + >> ../../log; while [ $(grep -c + ../../log) -lt {most} ]; do sleep 0.01; done; "
        "sleep 0.1; echo - >> ../../log"
    )
    box.write({"package.json": {"name": "root", "workspaces": ["p/*"]}, "log": ""})
    box.write({"rtfig.toml": f"{pools}\n[tasks.t]\ncache = false\n{setting}\n"})
    for name in ("a", "b", "c", "d"):
        box.write({f"p/{name}/package.json": {"name": name, "scripts": {"t": script}}})
    result = box.run("run", "--tasks", "t", "--concurrency", "4")
    assert result.returncode == 0, result
    assert most_at_once(box.folder / "log") == most


def test_a_task_that_waits_for_its_pool_lets_others_pass(box: Box) -> None:
    """Both tasks of the pool wait for the task without one, which is last in order."""
    scripts = {"a": "while [ ! -e c ]; do sleep 0.01; done", "b": "test -e c", "c": "touch c"}
    pool = '\npool = "one"\n'
    box.write(files(scripts, f"pools = {{ one = 1 }}\n[tasks.a]{pool}[tasks.b]{pool}[tasks.c]\n"))
    assert box.run("run", "--tasks", "a", "b", "c", "--concurrency", "2").returncode == 0


SERVER = "echo x >> starts; n=$(wc -l < starts); [ $n -lt 3 ] && exit 4; touch up; sleep 600"


def test_a_service_starts_again_until_it_is_ready(box: Box) -> None:
    toml = (
        '[tasks.serve]\npersistent = true\nready = { file = "up" }\nrestart = "on-failure"\n'
        '[tasks.test]\ndependsOn = ["serve"]\ncache = false\n'
    )
    box.write(files({"serve": SERVER, "test": "test -e up && echo tested"}, toml))
    result = box.run("run", "--tasks", "test")
    assert result.returncode == 0, result
    assert b"app test: tested\n" in result.stdout
    assert result.stderr.decode().splitlines() == [
        "warning: the service app serve failed with status 4 and starts again in 100 ms",
        "warning: the service app serve failed with status 4 and starts again in 200 ms",
    ]
    wait_until(lambda: not box.left(), "nothing left")


def test_a_service_that_fails_while_it_is_needed_starts_again(box: Box) -> None:
    """The test makes the ready service fail, and ends once the service runs again."""
    serve = "echo x >> starts; touch up; while [ -e up ]; do sleep 0.01; done; exit 5"
    test = "rm up; while [ $(wc -l < starts) -lt 2 ]; do sleep 0.01; done; echo tested"
    toml = (
        '[tasks.serve]\npersistent = true\nready = { file = "up" }\nrestart = "on-failure"\n'
        '[tasks.test]\ndependsOn = ["serve"]\ncache = false\n'
    )
    box.write(files({"serve": serve, "test": test}, toml))
    result = box.run("run", "--tasks", "test")
    assert result.returncode == 0, result
    assert b"app test: tested\n" in result.stdout
    wait_until(lambda: not box.left(), "nothing left")


def test_a_service_that_waits_for_its_restart_does_not_keep_the_run(box: Box) -> None:
    """The service fails at each start after the first, until its delay is longer than the test needs."""
    serve = "echo x >> starts; if [ -e up ]; then exit 5; fi; touch up; while [ ! -e go ]; do sleep 0.01; done; exit 5"
    test = "touch go; while [ $(wc -l < starts) -lt 3 ]; do sleep 0.01; done"
    toml = (
        '[tasks.serve]\npersistent = true\nready = { file = "up" }\nrestart = "on-failure"\n'
        '[tasks.test]\ndependsOn = ["serve"]\ncache = false\n'
    )
    box.write(files({"serve": serve, "test": test}, toml))
    assert box.run("run", "--tasks", "test").returncode == 0
    wait_until(lambda: not box.left(), "nothing left")


def test_an_interrupted_run_starts_nothing_again(box: Box) -> None:
    toml = '[tasks.serve]\npersistent = true\nrestart = "on-failure"\n[tasks.test]\nretries = 9\n'
    wait = "while true; do sleep 0.01; done"
    box.write(
        files({"serve": f"echo x >> s; touch a; {wait}", "test": f"echo x >> t; touch b; {wait}"}, toml),
    )
    process = box.start("run", "--tasks", "serve", "test")
    box.await_file("a")
    box.await_file("b")
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode == -signal.SIGINT
    assert ((box.folder / "s").read_text(), (box.folder / "t").read_text()) == ("x\n", "x\n")
    wait_until(lambda: not box.left(), "nothing left")
