"""`rt run --detach`, and the commands that see and steer a run from another terminal."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

from controlled import await_run
from rig import Box

SERVE = "echo up; exec sleep 600"
WORKSPACE = {
    "package.json": {"name": "root", "workspaces": ["packages/*"]},
    "packages/a/package.json": {"name": "a", "scripts": {"dev": "echo one; echo two >&2; echo three; exec sleep 600"}},
    "packages/b/package.json": {"name": "b", "scripts": {"dev": SERVE}},
}


def detach(box: Box, *arguments: str) -> str:
    """Start a run in the background, and return its id."""
    result = box.run("run", "--detach", *arguments)
    assert (result.returncode, result.stderr) == (0, b""), result
    first, *others = result.stdout.decode().splitlines()
    _, run, _, pid, *_ = first.replace(")", "").split()
    assert first == f"run {run} (process {pid}) continues in the background"
    assert [line.split()[:2] for line in others] == [["rt", "ps"], ["rt", "logs"], ["rt", "attach"], ["rt", "stop"]]
    assert os.getsid(int(pid)) == int(pid)
    return run


def said(box: Box, *arguments: str) -> str:
    """Run a command that succeeds and prints nothing to stderr, and return what it prints."""
    result = box.run(*arguments)
    assert (result.returncode, result.stderr) == (0, b""), result
    return result.stdout.decode()


def refused(box: Box, *arguments: str, cwd: Path | str | None = None) -> str:
    """Run a command that fails and prints nothing to stdout, and return its message."""
    result = box.run(*arguments, cwd=cwd or box.folder)
    assert (result.returncode, result.stdout) == (1, b""), result
    return result.stderr.decode()


def tasks(box: Box) -> dict[str, int]:
    """Return the number of tasks of the only run in each state."""
    (run,) = json.loads(said(box, "ps", "--json"))
    return dict(run["tasks"])


def test_a_run_in_the_background(box: Box) -> None:
    box.write(WORKSPACE)
    run = detach(box, "--filter", "*", "dev")
    (described,) = json.loads(said(box, "ps", "--json"))
    assert (described["id"], described["folder"], described["root"]) == (run, str(box.folder), str(box.folder))
    assert (described["tasks"], described["detached"]) == ({"running": 2}, True)
    heading, row = said(box, "ps").splitlines()
    assert heading.split() == ["RUN", "PID", "AGE", "TASKS", "COMMAND", "FOLDER"]
    assert row.split()[:2] == [run, str(described["pid"])]
    assert "2 running  rt run --detach --filter * dev  ~" in row

    follower = box.start("logs", "-f", "b", "--json")
    assert follower.stdout is not None
    assert json.loads(follower.stdout.readline())["text"] == "up"
    first = box.start("logs", "-f", "a")
    assert first.stdout is not None
    assert [first.stdout.readline() for _ in range(3)] == [b"one\n", b"two\n", b"three\n"]
    assert said(box, "logs", "a") == "one\ntwo\nthree\n"  # --filter joins the streams
    assert said(box, "logs", "a", "-n", "1") == said(box, "logs", run, "a#dev", "--lines=1") == "three\n"
    assert said(box, "logs") == "a dev | one\na dev | two\na dev | three\nb dev | up\n"
    objects = [json.loads(line) for line in said(box, "logs", "a", "--json").splitlines()]
    assert [each["text"] for each in objects] == ["one", "two", "three"]

    assert said(box, "stop", "a") == "stopped a dev\n"
    assert tasks(box) == {"running": 1, "stopped": 1}
    assert said(box, "stop", "a") == "nothing to stop\n"
    assert json.loads(said(box, "start", "dev", "--json")) == {"run": run, "started": ["a dev"]}
    assert said(box, "restart", "--failed") == "nothing to restart\n"
    assert said(box, "restart", run, "b") == "restarted b dev\n"
    assert refused(box, "stop", "c") == 'error: this run has no task "c"\nnote: tasks: a#dev, b#dev\n'
    assert refused(box, "start") == f"error: usage: rt start [run] TASK...\nnote: `rt logs {run}` shows its tasks\n"
    shown = box.run("completions", "--complete", "restart", run, "").stdout.decode().splitlines()
    assert shown == ["a#dev\trunning", "b#dev\trunning"]

    attached = box.start("attach", run)
    assert attached.stdout is not None
    while b"b dev | up\n" not in attached.stdout.readline():
        pass
    attached.send_signal(signal.SIGINT)
    assert attached.communicate(timeout=60)[1] == f"run {run} continues\n".encode()
    assert attached.returncode == 0

    assert said(box, "stop") == f"stopped run {run}\n"
    first.communicate(timeout=60)
    rest = [json.loads(line) for line in follower.communicate(timeout=60)[0].splitlines()]
    assert follower.returncode == 0
    assert rest[-1]["event"] == "task-ended"
    box.await_nothing_left()
    assert list((box.cache / "rt/runs").iterdir()) == []
    assert said(box, "ps") == "no run can be controlled: runs with --detach, --watch or --ui=tui can\n"
    assert json.loads(said(box, "ps", "--json")) == []


def test_nothing_survives_the_death_of_a_run_in_the_background(box: Box) -> None:
    box.write(WORKSPACE)
    detach(box, "--filter", "*", "dev")
    (described,) = json.loads(said(box, "ps", "--json"))
    assert len(list((box.cache / "rt/runs").iterdir())) == 1
    os.kill(described["pid"], signal.SIGKILL)
    box.await_nothing_left()
    assert "error: no run of " in refused(box, "attach")
    assert list((box.cache / "rt/runs").iterdir()) == []


def test_errors_before_the_first_script_are_those_of_the_caller(box: Box) -> None:
    box.write(WORKSPACE)
    assert (
        refused(box, "run", "--detach", "--filter", "*", "nope")
        == 'error: Script "nope" not found in 2 packages matching "*"\n'
    )
    assert refused(box, "run", "--detach", "--filter", "zz", "dev").startswith(
        "error: No workspace packages matched the filter"
    )
    result = box.run("run", "--detach", "--filter", "*", "dev", environment={"PATH": "/nonexistent"})
    assert result.returncode == 1
    assert b"error: no shell to run scripts with" in result.stderr
    box.write({"bin/bash": b"\x7fELF no program", "bin/sh": b"\x7fELF no program"})
    for name in ("bash", "sh"):
        (box.folder / "bin" / name).chmod(0o755)
    result = box.run("run", "--detach", "--filter", "*", "dev", environment={"PATH": f"{box.folder}/bin"})
    assert (result.returncode, result.stdout) == (1, b"")
    assert b"error: cannot start " in result.stderr, result  # it happens in the background
    assert list((box.cache / "rt/runs").glob("*")) == []
    box.await_nothing_left()


def test_several_runs(box: Box) -> None:
    """One with --watch in the foreground, and two in the background, of which one is a single script in another workspace."""
    box.write(WORKSPACE)
    box.write({"other/package.json": {"name": "other", "workspaces": [], "scripts": {"serve": SERVE}}})
    watching = box.start("run", "--filter", "a", "--watch", "dev", stdout=subprocess.DEVNULL)
    first = await_run(box).name
    second = detach(box, "--filter", "b", "dev")
    third = detach(box, "--cwd", "other", "serve")
    shown = f"{first} (dev), {second} (dev)"
    assert refused(box, "stop") == (
        f"error: 2 runs are those of this workspace: {shown}\nnote: put the id of one first\n"
    )
    assert refused(box, "attach", "zzz1").startswith("error: 2 runs are those of this workspace: ")
    assert refused(box, "attach", "zzz1", cwd=box.folder / "other") == (
        f'error: there is no run "zzz1"\nnote: runs: {shown}, {third} (serve)\n'
    )
    assert refused(box, "logs", cwd="/") == (
        f"error: no run of / can be controlled\nnote: elsewhere: {shown}, {third} (serve)\n"
    )
    follower = box.start("logs", "-f", cwd=box.folder / "other")
    assert follower.stdout is not None
    assert follower.stdout.readline() == b"up\n"
    for run in (first, second, third):
        assert said(box, "stop", run) == f"stopped run {run}\n"
    assert watching.wait(timeout=60) == -signal.SIGTERM
    box.await_nothing_left()


def test_scripts_files_and_binaries_precede_the_commands(box: Box) -> None:
    box.write(
        {
            "package.json": {"name": "app", "scripts": {"start": "echo script", "restart": "echo again"}},
            "stop.js": "console.log('file', process.argv.slice(2).join());",
            "node_modules/.bin/ps": "#!/bin/sh\necho binary $*\n",
        }
    )
    assert said(box, "--silent", "start", "--json", "x") == "script --json x\n"
    assert said(box, "--silent", "run", "start") == "script\n"
    assert said(box, "--silent", "restart") == "again\n"
    assert said(box, "stop", "-n", "1") == "file -n,1\n"
    assert said(box, "ps", "aux") == "binary aux\n"
    assert said(box, "--filter", "*", "start", "-q") == "app start: script -q\napp start: Exited with code 0\n"
    assert "Usage: rt logs [flags] [run] [task...]" in said(box, "logs", "--help")
    assert said(box, "--silent", "start", "--help") == "script --help\n"
    box.write({"package.json": {"name": "app"}})
    assert "Usage: rt start" in said(box, "start", "--help")
    assert "no run of" in refused(box, "start", "x")


def test_a_run_goes_on_with_another_plan(box: Box) -> None:
    """An edit of a package.json that adds a hook ends the scripts and makes another plan; clients follow it."""
    box.write(WORKSPACE)
    watching = box.start("run", "--filter", "*", "--watch", "dev", stdout=subprocess.DEVNULL)
    run = await_run(box).name
    follower = box.start("logs", "-f", "b")
    assert follower.stdout is not None
    assert follower.stdout.readline() == b"up\n"
    scripts = {"predev": "echo before", "dev": SERVE}
    box.write({"packages/b/package.json": {"name": "b", "scripts": scripts}})
    assert follower.stdout.readline() == b"before\n"
    assert follower.stdout.readline() == b"up\n"
    assert [each["id"] for each in json.loads(said(box, "ps", "--json"))] == [run]
    assert said(box, "stop") == f"stopped run {run}\n"
    assert watching.wait(timeout=60) == -signal.SIGTERM
    assert follower.wait(timeout=60) == 0
    box.await_nothing_left()


def test_a_run_that_does_not_end_is_killed_by_the_second_stop(box: Box) -> None:
    box.scripts(dev="trap '' TERM INT; echo up; while :; do sleep 0.01; done")
    run = detach(box, "--grace-period", "600000", "dev")
    events = box.start("logs", "-f", "--json")
    assert events.stdout is not None
    assert json.loads(events.stdout.readline())["text"] == "up"
    first = box.start("stop")
    assert json.loads(events.stdout.readline())["event"] == "interrupted"
    assert said(box, "stop", run) == f"stopped run {run}\n"
    assert first.wait(timeout=60) == 0
    box.await_nothing_left()


def test_what_cannot_run_in_the_background(box: Box) -> None:
    box.write(WORKSPACE)
    message = "error: --detach requires a script or a file to run in the background\n"
    for arguments in (
        ("run", "--detach"),
        ("--detach", "-"),
        ("--detach", "x", "tsc"),
        ("--detach", "--test"),
        ("--detach", "exec", "true"),
    ):
        assert refused(box, *arguments) == message
    assert "a dev" in said(box, "run", "--detach", "--dry-run", "--filter", "*", "dev")
    assert list((box.cache / "rt").glob("runs/*")) == []
