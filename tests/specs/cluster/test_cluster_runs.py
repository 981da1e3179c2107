"""Runs of tasks on a cluster of several agents: results, output, variables, files, settings. The faults are in `test_cluster_faults.py`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from clusters import WORKSPACE, Cluster, summary_of, tree_of
from rig import Box, wait_until


def run_on(cluster: Cluster, box: Box, *arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return box.run("run", "--on", cluster.address, "--tasks", *arguments, **options)


def one_task(command: str, settings: str = "outputs = []", **more: Any) -> dict[str, Any]:
    """Return a workspace of one package, whose task `work` runs `command`."""
    manifest = {"name": "app", "scripts": {"work": command}}
    return {".gitignore": "out\n", "package.json": manifest, "rtfig.toml": f"[tasks.work]\n{settings}\n"} | more


def test_a_run_has_the_tree_lines_status_and_summary_of_a_local_one(cluster: Cluster, box: Box, tmp_path: Path) -> None:
    results = []
    for name, where in (("here", ()), ("there", ("--on", cluster.address))):
        folder = tmp_path / name
        folder.mkdir()
        own = Box(folder)
        own.write(WORKSPACE)
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        first = own.run("run", *where, "--tasks", "build", "test", "--summarize", "first.json", "--trace", "trace.json")
        again = own.run("run", *where, "--tasks", "build", "--summarize", "second.json")
        lines = [sorted(each.stdout.decode().splitlines()) for each in (first, again)]
        lines = [[line for line in each if "saved" not in line] for each in lines]
        entries = json.loads((folder / "trace.json").read_text())["traceEvents"]
        names = {entry["name"] for entry in entries}
        processes = {each["pid"]: each["args"]["name"] for each in entries if each["name"] == "process_name"}
        machines = {processes[entry["pid"]].split("-")[0] for entry in entries if entry["ph"] == "X"}
        assert machines == ({os.uname().nodename} if where else {"rt run"})  # one for each agent, or this one
        summaries = [summary_of(folder / f"{which}.json") for which in ("first", "second")]
        results.append((first.returncode, first.stderr, lines, tree_of(folder), summaries, "a build" in names))
        own.close()
    assert results[0] == results[1]
    status, err, lines, tree, (_, second), _ = results[1]
    assert status == 3 and err == b""
    assert {"a test: text of a", "b prebuild: err", "b test: Exited with code 3"} <= set(lines[0])
    assert tree["packages/c/dist/all"][1] == "text of a\nb\nc\n"
    assert {task["cache"] for task in second} == {"hit"}


def test_output_arrives_while_a_task_runs_and_a_failure_skips_dependents(cluster: Cluster, box: Box) -> None:
    files = one_task(
        "echo first; while [ ! -e $GO ]; do sleep 0.01; done; echo second; exit 7", 'env = ["GO"]\noutputs = []'
    )
    files["rtfig.toml"] += '[tasks.after]\ndependsOn = ["work"]\n'
    files["package.json"]["scripts"]["after"] = "echo never"
    box.write(files)
    go = box.folder / "go"
    arguments = ("run", "--on", cluster.address, "--tasks", "work", "after")
    process = box.start(*arguments, environment={"GO": str(go)}, stderr=subprocess.STDOUT)
    assert process.stdout is not None
    assert process.stdout.readline() == b"app work: first\n"
    go.write_text("")
    rest, _ = process.communicate()
    assert b"app work: second\napp work: Exited with code 7\n" in rest and b"never" not in rest
    assert process.returncode == 7


def test_variables_travel_only_if_a_setting_names_them(cluster: Cluster, box: Box) -> None:
    settings = 'tags = ["big"]\nenv = ["NAMED", "ONLY_HERE"]\noutputs = []'
    box.write(one_task('echo "[$NAMED] [$OTHER] [$ONLY_HERE] [$RT_AGENT_SLOTS] [$OMP_NUM_THREADS]"', settings))
    environment = {"NAMED": "named secret", "OTHER": "other"}
    result = run_on(cluster, box, "--show-agents", "work", environment=environment)
    agent = re.escape(os.uname().nodename) + r"-\d+-0"
    assert re.match(rf"app work @{agent}: \[named secret\] \[\] \[\] \[\] \[\]\n", result.stdout.decode()), result


def test_much_output_arrives_in_full_and_in_order(cluster: Cluster, box: Box) -> None:
    box.write(one_task("seq 1 600000"))
    result = run_on(cluster, box, "work", "--output=raw")
    assert result.stdout == b"".join(b"%d\n" % number for number in range(1, 600_001))


def test_the_second_run_sends_only_what_has_changed(cluster: Cluster, box: Box) -> None:
    more = {f"src/{number}/file": f"{number}\n" for number in range(300)}
    box.write(one_task("cat src/*/file | tail -n 1; wc -l < src/7/file", 'tags = ["big"]\noutputs = []', **more))
    run_on(cluster, box, "work")
    stored = set((cluster.box.folder / "agent1/contents").glob("*/*"))
    box.write({"src/7/file": "one\ntwo\n", "src/999/file": "last\n"})
    result = run_on(cluster, box, "work")
    assert result.stdout.startswith(b"app work: last\napp work: 2\n"), result
    new = set((cluster.box.folder / "agent1/contents").glob("*/*")) - stored
    assert len(new) <= 6  # two files, two parts, the manifest and the result


def test_the_address_makes_a_run_one_of_tasks(cluster: Cluster, box: Box) -> None:
    """The settings are those of turbo.json, which a run without --tasks does not read otherwise."""
    files = one_task("mkdir -p dist; pwd > dist/where")
    files["turbo.json"] = {"tasks": {"work": {"outputs": ["dist/**"]}}}
    del files["rtfig.toml"]
    box.write(files)
    result = box.run("run", "--on", cluster.address, "--filter", "app", "work")
    assert (result.returncode, result.stderr) == (0, b"")
    assert (box.folder / "dist/where").read_text() != f"{box.folder}\n"
    refused = box.run("run", "--on", cluster.address, "other")
    assert refused.returncode == 1 and b"other" in refused.stderr


def test_a_changed_file_of_the_store_is_fetched_again(cluster: Cluster, box: Box) -> None:
    box.write(one_task("echo more >> text; cat text", 'tags = ["big"]\ncache = false', text="as it was\n"))
    for _ in range(2):
        assert run_on(cluster, box, "work").stdout.startswith(b"app work: as it was\napp work: more\napp work: Exited")


def test_an_output_that_git_does_not_ignore_may_change_while_agents_still_need_it(cluster: Cluster, box: Box) -> None:
    files = one_task("date +%N > made", 'tags = ["other"]\ncache = false\noutputs = ["made"]')
    files["package.json"]["scripts"]["after"] = "cat made"
    files["rtfig.toml"] += '[tasks.after]\ntags = ["big"]\ndependsOn = ["work"]\ncache = false\n'
    box.write(files)
    for _ in range(2):  # the second run starts with the output of the first
        result = run_on(cluster, box, "after")
        assert f"app after: {(box.folder / 'made').read_text()}" in result.stdout.decode(), result


def test_only_requested_outputs_are_put_in_place(cluster: Cluster, box: Box) -> None:
    box.write(WORKSPACE)
    arguments = ("--filter", "c", "--outputs=requested", "--output=json", "build")
    result = box.run("run", "--on", cluster.address, *arguments)
    assert result.returncode == 0, result
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assigned = [event["label"] for event in events if event["event"] == "task-assigned"]
    assert assigned == ["a build", "b build", "c build"]
    assert {path.split("/")[1] for path in tree_of(box.folder)} == {"c"}
    again = box.run("run", "--filter", "c", "build")  # the others are in the cache
    assert again.stdout.count(b"cached") == 3 and len(tree_of(box.folder)) == 5


def test_local_tasks_services_and_their_dependents_stay_here(cluster: Cluster, box: Box) -> None:
    files = one_task("pwd")
    files["package.json"]["scripts"] |= {"here": "pwd", "serve": "pwd; echo up; sleep 60", "e2e": "pwd"}
    files["rtfig.toml"] = (
        '[tasks.work]\ntags = ["big"]\n[tasks.here]\nlocal = true\n'
        '[tasks.serve]\npersistent = true\nready = { line = "up" }\n[tasks.e2e]\ndependsOn = ["serve"]\n'
    )
    box.write(files)
    result = run_on(cluster, box, "work", "here", "e2e")
    assert result.returncode == 0, result
    at = dict(line.split(": ") for line in result.stdout.decode().splitlines() if "/" in line)
    assert at["app work"].startswith(str(cluster.box.folder / "agent1/runs"))
    assert at["app here"] == at["app serve"] == at["app e2e"] == str(box.folder)


def test_attempts_timeouts_and_arguments_are_those_of_a_local_run(cluster: Cluster, box: Box) -> None:
    files = one_task('echo "$0 got" "$@" ; exit 1', "retries = 1\ncache = false")
    files["package.json"]["scripts"] |= {"late": "sleep 60 #", "work": "node args.js"}
    files["args.js"] = "console.log(process.argv.slice(2).join('|')); process.exit(4)"
    files["rtfig.toml"] += '[tasks.late]\ntimeout = "200ms"\n'
    box.write(files)
    result = run_on(cluster, box, "work", "late", "--", "one word", "--flag")
    out = result.stdout.decode() + result.stderr.decode()
    assert "app work: one word|--flag\n" in out and "app work (attempt 2): one word|--flag\n" in out, out
    assert "app late timed out after 200 ms" in out and result.returncode == 4


def test_continue_never_ends_what_runs_elsewhere(cluster: Cluster, box: Box) -> None:
    files = one_task("while [ ! -e $GO ]; do sleep 0.01; done; exit 5", 'env = ["GO"]')
    files["package.json"]["scripts"]["other"] = "echo runs; sleep 60"
    files["rtfig.toml"] += "[tasks.other]\n"
    box.write(files)
    go = box.folder / "go"
    arguments = ("run", "--on", cluster.address, "--tasks", "work", "other", "--continue=never")
    process = box.start(*arguments, environment={"GO": str(go)})
    assert process.stdout is not None
    assert process.stdout.readline() == b"app other: runs\n"
    go.write_text("")
    out, _ = process.communicate()
    assert process.returncode == 5 and b"app other: Signaled with code SIGINT" in out, out


def test_packages_are_installed_once_for_each_lockfile(cluster: Cluster, box: Box) -> None:
    lock = {"name": "app", "lockfileVersion": 3, "packages": {"": {"name": "app"}}}
    files = one_task("cat node_modules/x/text packages/p/node_modules/y", 'tags = ["big"]\ncache = false')
    install = f"echo >> {box.folder}/installed; mkdir -p node_modules/x packages/p/node_modules; pwd > node_modules/x/text; echo y > packages/p/node_modules/y"
    files["rtfig.toml"] += f"[cluster]\naddress = '{cluster.address}'\nsetup = '{install}'\n"
    box.write(files | {"package-lock.json": lock})
    results = [box.run("run", "work") for _ in range(2)]
    assert [result.returncode for result in results] == [0, 0], results
    assert results[0].stdout == results[1].stdout and b"/agent1/runs/" in results[0].stdout
    assert (box.folder / "installed").read_text() == "\n"
    box.write({"package-lock.json": lock | {"version": "2.0.0"}})
    assert box.run("run", "work").returncode == 0
    assert (box.folder / "installed").read_text() == "\n\n"
    failing = box.run("run", "--force", "--cluster-setup", "echo no network; exit 9", "work")
    assert b'"echo no network; exit 9" failed with status 9 on the agent: no network\n' in failing.stderr, failing


def test_a_worker_of_dask_becomes_an_agent_by_a_preload(cluster: Cluster, box: Box) -> None:
    box.write(one_task("pwd", 'tags = ["preloaded"]'))
    command = [sys.executable, "-m", "dask", "worker", cluster.address, "--nthreads", "1", "--no-dashboard"]
    environment = os.environ | {"RT_AGENT_FOLDER": str(box.folder / "preloaded"), "RT_AGENT_TAGS": "preloaded"}
    log = box.folder / "log"
    with log.open("wb") as file:
        worker = subprocess.Popen(
            [*command, "--preload", "rt_supervisor.cluster"], stdout=file, stderr=file, env=environment, cwd=box.folder
        )
    try:
        wait_until(lambda: b"Registered to" in log.read_bytes(), "the worker has joined")
        result = run_on(cluster, box, "work")
        assert result.stdout.startswith(f"app work: {box.folder}/preloaded/runs/".encode()), result
    finally:
        worker.terminate()
        worker.wait()


def test_agents_of_another_version_are_refused(cluster: Cluster, box: Box) -> None:
    box.write(one_task("true"))
    command = [sys.executable, "-m", "dask", "worker", cluster.address, "--no-dashboard", "--resources", "rt/9.9.9=1"]
    log = box.folder / "log"
    with log.open("wb") as file:
        worker = subprocess.Popen(command, stdout=file, stderr=file, cwd=box.folder)
    try:
        wait_until(lambda: b"Registered to" in log.read_bytes() or worker.poll() is not None, "the worker has joined")
        result = run_on(cluster, box, "work")
        assert result.returncode == 1 and b" runs rt 9.9.9, and this is rt 0." in result.stderr, (
            result,
            log.read_text(),
        )
    finally:
        worker.terminate()
        worker.wait()


def test_what_a_run_needs_of_its_cluster(cluster: Cluster, box: Box) -> None:
    box.write(one_task("true", 'tags = ["absent"]'))
    missing = run_on(cluster, box, "work", environment={"RT_CLUSTER_WAIT": "0"})
    assert missing.returncode == 1 and b'has the tag "absent", which //#work requires' in missing.stderr, missing
    by_flag = run_on(cluster, box, "--ui=tui", "work")
    assert b"--ui=tui and --on cannot be used together: use --ui=blocks, or leave out --on to run" in by_flag.stderr
    watched = box.run("run", "--tasks", "--watch", "work", environment={"RT_CLUSTER": cluster.address})
    assert b"--watch and RT_CLUSTER cannot be used together: add --on= to watch and run the tasks on" in watched.stderr
    here = box.run("run", "--tasks", "--on=", "work", environment={"RT_CLUSTER": "tcp://10.9.9.9:8786"})
    assert here.returncode == 0, here
    by_variable = box.run("run", "--tasks", "work", environment={"RT_CLUSTER": "tcp://10.9.9.9:8786"})
    assert b"connections to tcp://10.9.9.9:8786 would be neither encrypted nor authenticated" in by_variable.stderr
