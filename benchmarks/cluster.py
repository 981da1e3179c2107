"""What a task costs on a cluster of this machine, and how near its schedule is to the ideal one.

    benchmarks/cluster.py [--agents 8] [--no-ops 1000] [--naps 300] [--nap-ms 200] [--files 5000] [--file-bytes 800] [--again 3]

Three measurements on `--agents` agents with one slot each, whose processes share the CPUs of this machine with the requesting one; 0 leaves
one out:

- tasks that do nothing: the wall time of the run for each, also without that of an empty run, and that of a local run with as many at once,
  which the processes themselves cost; the goal is 3 ms with 10,000 tasks on 8 agents. Then the CPU time for each, without that of the processes
  of tasks, in the requesting process, the scheduler, the agents and their slots;
- tasks that sleep: the wall time without that of an empty run, divided by that of the ideal schedule, and the same for a local run; the goal is
  1.15 with 300 tasks of 200 ms on 8 agents;
- a workspace of many files: the time until its first task runs, and until the run has ended, on agents without any of the files, and `--again`
  times after one file has changed; the goal is 2 seconds until the first task with 100,000 files of 10 KB.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from servers import processor_s

RT = str(Path(__file__).parents[1] / ".venv/bin/rt")
GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "gc.auto=0")


class Run(NamedTuple):
    """Wall time of a run, CPU time of its process and of those that it waited for, and what the run has printed."""

    wall_s: float
    cpu_s: float
    printed: str


def make_workspace(root: Path, tasks: int, command: str) -> None:
    """Write a workspace of `tasks` packages without dependencies, each with one script."""
    root.mkdir()
    manifest = {"name": "root", "private": True, "workspaces": ["packages/*"]}
    (root / "package.json").write_text(json.dumps(manifest))
    (root / "rtfig.toml").write_text("[tasks.work]\ncache = false\noutputs = []\n")
    for number in range(tasks):
        folder = root / "packages" / f"p{number:05d}"
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps({"name": folder.name, "scripts": {"work": command}}))


def commit(root: Path) -> None:
    for words in (["init", "-q", "."], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*GIT, *words], cwd=root, check=True)


class Cluster:
    """A scheduler in the process of the first agent, and further agents, below the folder `base`."""

    def __init__(self, base: Path, agents: int) -> None:
        self._base = base
        self._environment = os.environ | {"XDG_CACHE_HOME": str(base / "cache")}
        self._servers: list[subprocess.Popen[bytes]] = []
        self.address = self._start("--scheduler", "--port", "0")
        for _ in range(agents - 1):
            self._start(self.address)

    def _start(self, *arguments: str) -> str:
        folder = str(self._base / f"agent{len(self._servers)}")
        words = [RT, "agent", *arguments, "--slots", "1", "--folder", folder]
        server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self._environment)
        self._servers.append(server)
        assert server.stdout is not None
        return server.stdout.readline().decode().strip()

    def close(self) -> None:
        for server in self._servers:
            server.terminate()
        for server in self._servers:
            server.wait()

    def run(self, root: Path, *arguments: str, is_local: bool = False) -> Run:
        """Run the tasks of the workspace `root`."""
        where = [] if is_local else ["--on", self.address]
        words = [RT, "run", *where, "--filter", "*", *arguments, "work"]
        before, began = own_cpu_s(), time.perf_counter()
        done = subprocess.run(
            words, cwd=root, env=self._environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        wall_s = time.perf_counter() - began
        if done.returncode:
            raise SystemExit(f"{' '.join(words)} failed: {done.stderr[-800:]}")
        return Run(wall_s, own_cpu_s() - before, done.stdout)

    def cpu_s(self) -> dict[str, float]:
        """Return the CPU time that the living processes of each kind have taken: not that of tasks."""
        found = {"scheduler": processor_s(self._servers[0].pid), "agents": 0.0, "slots": 0.0}
        for server in self._servers:
            for pid, command in processes_below(server.pid, ""):
                found["slots" if "--slot" in command else "agents"] += processor_s(pid)
        return found


def own_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def processes_below(pid: int, inherited: str) -> Iterator[tuple[int, str]]:
    """Yield the processes below `pid`, each with its command line; one below a slot has that of the slot."""
    texts = [place.read_text() for place in Path(f"/proc/{pid}/task").glob("*/children")]
    for child in map(int, " ".join(texts).split()):
        command = inherited or Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
        yield child, command
        yield from processes_below(child, command if "--slot" in command else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", type=int, default=8)
    parser.add_argument("--no-ops", type=int, default=1000)
    parser.add_argument("--naps", type=int, default=300)
    parser.add_argument("--nap-ms", type=int, default=200)
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--file-bytes", type=int, default=800)
    parser.add_argument("--again", type=int, default=3)
    options = parser.parse_args()
    base = Path(tempfile.mkdtemp(prefix="rt-cluster-benchmark-"))
    try:
        cluster = Cluster(base, options.agents)
        try:
            measure(options, base, cluster)
        finally:
            cluster.close()
    finally:
        shutil.rmtree(base, ignore_errors=True)


def measure(options: argparse.Namespace, base: Path, cluster: Cluster) -> None:
    """Print all figures."""
    root = base / "empty"
    make_workspace(root, 1, "true")
    commit(root)
    cluster.run(root)  # starts the slots
    empty = min(cluster.run(root) for _ in range(3))
    print(f"empty run: {empty.wall_s:.2f} s, {empty.cpu_s:.2f} s of CPU time in the requesting process", flush=True)
    if options.no_ops:
        measure_no_ops(base / "no-ops", options.no_ops, options.agents, cluster, empty)
    if options.naps:
        measure_naps(base / "naps", options.naps, options.nap_ms / 1000, options.agents, cluster, empty)
    if options.files:
        measure_files(base / "files", options.files, options.file_bytes, options.again, cluster)


def measure_no_ops(root: Path, tasks: int, agents: int, cluster: Cluster, empty: Run) -> None:
    make_workspace(root, tasks, "true")
    commit(root)
    before = cluster.cpu_s()
    run = cluster.run(root)
    spent = {kind: after - before[kind] for kind, after in cluster.cpu_s().items()}
    spent["the requesting process"] = run.cpu_s - empty.cpu_s
    local = cluster.run(root, "--concurrency", str(agents), is_local=True)
    whole_ms, more_ms, local_ms, cpu_ms = (
        1000 * seconds / tasks for seconds in (run.wall_s, run.wall_s - empty.wall_s, local.wall_s, sum(spent.values()))
    )
    print(
        f"{tasks} tasks that do nothing on {agents} agents: {whole_ms:.2f} ms each; {more_ms:.2f} without an empty run, and "
        f"{local_ms:.2f} without a cluster"
    )
    shares = ", ".join(f"{1000 * seconds / tasks:.2f} in {kind}" for kind, seconds in spent.items())
    print(f"  {cpu_ms:.2f} ms of CPU time each: {shares}", flush=True)


def measure_naps(root: Path, tasks: int, nap_s: float, agents: int, cluster: Cluster, empty: Run) -> None:
    make_workspace(root, tasks, f"sleep {nap_s}")
    commit(root)
    ideal_s = -(-tasks // agents) * nap_s
    run = cluster.run(root)
    local = cluster.run(root, "--concurrency", str(agents), is_local=True)
    print(
        f"{tasks} tasks of {1000 * nap_s:.0f} ms: {run.wall_s:.2f} s, {(run.wall_s - empty.wall_s) / ideal_s:.3f} of the ideal "
        f"schedule without an empty run, and {local.wall_s / ideal_s:.3f} without a cluster",
        flush=True,
    )


def measure_files(root: Path, files: int, file_bytes: int, again: int, cluster: Cluster) -> None:
    make_workspace(root, 1, "date +%s%N")
    source = root / "packages/p00000/src"
    for number in range(files):
        place = source / str(number % 100)
        place.mkdir(parents=True, exist_ok=True)
        line = f"export const x = {number};\n"
        (place / f"{number}.js").write_text(line * -(-file_bytes // len(line)))
    commit(root)
    print(f"{files} files, the first time: {shown_start(root, cluster)}", flush=True)
    for number in range(again):
        (source / "0/0.js").write_text(f"changed {number}\n")
        print(f"{files} files, after one has changed: {shown_start(root, cluster)}", flush=True)


def shown_start(root: Path, cluster: Cluster) -> str:
    """Run the task of a workspace that prints the time, and return how long it took until it did."""
    began = time.time()
    run = cluster.run(root)
    printed = re.search(r"\b\d{19}\b", run.printed)  # nanoseconds, as `date +%s%N` prints them
    assert printed is not None, run.printed
    started_s = int(printed[0]) / 1e9 - began
    return f"the first task after {started_s:.2f} s, all in {run.wall_s:.2f} s, {run.cpu_s:.2f} s of CPU time in the requesting process"


if __name__ == "__main__":
    main()
