"""What a task costs on a cluster of this machine, and how near its schedule is to the ideal one.

    benchmarks/cluster.py [--agents 4] [--no-ops 500] [--naps 60] [--nap-ms 200] [--files 5000] [--rt .venv/bin/rt]

Three measurements on `--agents` agents with one slot each, whose processes share the CPUs of this machine with the requesting one:

- tasks that do nothing: wall time for each, and without that of a local run with as many at once, which the processes themselves cost; the goal
  of the difference is 3 ms with 10,000 tasks on 8 agents;
- tasks that sleep: wall time, divided by that of the ideal schedule; the goal is 1.15 with 300 tasks of 200 ms on 8 agents;
- a workspace of many files: the time until its first task runs, on agents without any of them, and again after one file has changed.

The time of an empty run, which connects and reads the workspace, is measured first and subtracted from the first two.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path


def make_workspace(root: Path, tasks: int, command: str) -> None:
    """Write a workspace of `tasks` packages without dependencies, each with one script."""
    manifest = {"name": "root", "private": True, "workspaces": ["packages/*"]}
    (root / "package.json").write_text(json.dumps(manifest))
    (root / "rtfig.toml").write_text("[tasks.work]\ncache = false\noutputs = []\n")
    for number in range(tasks):
        folder = root / "packages" / f"p{number:05d}"
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps({"name": folder.name, "scripts": {"work": command}}))


def time_run(rt: str, root: Path, address: str, environment: dict[str, str], *arguments: str) -> float:
    """Run the tasks on the cluster at `address`, "" for none, and return the wall time in seconds."""
    where = ["--on", address] if address else []
    words = [rt, "run", *where, "--filter", "*", *arguments, "work"]
    began = time.perf_counter()
    done = subprocess.run(words, cwd=root, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} failed: {done.stderr[-800:].decode()}")
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", type=int, default=4)
    parser.add_argument("--no-ops", type=int, default=500)
    parser.add_argument("--naps", type=int, default=60)
    parser.add_argument("--nap-ms", type=int, default=200)
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--rt", default=str(Path(__file__).parents[1] / ".venv/bin/rt"))
    options = parser.parse_args()
    base = Path(tempfile.mkdtemp(prefix="rt-cluster-benchmark-"))
    environment = os.environ | {"XDG_CACHE_HOME": str(base / "cache")}
    servers: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str) -> str:
        folder = str(base / f"agent{len(servers)}")
        words = [options.rt, "agent", *arguments, "--slots", "1", "--folder", folder]
        server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        servers.append(server)
        assert server.stdout is not None
        return server.stdout.readline().decode().strip()

    try:
        address = start("--scheduler", "--port", "0")
        for _ in range(options.agents - 1):
            start(address)
        measure(options, base, address, environment)
    finally:
        for server in servers:
            server.terminate()
        for server in servers:
            server.wait()
        shutil.rmtree(base, ignore_errors=True)


def measure(options: argparse.Namespace, base: Path, address: str, environment: dict[str, str]) -> None:
    """Print all figures."""
    roots = {}
    for name, count, command in (
        ("empty", 1, "true"),
        ("no-ops", options.no_ops, "true"),
        ("naps", options.naps, f"sleep {options.nap_ms / 1000}"),
        ("files", 1, "true"),
    ):
        root = roots[name] = base / name
        root.mkdir()
        make_workspace(root, count, command)
    for number in range(options.files):
        place = roots["files"] / "packages/p00000/src" / str(number % 100)
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number}.js").write_text(f"export const x = {number};\n" * 20)
    for root in roots.values():
        git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
        for words in (["init", "-q", "."], ["add", "-A"], ["commit", "-qm", "x"]):
            subprocess.run([*git, *words], cwd=root, check=True)
    time_run(options.rt, roots["empty"], address, environment)  # starts the slots
    empty_s = min(time_run(options.rt, roots["empty"], address, environment) for _ in range(3))
    print(f"empty run: {empty_s:.2f} s")
    no_ops_s = time_run(options.rt, roots["no-ops"], address, environment) - empty_s
    local_s = time_run(options.rt, roots["no-ops"], "", environment, "--concurrency", str(options.agents))
    each_ms, local_ms = (1000 * seconds / options.no_ops for seconds in (no_ops_s, local_s))
    print(
        f"{options.no_ops} tasks that do nothing on {options.agents} agents: {each_ms:.2f} ms each, "
        f"{each_ms - local_ms:.2f} ms more than on this machine alone"
    )
    rounds = -(-options.naps // options.agents)
    naps_s = time_run(options.rt, roots["naps"], address, environment) - empty_s
    ideal_s = rounds * options.nap_ms / 1000
    print(f"{options.naps} tasks of {options.nap_ms} ms: {naps_s:.2f} s, {naps_s / ideal_s:.2f} of the ideal schedule")
    first_s = time_run(options.rt, roots["files"], address, environment)
    (roots["files"] / "packages/p00000/src/0/0.js").write_text("changed\n")
    again_s = time_run(options.rt, roots["files"], address, environment)
    print(f"{options.files} files: {first_s:.2f} s the first time, {again_s:.2f} s after one has changed")


if __name__ == "__main__":
    main()
