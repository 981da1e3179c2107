"""Start, stop and restart of single tasks: in a run of scripts and in a run of tasks, both watched."""

from __future__ import annotations

import signal

import pytest
from controlled import ControlledRun
from rig import Box, wait_until

from rt_supervisor.vocabulary.errors import Failed

SERVE = "echo up $$; exec sleep 600"
STUBBORN = "trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.01; done"


def workspace(box: Box, scripts: dict[str, str], *, needs: dict[str, list[str]]) -> None:
    """Write packages with a script `dev`; `needs` says which packages depend on which."""
    box.write({"package.json": {"name": "root", "workspaces": ["packages/*"]}})
    for name, command in scripts.items():
        dependencies = dict.fromkeys(needs.get(name, ()), "workspace:*")
        box.write({f"packages/{name}/source": "1"})
        box.write(
            {f"packages/{name}/package.json": {"name": name, "scripts": {"dev": command}, "dependencies": dependencies}}
        )


def test_scripts(box: Box) -> None:
    """Package c waits for b, and d waits for c."""
    workspace(box, {"a": STUBBORN, "b": SERVE, "c": SERVE, "d": "echo d"}, needs={"c": ["b"], "d": ["c"]})
    run = ControlledRun(box, "run", "--filter", "*", "--watch", "dev")
    run.await_states(a="running", b="running", c="waiting", d="waiting")
    run.await_output(0, b"up\n")

    assert run.client.request("stop", tasks=["a", "b#dev"]) == {"tasks": [0, 1]}
    run.await_states(a="stopped", b="stopped", c="skipped", d="skipped")
    assert run.task("a dev")["status"] == 3
    run.await_output(0, b"bye\n")
    assert run.client.request("stop", tasks=["a"]) == {"tasks": []}

    started = run.client.request("start", tasks=["c"])  # with what it needs, and what was skipped because of it
    assert started == {"tasks": [1, 2, 3]}
    run.await_states(a="stopped", b="running", c="waiting", d="waiting")
    assert run.client.request("start", tasks=["b"]) == {"tasks": []}
    before = run.task("b dev")
    assert run.client.request("restart", tasks=["b dev"]) == {"tasks": [1]}
    wait_until(lambda: run.task("b dev")["restarts"] == before["restarts"] + 1, "the restart")
    run.await_states(b="running", c="waiting")
    assert run.task("b dev")["pid"] != before["pid"]

    with pytest.raises(Failed, match=r'this run has no task "b#dve"\nnote: did you mean b#dev\?'):
        run.client.request("stop", tasks=["b#dve"])
    with pytest.raises(Failed, match="requires the names of tasks"):
        run.client.request("stop")
    with pytest.raises(Failed, match="there is no operation 'fly'"):
        run.client.request("fly")
    assert run.client.request("pause-watching") == {"watching": "paused"}
    assert run.client.request("resume-watching") == {"watching": "on"}

    status, out = run.end()
    assert status == -signal.SIGTERM
    assert "failed" not in out and "a dev: bye\n" in out
    with pytest.raises(Failed, match="the run has ended"):
        run.client.request("snapshot")
    box.await_nothing_left()


TOML = """[tasks.serve]
persistent = true
ready = { line = "up" }

[tasks.build]
outputs = ["built"]
inputs = ["source"]

[tasks.test]
dependsOn = ["serve", "build"]
cache = false
"""


def test_tasks(box: Box) -> None:
    """A service, a build with a cached result, and a test that needs both."""
    scripts = {"serve": SERVE, "build": "echo built; cp source built", "test": "test -e allowed"}
    box.write({"package.json": {"name": "app", "scripts": scripts}, "rtfig.toml": TOML, "source": "1"})
    run = ControlledRun(box, "run", "--tasks", "--watch", "test", "serve")
    labels = [task["label"] for task in run.client.request("snapshot")["tasks"]]
    test, serve, build = (labels.index(f"app {name}") for name in ("test", "serve", "build"))

    def await_states(**wanted: str) -> None:
        run.await_states(**{f"app {name}": state for name, state in wanted.items()})

    await_states(serve="running", build="succeeded", test="failed")
    assert run.task("app serve")["ready"] is True

    box.write({"allowed": ""})
    assert run.client.request("restart-failed") == {"tasks": [test]}
    await_states(test="succeeded")
    first = run.task("app serve")["pid"]
    assert run.client.request("restart", tasks=["serve"]) == {"tasks": [serve]}
    run.await_output(serve, f"up {first}\n".encode())
    run.await_output(serve, b"\nup ")
    await_states(serve="running", test="succeeded")
    assert run.task("app test")["restarts"] == 1

    assert run.client.request("stop", tasks=["serve"]) == {"tasks": [serve]}
    await_states(serve="stopped", test="succeeded")
    assert run.client.request("restart", tasks=["test"]) == {"tasks": sorted([serve, test])}
    await_states(serve="running", test="succeeded")
    assert run.task("app test")["restarts"] == 2

    assert run.client.request("restart", tasks=["build"]) == {"tasks": [build]}  # although its result is cached
    run.await_output(build, b"built\nbuilt\n")
    await_states(build="succeeded", test="succeeded", serve="running")
    status, out = run.end()
    assert status == -signal.SIGTERM, out
    box.await_nothing_left()


SERVICES = """[tasks.db]
persistent = true
ready = { line = "up" }

[tasks.flaky]
retries = 5

[tasks.restarts]
persistent = true
restart = "on-failure"

[tasks.stays]
persistent = true

[tasks.test]
dependsOn = ["db"]
cache = false

[tasks.late]
dependsOn = ["test"]
cache = false
"""


def test_services_retries_and_tasks_that_wait(box: Box) -> None:
    """A run of tasks without --watch, in the background: it ends with status 0 when all its tasks have ended or are stopped."""
    scripts = {
        "db": "test -e allowed && echo up; exec sleep 600",
        "flaky": "test -e allowed || { touch tried; exec sleep 600; }",
        "restarts": "test -e allowed || { touch failed; exit 1; }; exec sleep 600",
        "test": "exec sleep 600",
        "late": "echo late",
        "stays": "exec sleep 600",
    }
    box.write({"package.json": {"name": "app", "scripts": scripts}, "rtfig.toml": SERVICES})
    run = ControlledRun(box, "run", "--detach", "--tasks", *scripts)

    labels = [task["label"] for task in run.client.request("snapshot")["tasks"]]

    def request(operation: str, *names: str) -> set[str]:
        keys = run.client.request(operation, tasks=[f"app#{name}" for name in names])["tasks"]
        return {labels[key].removeprefix("app ") for key in keys}

    def await_states(**wanted: str) -> None:
        run.await_states(**{f"app {name}": state for name, state in wanted.items()})

    box.await_file("tried")
    box.await_file("failed")
    await_states(db="running", flaky="running", test="waiting", late="waiting")
    assert run.task("app db")["ready"] is False
    assert request("stop", "flaky", "restarts") == {"flaky", "restarts"}
    await_states(flaky="stopped", restarts="stopped")
    assert run.task("app flaky")["attempt"] == 1

    assert request("stop", "test") == {"test"}
    await_states(test="stopped", late="skipped", db="running")
    assert request("start", "late") == {"test", "late"}
    await_states(test="waiting", late="waiting")
    assert request("stop", "db") == {"db"}
    await_states(db="stopped", test="skipped", late="skipped")

    box.write({"allowed": ""})
    assert request("start", "db") == {"db", "test", "late"}
    await_states(db="running", test="running", late="waiting")
    assert run.task("app db")["ready"] is True
    assert request("restart", "db") == {"db"}
    wait_until(lambda: run.task("app db")["ready"] is True and run.task("app db")["restarts"] == 2, "ready again")
    await_states(test="running", late="waiting")

    with pytest.raises(Failed, match="this run does not watch its files: start it with --watch"):
        run.client.request("pause-watching")
    assert request("stop", "test", "db", "stays") == {"test", "db", "stays"}
    ended = [item for item in run.client.items() if isinstance(item, dict) and item["type"] == "ended"]
    assert ended == [{"type": "ended", "replaced": False, "status": 0}]
    run.client.close()
    assert run.process.wait(timeout=60) == 0
    box.await_nothing_left()
    assert not run.folder.exists()


def test_changes_do_not_start_a_stopped_script(box: Box) -> None:
    workspace(box, {"a": SERVE, "b": SERVE, "c": "echo c"}, needs={"c": ["b"]})
    run = ControlledRun(box, "run", "--filter", "*", "--watch", "dev")
    run.await_states(a="running", b="running", c="waiting")
    assert run.client.request("stop", tasks=["b"]) == {"tasks": [1]}
    run.await_states(b="stopped", c="skipped")
    run.client.request("pause-watching")
    box.write({f"packages/{name}/source": "2" for name in "abc"})
    run.await_states(a="running", b="stopped", c="skipped")
    assert run.task("a dev")["restarts"] == 0
    run.client.request("resume-watching")
    wait_until(lambda: run.task("a dev")["restarts"] == 1, "the restart")
    run.await_states(a="running", b="stopped", c="skipped")
    assert run.client.request("restart", tasks=["c"]) == {"tasks": [1, 2]}
    run.await_states(b="running", c="waiting")
    run.end()
    box.await_nothing_left()


def test_the_usage_of_tasks(box: Box) -> None:
    workspace(box, {"a": "bash -c 'while :; do :; done'; true", "b": "true"}, needs={})
    run = ControlledRun(box, "run", "--filter", "*", "--watch", "dev")
    run.await_states(a="running", b="succeeded")
    assert "usage" not in run.task("a dev")

    def usage() -> list[tuple[float | None, int | None]]:
        tasks = run.client.request("snapshot", usage=True)["tasks"]
        return [(task["usage"]["cpuSeconds"], task["usage"]["memoryBytes"]) for task in tasks]

    wait_until(lambda: (usage()[0][0] or 0) > 0.1, "the CPU time of the loop, which a child of the script runs")
    (_, memory), other = usage()
    assert memory is not None
    assert memory > 1 << 20
    assert other == (None, None)
    run.end()
