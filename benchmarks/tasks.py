"""The cost of cached runs of tasks: rt beside other task runners, on generated packages.

    benchmarks/tasks.py [--packages 1000] [--rounds 5] [--tools rt,turbo,vp,nx,lage,wireit] [--rt .venv/bin/rt] [--turbo turbo]

Each package has ten source files, depends on up to three earlier packages, and builds `dist/out.js` of its sources. Each tool has a copy
of the workspace with its own settings (rt reads Turborepo's), and no daemon. After a run that fills the caches, the rounds alternate
between the tools: a run of which everything is cached, and a run after one source file has changed. The figures are medians of wall time,
of CPU time (user and system, with all children) and of the largest memory of one process; the goals are ratios of wall time of at most
0.3 and 0.5 to Turborepo. Tools other than rt and turbo are installed from npm below ~/.cache/rt-peers.

`--cold` also measures first runs of rt with traced tasks and without a cache; the goal is a ratio of 1.3.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

FILES = 10
BUILD = "mkdir -p dist && cat src/*.js > dist/out.js && echo built"
TURBO = {"tasks": {"build": {"dependsOn": ["^build"], "inputs": ["src/**"], "outputs": ["dist/**"]}}}
NX = {
    "dependsOn": ["^build"], "inputs": ["{projectRoot}/src/**"], "outputs": ["{projectRoot}/dist"], "cache": True,
}  # fmt: skip
LAGE = {"npmClient": "npm", "pipeline": {"build": TURBO["tasks"]["build"]}}
PEERS = Path(os.environ.get("RT_PEERS") or Path.home() / ".cache/rt-peers/bin")
RUNNERS = Path.home() / ".cache/rt-peers/task-runners"
PACKAGES = {"vp": "vite-plus@1.6", "nx": "nx@24", "lage": "lage@2", "wireit": "wireit@0"}
WORDS = {
    "vp": ["vp", "run", "-r", "--cache", "build"],
    "nx": ["nx", "run-many", "-t", "build"],
    "lage": ["lage", "build"],
    "wireit": ["npm", "run", "build"],
}
QUIET = {
    "TURBO_TELEMETRY_DISABLED": "1",
    "NX_DAEMON": "false",
    "NX_TUI": "false",
    "NX_NO_CLOUD": "true",
    "CI": "1",
    "WIREIT_CACHE": "local",
}


class Cost(NamedTuple):
    """What one run cost: seconds, seconds, bytes."""

    wall_s: float
    cpu_s: float
    peak_bytes: float


def make_workspace(root: Path, count: int) -> Path:
    """Write `count` packages below `root` and commit them. Return the source file to change."""
    chosen = random.Random(count)
    names = [f"p{number:05d}" for number in range(count)]
    lock = {f"node_modules/{name}": {"resolved": f"packages/{name}", "link": True} for name in names}
    manifest = {"name": "root", "private": True, "packageManager": "npm@10.0.0", "workspaces": ["packages/*"]}
    (root / "package.json").write_text(json.dumps(manifest))
    (root / "package-lock.json").write_text(
        json.dumps({"name": "root", "lockfileVersion": 3, "packages": {"": {}, **lock}})
    )
    (root / "turbo.json").write_text(json.dumps(TURBO))
    (root / ".gitignore").write_text("dist\n.turbo\nnode_modules\n")
    for number, name in enumerate(names):
        folder = root / "packages" / name
        (folder / "src").mkdir(parents=True)
        needs = {chosen.choice(names[:number]): "*" for _ in range(min(3, number))}
        package = {"name": name, "version": "1.0.0", "dependencies": needs, "scripts": {"build": BUILD}}
        (folder / "package.json").write_text(json.dumps(package))
        for place in range(FILES):
            (folder / "src" / f"{place}.js").write_text(f"export const x{place} = {number};\n" * 5)
    return root / "packages" / names[-1] / "src" / "0.js"


def commit(root: Path) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q", "."], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], cwd=root, check=True)


def add_settings(root: Path, tool: str) -> None:
    """Write the settings of `tool` in its copy of the workspace; npm's packages are those of RUNNERS."""
    if tool in PACKAGES:
        (root / "node_modules").symlink_to(RUNNERS / "node_modules")
    if tool == "nx":
        (root / "nx.json").write_text(json.dumps({"targetDefaults": {"build": NX}, "analytics": False}))
    elif tool == "lage":
        (root / "lage.config.js").write_text(f"module.exports = {json.dumps(LAGE)};")
    elif tool == "wireit":
        every = sorted((root / "packages").iterdir())
        for folder in every:
            package = json.loads((folder / "package.json").read_text())
            own = {"command": BUILD, "files": ["src/**"], "output": ["dist/**"]}
            own["dependencies"] = [f"../{name}:build" for name in package["dependencies"]]
            package |= {"scripts": {"build": "wireit"}, "wireit": {"build": own}}
            (folder / "package.json").write_text(json.dumps(package))
        package = json.loads((root / "package.json").read_text())
        package["scripts"] = {"build": "wireit"}
        package["wireit"] = {"build": {"dependencies": [f"./packages/{folder.name}:build" for folder in every]}}
        (root / "package.json").write_text(json.dumps(package))


def install(tools: list[str]) -> None:
    """Install the tools that are missing."""
    missing = [
        PACKAGES[tool] for tool in tools if tool in PACKAGES and not (RUNNERS / "node_modules/.bin" / tool).exists()
    ]
    if missing:
        RUNNERS.mkdir(parents=True, exist_ok=True)
        (RUNNERS / "package.json").write_text('{"private": true}')
        flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--save-exact"]
        subprocess.run(["npm", "install", *flags, *missing], cwd=RUNNERS, check=True, stdin=subprocess.DEVNULL)


def run(words: list[str], root: Path, environment: dict[str, str]) -> Cost:
    """Run a command in `root`."""
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        process = subprocess.Popen(
            words, cwd=root, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall_s = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if status:
            output.seek(0)
            raise SystemExit(f"{' '.join(words)} failed in {root}: {output.read()[-800:]!r}")
    return Cost(wall_s, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024.0)


def show(name: str, kind: str, costs: list[Cost]) -> Cost:
    """Print the medians, and return them."""
    middle = Cost(*(statistics.median(each) for each in zip(*costs, strict=True)))
    print(
        f"{name:9} {kind:12} {middle.wall_s:8.3f} s wall {middle.cpu_s:8.3f} s CPU {middle.peak_bytes / 1e6:7.0f} MB",
        flush=True,
    )
    return middle


def measure_cold(words: list[str], root: Path, environment: dict[str, str], rounds: int) -> None:
    """Print the cost of first runs of rt with traced tasks, beside the same without a cache."""
    (root / "turbo.json").unlink()
    (root / "rtfig.toml").write_text('[tasks.build]\ndependsOn = ["^build"]\n')
    found: dict[str, list[Cost]] = {"traced": [], "no cache": []}
    for number in range(rounds):
        for kind, costs in found.items():
            for folder in (root / "packages").iterdir():
                shutil.rmtree(folder / "dist", ignore_errors=True)
            # Moved and not removed: some file systems take long to create files just after others were removed.
            if (store := Path(environment["XDG_CACHE_HOME"], "rt/tasks")).exists():
                store.rename(store.with_name(f"before-{number}-{kind}"))
            costs.append(run([*words, "--no-cache"] if kind == "no cache" else words, root, environment))
    traced, plain = (show("rt", kind, costs) for kind, costs in found.items())
    print(f"ratio     cold         {traced.wall_s / plain.wall_s:8.2f}   wall {traced.cpu_s / plain.cpu_s:8.2f}   CPU")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tools", default="rt,turbo")
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--rt", default=str(Path(__file__).parents[1] / ".venv/bin/rt"))
    parser.add_argument("--turbo", default=shutil.which("turbo") or str(PEERS / "turbo"))
    given = parser.parse_args()
    tools = given.tools.split(",")
    install(tools)
    words = {
        "rt": [str(Path(given.rt).resolve()), "run", "--tasks", "build"],
        "turbo": [given.turbo, "run", "build", "--no-daemon"],
        **WORDS,
    }
    with tempfile.TemporaryDirectory() as place:
        bins = f"{RUNNERS}/node_modules/.bin"
        environment = {
            **os.environ,
            **QUIET,
            "XDG_CACHE_HOME": f"{place}/cache",
            "PATH": f"{bins}:{os.environ['PATH']}",
        }
        sources = {}
        for tool in tools:
            root = Path(place) / tool
            root.mkdir()
            sources[tool] = make_workspace(root, given.packages)
            add_settings(root, tool)
            commit(root)
            show(tool, "first run", [run(words[tool], root, environment)])
            run(words[tool], root, environment)
        costs: dict[tuple[str, str], list[Cost]] = {}
        for number in range(given.rounds):
            for kind in ("all cached", "one edit"):
                for tool in tools:
                    if kind == "one edit":
                        sources[tool].write_text(f"export const x = {number};\n")
                    costs.setdefault((kind, tool), []).append(run(words[tool], Path(place) / tool, environment))
        for kind in ("all cached", "one edit") if given.rounds else ():
            medians = {tool: show(tool, kind, costs[kind, tool]) for tool in tools}
            for tool in tools[1:]:
                ours, theirs = medians[tools[0]], medians[tool]
                wall, cpu = ours.wall_s / theirs.wall_s, ours.cpu_s / theirs.cpu_s
                print(f"{tools[0]}/{tool:6} {kind:12} {wall:8.2f}   wall {cpu:8.2f}   CPU")
        if given.cold:
            measure_cold(words["rt"], Path(place) / "rt", environment, given.rounds)


if __name__ == "__main__":
    main()
